package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// Agreement is that one seat wants another game.
type Agreement struct {
	By              profile.ID
	Game            game.ID // the finished game it is given for
	SettingsVersion int64   // the settings it was given for; 0: whatever they are
}

// Agreed is what follows from an agreement.
type Agreed struct {
	Table   Table     // with the game after this one when both agree, else with the finished game
	Last    game.Game // the finished game: with the agreement, and with its next game when both agree
	Started bool      // whether the next game began
	Changed bool      // whether anything changed
}

// Agree takes a seat's agreement. When the other has agreed and is here the next game begins under id; when the other
// isn't here its agreement is taken back. The faults are not_seated, game_running, table_closed, stale_game and
// stale_version.
func (t Table) Agree(a Agreement, id game.ID, upSince, at time.Time) (Agreed, error) {
	seat, err := t.agreeable(a)
	if err != nil {
		return Agreed{}, err
	}
	last := *t.Game
	side := last.SideIn(seat)
	partner := last.Player(side.Other())
	if !partner.Rematch {
		first, changed := last.SetRematch(side, true)
		return Agreed{Table: t.withGame(first), Last: first, Started: false, Changed: changed}, nil
	}
	if t.Seats[partner.Seat-1].presence(t.Settings.CoverGrace, upSince, at) != game.Here {
		alone := last.AgreeAlone(side)
		return Agreed{Table: t.withGame(alone), Last: alone, Started: false, Changed: true}, nil
	}
	t.Seats[seat-1].Seen, t.Seats[seat-1].SaidAway = at, false // an owner who agrees is here
	t = t.start(id, t.NextFirst, upSince, at)
	t.Version++
	return Agreed{Table: t, Last: last.FollowedBy(side, id), Started: true, Changed: true}, nil
}

// TakeBack takes a seat's agreement back. The faults are those of Agree.
func (t Table) TakeBack(a Agreement) (Agreed, error) {
	seat, err := t.agreeable(a)
	if err != nil {
		return Agreed{}, err
	}
	last, changed := t.Game.SetRematch(t.Game.SideIn(seat), false)
	return Agreed{Table: t.withGame(last), Last: last, Started: false, Changed: changed}, nil
}

// agreeable returns the seat of somebody who may agree to another game.
func (t Table) agreeable(a Agreement) (game.Seat, error) {
	seat := t.SeatOf(a.By)
	switch {
	case seat == game.NoSeat:
		return seat, notSeated()
	case t.Game == nil || t.Game.ID != a.Game:
		return seat, fault.New(fault.StaleGame, "this is not the last game of the table")
	case t.Status == Playing:
		return seat, fault.New(fault.GameRunning, "the game has not ended yet")
	case t.Status == Closed:
		return seat, closed()
	case a.SettingsVersion != 0 && a.SettingsVersion != t.SettingsVersion:
		return seat, fault.New(fault.StaleVersion, "the settings are at version %d", t.SettingsVersion)
	default:
		return seat, nil
	}
}

func (t Table) withGame(g game.Game) Table {
	t.Game = &g
	return t
}
