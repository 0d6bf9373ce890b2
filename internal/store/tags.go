package store

import (
	"context"
	"maps"
	"strings"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// tagRow is what a tag of a game or table is made of.
type tagRow struct {
	ID          string `gorm:"column:id"`
	Version     int64  `gorm:"column:version"`
	GameVersion int64  `gorm:"column:game_version"` // 0 while a table has no game
}

// listRow is a table in the list of a profile; without a table when the list is empty.
type listRow struct {
	Profile string `gorm:"column:profile_id"`
	Table   tagRow `gorm:"embedded"`
}

// Tags is that of service.ChangeStore: one question for each kind of topic, whatever their number.
func (s *Store) Tags(ctx context.Context, known map[live.Topic]string) (map[live.Topic]string, error) {
	var games []versionEntry
	ids := map[live.Kind][]string{}
	for topic, tag := range known {
		switch {
		case !isID(topic.ID):
		case topic.Kind == service.AboutGame:
			games = append(games, versionEntry{ID: topic.ID, Version: game.VersionIn(tag)})
		default:
			ids[topic.Kind] = append(ids[topic.Kind], topic.ID)
		}
	}
	tags := make(map[live.Topic]string)
	if err := s.tagGames(ctx, games, tags); err != nil {
		return nil, err
	}
	if err := s.tagTables(ctx, ids[service.AboutTable], tags); err != nil {
		return nil, err
	}
	if err := s.tagLists(ctx, ids[service.AboutTables], tags); err != nil {
		return nil, err
	}
	maps.DeleteFunc(tags, func(topic live.Topic, tag string) bool { return tag == known[topic] })
	return tags, nil
}

// uuidLength is that of a UUID as we write it.
const uuidLength = 36

// isID reports whether a text is a UUID as we write them.
func isID(text string) bool {
	return len(text) == uuidLength && uuid.Validate(text) == nil && strings.ToLower(text) == text
}

// versionEntry is a game in a batch, and which version of it is known.
type versionEntry struct {
	ID      string
	Version int64
}

func (e versionEntry) values() []any { return []any{e.ID, e.Version} }

var versionColumns = []column{{"id", "uuid"}, {"version", "bigint"}}

// tagGames returns no rows of games that are as known: thousands are compared for one that isn't.
func (s *Store) tagGames(ctx context.Context, games []versionEntry, tags map[live.Topic]string) error {
	if len(games) == 0 {
		return nil
	}
	batch, err := packed(s.dialect, versionColumns, games)
	if err != nil {
		return err
	}
	found, err := read[tagRow](ctx, s, "SELECT g.id, g.version FROM "+s.dialect.batch(versionColumns)+
		" JOIN games g ON g.id = v.id WHERE g.version <> v.version", batch...)
	for _, row := range found {
		tags[service.GameTopic(game.ID(row.ID))] = game.Game{Version: row.Version}.Tag()
	}
	return err
}

func (s *Store) tagTables(ctx context.Context, ids []string, tags map[live.Topic]string) error {
	found, err := readAbout[tagRow](ctx, s, "SELECT t.id, t.version, g.version AS game_version FROM "+s.dialect.ids+
		" JOIN tables t ON t.id = v.id LEFT JOIN games g ON g.id = t.game_id", ids)
	for _, row := range found {
		tags[service.TableTopic(table.ID(row.ID))] = row.table().Tag()
	}
	return err
}

// tagLists names the state of lists of open tables. An empty list has a state too.
func (s *Store) tagLists(ctx context.Context, ids []string, tags map[live.Topic]string) error {
	found, err := readAbout[listRow](ctx, s, "SELECT p.id AS profile_id, t.id, t.version, g.version AS game_version FROM "+
		s.dialect.ids+` JOIN profiles p ON p.id = v.id
LEFT JOIN tables t ON t.status <> 'closed' AND (t.seat1_profile = p.id OR t.seat2_profile = p.id)
LEFT JOIN games g ON g.id = t.game_id`, ids)
	lists := make(map[string][]table.Table, len(found))
	for _, row := range found {
		if row.Table.ID == "" {
			lists[row.Profile] = nil
			continue
		}
		lists[row.Profile] = append(lists[row.Profile], row.Table.table())
	}
	for id, list := range lists {
		tags[service.TablesTopic(profile.ID(id))] = service.StateOf(list)
	}
	return err
}

// table is a table as far as its tag tells.
func (r tagRow) table() table.Table {
	t := table.Table{ID: table.ID(r.ID), Version: r.Version}
	if r.GameVersion != 0 {
		t.Game = &game.Game{Version: r.GameVersion}
	}
	return t
}

// readAbout returns the rows of a SELECT about some ids, if there are any.
func readAbout[R any](ctx context.Context, s *Store, query string, ids []string) ([]R, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return read[R](ctx, s, query, s.dialect.array(ids))
}
