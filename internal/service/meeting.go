package service

import (
	"errors"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// meeting is one player's request for a quick match, or a worker's for it, and what has come of it so far.
type meeting struct {
	tables  *Tables
	guest   profile.Profile
	rules   houserule.Catalogue
	outages game.Outages
	look    time.Time   // when a worker has to look at the game
	left    table.Table // where the player waits no more; the zero value: nowhere
}

func (s *Tables) meeting(guest profile.Profile, rules houserule.Catalogue, o game.Outages) *meeting {
	return &meeting{tables: s, guest: guest, rules: rules, outages: o, look: noLook, left: table.Table{}}
}

// wake wakes everybody whom the meeting at a table concerns.
func (m *meeting) wake(t table.Table) {
	m.tables.wakeups.table(t, m.look)
	if m.left.ID != "" {
		m.tables.wakeups.table(m.left, noLook)
	}
}

// matching says what is wanted, and what becomes of the tables. A clock that is not on offer is refused also to who waits
// with it already: nobody will come any more. Whoever plays a first game is not refused that.
func (m *meeting) matching(wish QuickWish) Matching {
	settings, refusal := m.settings(wish)
	all := m.matchingIn(queueOf(wish))
	all.Back = func(own table.Table) (TableChange, error) {
		if own.Searching() && refusal != nil {
			return TableChange{}, refusal
		}
		change := m.tables.withPresence(own, own.SeatOf(m.guest.ID), false, m.outages)
		m.look = change.Look
		return change, nil
	}
	all.Move = func(own, waiting table.Table) (leaves, sits TableChange, err error) {
		if refusal != nil {
			return TableChange{}, TableChange{}, refusal
		}
		return m.move(own, waiting)
	}
	all.Anew = func(own table.Table) (leaves TableChange, waits table.Table, err error) {
		if refusal != nil {
			return TableChange{}, table.Table{}, refusal
		}
		if waits, err = m.wait(settings, wish); err != nil {
			return TableChange{}, table.Table{}, err
		}
		m.look = noLook
		return m.leave(own, waits.ID), waits, nil
	}
	all.Meet = func(waiting table.Table) (TableChange, error) {
		if refusal != nil {
			return TableChange{}, refusal
		}
		return m.sit(waiting)
	}
	all.Wait = func() (table.Table, error) {
		if refusal != nil {
			return table.Table{}, refusal
		}
		return m.wait(settings, wish)
	}
	return all
}

// matchingIn is a Matching for a queue that decides nothing yet.
func (m *meeting) matchingIn(queue table.Queue) Matching {
	return Matching{
		Who: m.guest.ID, Rating: m.guest.Standing.Rating, Queue: queue, Clock: game.Defaults(m.rules).MoveTimeLimit,
		SeenSince: m.tables.clock().Add(-seenWithin), AtMost: m.tables.openTables,
		Back: nil, Move: nil, Anew: nil, Meet: nil, Wait: nil,
	}
}

func queueOf(wish QuickWish) table.Queue {
	queue := table.Queue{Ranked: wish.Ranked, MoveTimeLimit: 0, AnyClock: wish.MoveTimeLimitSeconds == nil}
	setSeconds(&queue.MoveTimeLimit, wish.MoveTimeLimitSeconds)
	return queue
}

// settings returns the service's defaults with the clock that is wished for. A clock that is not on offer comes with a
// refusal, which is nil otherwise.
func (m *meeting) settings(wish QuickWish) (settings game.Settings, refusal error) {
	settings, err := choose(m.rules, game.Defaults(m.rules), Choices{MoveTimeLimitSeconds: wish.MoveTimeLimitSeconds}) //nolint:exhaustruct // nothing else is
	if err == nil {
		return settings, nil
	}
	if f, found := errors.AsType[*fault.Error](err); found {
		f.Pointer = "/move_time_limit_seconds"
	}
	return settings, err
}

// wait makes a table for quick match to fill.
func (m *meeting) wait(settings game.Settings, wish QuickWish) (table.Table, error) {
	t, err := m.tables.newTable(m.guest, settings, NewTable{
		Visibility: table.Public, Opponent: game.Human, CPULevel: "", Ranked: wish.Ranked, Choices: Choices{}, ClientRef: "",
	})
	t.Quick, t.AnyClock = true, wish.MoveTimeLimitSeconds == nil
	return t, err
}

// sit gives the player the free seat of a table at which somebody waits, and starts the game.
func (m *meeting) sit(waiting table.Table) (TableChange, error) {
	change, err := m.tables.sit(waiting.Renew(game.Defaults(m.rules)), m.guest, m.outages)
	m.look = change.Look
	return change, err
}

// move closes the table at which the player waits, and gives it the free seat of another one.
func (m *meeting) move(own, waiting table.Table) (leaves, sits TableChange, err error) {
	leaves = m.leave(own, waiting.ID)
	sits, err = m.sit(waiting)
	return leaves, sits, err
}

// leave closes the table at which the player waits, for another one.
func (m *meeting) leave(own table.Table, other table.ID) TableChange {
	leaves := m.tables.withPresence(own, game.HostSeat, true, m.outages)
	leaves.Table = leaves.Table.MoveTo(other)
	m.left = leaves.Table
	return leaves
}
