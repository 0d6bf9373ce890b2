package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// unreadableError tells of a row that no game, or no table, can have.
type unreadableError struct {
	thing, id string
	part      string // what of it can't be read
	cause     error  // names the row
}

// Error returns the cause.
func (e *unreadableError) Error() string { return e.cause.Error() }

// Unwrap returns the cause, as one of what can't be read.
func (e *unreadableError) Unwrap() []error { return []error{service.ErrUnreadable, e.cause} }

// oddities are what other releases and hands have written.
type oddities struct {
	logger *slog.Logger

	mu   sync.Mutex
	told map[string]bool // house rules that this release doesn't know
}

func newOddities(o Options) *oddities {
	return &oddities{logger: o.Logger, mu: sync.Mutex{}, told: make(map[string]bool)}
}

// passOver tells that a row is left out where many are read, which it must not keep from being read. The logger counts what
// it is told again and again.
func (o *oddities) passOver(ctx context.Context, err error) {
	what, id := "row", ""
	if e, known := errors.AsType[*unreadableError](err); known {
		what, id = e.part+" of a "+e.thing, e.id
	}
	o.logger.ErrorContext(ctx, "a row can't be read and is passed over", "what", what, "id", id, "error", err)
}

// PassOver is that of service.TableStore.
func (s *Store) PassOver(ctx context.Context, err error) { s.oddities.passOver(ctx, err) }

// note tells once of each house rule that this release doesn't know.
func (o *oddities) note(ctx context.Context, s game.Settings) {
	for _, rule := range s.ForeignRules() {
		o.mu.Lock()
		told := o.told[rule]
		o.told[rule] = true
		o.mu.Unlock()
		if !told {
			o.logger.WarnContext(ctx, "a house rule of another release is kept and not applied", "rule", rule)
		}
	}
}

// gameOf restores a game that was read.
func (s *Store) gameOf(ctx context.Context, row *gameRow) (game.Game, error) {
	g, err := row.restored()
	if err != nil {
		return game.Game{}, err
	}
	s.oddities.note(ctx, g.Settings)
	return g, nil
}

// tableOf restores a table that was read, with its game.
func (s *Store) tableOf(ctx context.Context, row *seatedRow) (table.Table, error) {
	t, err := row.restored()
	if err != nil {
		return table.Table{}, err
	}
	s.oddities.note(ctx, t.Settings)
	return t, nil
}

// readable restores what was read, and passes over what can't be read.
func readable[R, T any](ctx context.Context, s *Store, found []R, restore func(context.Context, *R) (T, error)) []T {
	all := make([]T, 0, len(found))
	for i := range found {
		one, err := restore(ctx, &found[i])
		if err != nil {
			s.oddities.passOver(ctx, err)
			continue
		}
		all = append(all, one)
	}
	return all
}

// leaveUnreadable does of table.Table.Forget what needs no reading: the seat has no name and is left, and the table closes
// unless a game runs there. It returns the games that nothing follows any more.
func (s *Store) leaveUnreadable(tx *gorm.DB, ids []table.ID, who profile.ID) ([]game.ID, error) {
	const closing = `_left = (status = 'playing'), version = version + 1,
reason = CASE WHEN status = 'playing' THEN reason ELSE ? END, next_first = CASE WHEN status = 'playing' THEN next_first END,
status = CASE WHEN status = 'playing' THEN status ELSE 'closed' END WHERE id IN ? AND status <> 'closed' AND `
	if len(ids) == 0 {
		return nil, nil
	}
	for _, seat := range erasures {
		if seat.table != "tables" {
			continue
		}
		statement := "UPDATE tables SET " + seat.set + ", " + strings.TrimSuffix(seat.profile, "_profile") + closing + seat.profile + " = ?"
		if _, err := affected(tx, statement, string(table.ProfileDeleted), ids, string(who)); err != nil {
			return nil, fmt.Errorf("leave tables that can't be read: %w", err)
		}
	}
	return s.endSeries(tx, ids, who)
}

// endSeries does of game.Game.LeaveTable what needs no reading, in the finished games of those tables that have closed.
func (s *Store) endSeries(tx *gorm.DB, ids []table.ID, who profile.ID) ([]game.ID, error) {
	const statement = `UPDATE games SET table_done = TRUE, next_first = NULL, version = version + 1, stamp = ?,
red_rematch = CASE WHEN red_profile = ? THEN FALSE ELSE red_rematch END,
yellow_rematch = CASE WHEN yellow_profile = ? THEN FALSE ELSE yellow_rematch END
WHERE id IN (SELECT game_id FROM tables WHERE id IN ? AND status = 'closed') AND status = 'finished' AND NOT table_done RETURNING id`
	ended, err := rows[idRow](tx, statement, newStamp(), string(who), string(who), ids)
	if err != nil {
		return nil, fmt.Errorf("end the series at tables that can't be read: %w", err)
	}
	topics, games := make([]string, 0, len(ids)+len(ended)), make([]game.ID, 0, len(ended))
	for _, id := range ids {
		topics = append(topics, string(id))
	}
	for _, row := range ended {
		topics, games = append(topics, row.ID), append(games, game.ID(row.ID))
	}
	return games, s.feed.publish(tx, topics)
}
