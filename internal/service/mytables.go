package service

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// MyTables is the open tables of a caller, those that wait for the caller first.
type MyTables struct {
	Tables    []TableView
	State     string // names this state of all of them
	PollAfter time.Duration
}

// MyPoll is how a caller wants to follow its tables.
type MyPoll struct {
	After string        // the State the caller has seen; empty: it did not say
	Wait  time.Duration // how long to hold the answer while there is nothing new
	Turn  bool          // only tables that wait for the caller
}

// Mine answers a poll of the caller's open tables. While it waits the caller is here at all of them.
func (s *Tables) Mine(ctx context.Context, c Caller, p MyPoll) (MyTables, error) {
	if err := signedIn(c); err != nil {
		return MyTables{}, err
	}
	poll := Poll{After: nil, Seen: nil, Wait: p.Wait}
	if p.After != "" {
		poll.Seen = func(state string) bool { return state == p.After }
	}
	f := s.polls.follow(c, poll, TablesTopic(c.Profile))
	defer f.end()
	for {
		tables, err := s.mine(ctx, c, poll.waits())
		if err != nil {
			return MyTables{}, err
		}
		tag := StateOf(tables)
		answers, err := f.answers(ctx, state{tag: tag, news: poll.fresh(0, tag), seats: seatsAt(c, tables...)})
		if err != nil {
			return MyTables{}, err
		}
		if answers {
			mine := MyTables{Tables: nil, State: tag, PollAfter: s.polls.askAgain(pollMine, f.why)}
			mine.Tables, err = s.views(ctx, c, arranged(c, tables, p.Turn), f.why)
			return mine, err
		}
	}
}

// pollMine is how soon a client that does not wait should ask for its tables again.
const pollMine = 2 * time.Second

// mine loads the caller's open tables. A caller who waits for all of them is here at all of them; reading the list
// says nothing about any.
func (s *Tables) mine(ctx context.Context, c Caller, waits bool) ([]table.Table, error) {
	tables, err := s.store.TablesOf(ctx, c.Profile)
	if err != nil {
		return nil, wrap(err, "list the tables of %s", c.Profile)
	}
	if !waits {
		return tables, nil
	}
	for i := range tables {
		if tables[i], err = s.arrive(ctx, c, tables[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// StateOf names a state of some tables: another one when any of them or its game has changed.
func StateOf(tables []table.Table) string {
	lines := make([]string, 0, len(tables))
	for _, t := range tables {
		lines = append(lines, string(t.ID)+" "+t.Tag())
	}
	slices.Sort(lines)
	sum := fnv.New128a()
	for _, line := range lines {
		_, _ = sum.Write([]byte(line + "\n")) // it never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// arranged puts tables that wait for the caller first.
func arranged(c Caller, tables []table.Table, turnOnly bool) []table.Table {
	first, rest := make([]table.Table, 0, len(tables)), []table.Table(nil)
	for _, t := range tables {
		if waitsFor(c, t) {
			first = append(first, t)
		} else if !turnOnly {
			rest = append(rest, t)
		}
	}
	return append(first, rest...)
}

// waitsFor reports whether a table waits for the caller: for its move, or for its answer when the other wants another
// game.
func waitsFor(c Caller, t table.Table) bool {
	if t.Game == nil {
		return false
	}
	side := t.Game.SideOf(c.Profile)
	if t.Game.Over() {
		return t.Status == table.BetweenGames && t.Game.Player(side.Other()).Rematch && !t.Game.Player(side).Rematch
	}
	return t.Game.Turn() == side && t.Game.Controller(side) == game.ByPlayer
}
