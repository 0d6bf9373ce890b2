package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// tableRow is a row of tables, with what is read of it before the table is restored.
type tableRow struct {
	table    table.Table
	settings string  // the document
	gameID   game.ID // of its running or last game
}

func newTableRow(t table.Table) tableRow {
	row := tableRow{table: t, settings: "", gameID: ""}
	if t.Game != nil {
		row.gameID = t.Game.ID
	}
	return row
}

func (r *tableRow) host() *table.Seat  { return &r.table.Seats[game.HostSeat-1] }
func (r *tableRow) guest() *table.Seat { return &r.table.Seats[game.GuestSeat-1] }

// tableColumns are the columns of tables, each once.
var tableColumns = []mapping[tableRow]{
	textColumn("id", func(r *tableRow) *table.ID { return &r.table.ID }).once(),
	numberColumn("version", func(r *tableRow) *int64 { return &r.table.Version }),
	textColumn("status", func(r *tableRow) *table.Status { return &r.table.Status }),
	textColumn("reason", func(r *tableRow) *table.CloseReason { return &r.table.Reason }).optional(),
	textColumn("moved_to", func(r *tableRow) *table.ID { return &r.table.MovedTo }).optional(),
	textColumn("visibility", func(r *tableRow) *table.Visibility { return &r.table.Visibility }).once(),
	textColumn("invite_code", func(r *tableRow) *table.InviteCode { return &r.table.Invite }).optional().once(),
	flagColumn("ranked", func(r *tableRow) *bool { return &r.table.Ranked }),
	flagColumn("quick", func(r *tableRow) *bool { return &r.table.Quick }).once(),
	flagColumn("any_clock", func(r *tableRow) *bool { return &r.table.AnyClock }).once(),
	numberColumn("settings_version", func(r *tableRow) *int64 { return &r.table.SettingsVersion }),
	tableSettings,
	queried("move_time_limit_seconds", func(s game.Settings) time.Duration { return s.MoveTimeLimit }),
	queried("cover_grace_seconds", func(s game.Settings) time.Duration { return s.CoverGrace }),
	textColumn("seat1_profile", func(r *tableRow) *profile.ID { return &r.host().Profile }).once(),
	textColumn("seat1_name", func(r *tableRow) *profile.Name { return &r.host().Name }),
	numberColumn("seat1_rating", func(r *tableRow) *profile.Rating { return &r.host().Rating }),
	flagColumn("seat1_left", func(r *tableRow) *bool { return &r.host().Left }),
	numberColumn("seat1_wins", func(r *tableRow) *int { return &r.table.Score.Wins[0] }),
	textColumn("seat2_kind", func(r *tableRow) *game.Kind { return &r.guest().Kind }).optional(),
	textColumn("seat2_profile", func(r *tableRow) *profile.ID { return &r.guest().Profile }).optional(),
	textColumn("seat2_name", func(r *tableRow) *profile.Name { return &r.guest().Name }).optional(),
	textColumn("seat2_level", func(r *tableRow) *string { return &r.guest().Level }).optional(),
	numberColumn("seat2_rating", func(r *tableRow) *profile.Rating { return &r.guest().Rating }).
		where(func(r *tableRow) bool { return r.guest().Kind == game.Human }),
	flagColumn("seat2_left", func(r *tableRow) *bool { return &r.guest().Left }),
	numberColumn("seat2_wins", func(r *tableRow) *int { return &r.table.Score.Wins[1] }),
	numberColumn("draws", func(r *tableRow) *int { return &r.table.Score.Draws }),
	textColumn("game_id", func(r *tableRow) *game.ID { return &r.gameID }).optional(),
	numberColumn("next_first", func(r *tableRow) *game.Seat { return &r.table.NextFirst }).optional(),
	canonically(textColumn("client_ref", func(r *tableRow) *string { return &r.table.ClientRef }).optional()),
	textColumn("client_request", func(r *tableRow) *string { return &r.table.ClientRequest }).optional(),
	timeColumn("created", func(r *tableRow) *time.Time { return &r.table.Created }).once(),
	timeColumn("active", func(r *tableRow) *time.Time { return &r.table.Active }),
}

// tableSettings is the document of the settings.
var tableSettings = mapping[tableRow]{
	name: "settings", kind: "text", fixed: false, running: false,
	same:  func(a, b *tableRow) bool { return a.table.Settings == b.table.Settings },
	value: func(r *tableRow) any { return r.table.Settings.Document() },
	scan: func(r *tableRow, kept any) (err error) {
		r.settings, err = textOf(kept)
		return err
	},
}

// queried is a setting, in seconds, that has a column beside the document because tables are looked for by it.
func queried(name string, of func(game.Settings) time.Duration) mapping[tableRow] {
	return mapping[tableRow]{
		name: name, kind: "bigint", fixed: false, running: false,
		same:  func(a, b *tableRow) bool { return of(a.table.Settings) == of(b.table.Settings) },
		value: func(r *tableRow) any { return int64(of(r.table.Settings) / time.Second) },
		scan:  func(*tableRow, any) error { return nil }, // the document says it
	}
}

// canonically keeps a UUID that somebody else made in small letters on both databases.
func canonically(m mapping[tableRow]) mapping[tableRow] {
	value := m.value
	m.value = func(r *tableRow) any {
		if ref, given := value(r).(string); given {
			return canonical(ref)
		}
		return nil
	}
	return m
}

func canonical(ref string) string { return strings.ToLower(ref) }

// seatedRow is a row of tables with its game and what is known of its owners' presence; that is NULL while there is none.
type seatedRow struct {
	table tableRow
	game  gameRow
}

const joinPresence = ` LEFT JOIN seat_presence p1 ON p1.table_id = t.id AND p1.seat = 1
LEFT JOIN seat_presence p2 ON p2.table_id = t.id AND p2.seat = 2`

// seatedPresence are the columns of seatPresence.
const seatedPresence = "p1.last_seen, p1.said_away, p2.last_seen, p2.said_away"

var selectSeated = "SELECT " + selection("t", tableColumns) + ", " + selection("g", gameColumns) + ", " + seatedPresence +
	" FROM tables t LEFT JOIN games g ON g.id = t.game_id" + joinPresence

// presenceColumns are what is read of the presence of a seat's owner, which is stored by itself.
func presenceColumns(at func(*tableRow) *table.Seat) []mapping[tableRow] {
	return []mapping[tableRow]{
		timeColumn("last_seen", func(r *tableRow) *time.Time { return &at(r).Seen }),
		flagColumn("said_away", func(r *tableRow) *bool { return &at(r).SaidAway }),
	}
}

var (
	hostPresence  = presenceColumns((*tableRow).host)
	guestPresence = presenceColumns((*tableRow).guest)
)

// targets are what a row of selectSeated is scanned into.
func (r *seatedRow) targets() []any {
	all := append(targets(&r.table, tableColumns), targets(&r.game, gameColumns)...)
	return append(append(all, targets(&r.table, hostPresence)...), targets(&r.table, guestPresence)...)
}

// tableSettingsFrom reads the document of a table's settings. The error tells of one that no table can have.
func tableSettingsFrom(id table.ID, document string) (game.Settings, error) {
	settings, err := game.SettingsFrom(document)
	if err != nil {
		return settings, &unreadableError{thing: "table", id: string(id), part: "settings", cause: fmt.Errorf("settings of table %s: %w", id, err)}
	}
	return settings, nil
}

// restored is the table of a row that was read. The error tells of a row that no table can have.
func (r seatedRow) restored() (table.Table, error) {
	t := r.table.table
	var err error
	if t.Settings, err = tableSettingsFrom(t.ID, r.table.settings); err != nil {
		return table.Table{}, err
	}
	t.Seats[game.HostSeat-1].Kind = game.Human
	for i := range t.Seats {
		seat := &t.Seats[i]
		seat.Deleted = seat.Kind == game.Human && seat.Name == ""
	}
	t.Score.Games = t.Score.Wins[0] + t.Score.Wins[1] + t.Score.Draws
	if r.game.game.ID == "" {
		return t, nil
	}
	g, err := r.game.restored()
	if err != nil {
		return table.Table{}, err
	}
	t.Game = &g
	return t, nil
}
