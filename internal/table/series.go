package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/profile"
)

const random = houserule.Random

// first returns who starts the first game.
func (t Table) first(chance bool) game.Seat {
	if t.Settings.FirstPlayer == random && chance {
		return game.GuestSeat
	}
	return game.HostSeat
}

// start is the step of beginning the next game with a seat playing red. Its owners are here or away as they were.
func (t Table) start(id game.ID, first game.Seat, upSince, at time.Time) Table {
	number := 1
	if t.Game != nil {
		number = t.Game.Number + 1
	}
	g := game.Start(game.Opening{
		ID: id, Table: t.ID, Number: number, Private: t.Visibility == Private, Ranked: t.Ranked, Settings: t.Settings,
		Red: t.player(first, upSince, at), Yellow: t.player(other(first), upSince, at),
	}, at)
	t.Game, t.Status, t.NextFirst, t.Active = &g, Playing, game.NoSeat, at
	return t
}

func (t Table) player(seat game.Seat, upSince, at time.Time) game.Player {
	s := t.Seats[seat-1]
	return game.Player{
		Seat: seat, Kind: s.Kind, Profile: s.Profile, Name: s.Name, Level: s.Level, Rating: s.Rating,
		Presence: s.presence(t.Settings.CoverGrace, upSince, at), Since: time.Time{},
		Rematch: s.Kind == game.CPU, // the CPU always agrees
	}
}

func other(seat game.Seat) game.Seat { return game.HostSeat + game.GuestSeat - seat }

// GameOver says that the table's game has ended. The table closes when nobody was there for a day or when somebody
// who left during the game hasn't come back; then nothing follows the game, which is part of the change that ended it.
func (t Table) GameOver(g game.Game, at time.Time) Table {
	t = t.gameOver(g, at)
	t.Version++
	return t
}

// gameOver is the step of GameOver.
func (t Table) gameOver(g game.Game, at time.Time) Table {
	t.Active, t.Status, t.NextFirst = at, BetweenGames, t.nextFirst(g)
	if !g.Unattended {
		t.Score = t.Score.add(g)
	}
	switch {
	case t.Seats[0].Deleted, t.Seats[1].Deleted:
		t = t.close(ProfileDeleted)
	case g.Unattended:
		t = t.close(Abandoned)
	case t.Seats[0].Left:
		t = t.close(HostLeft)
	case t.Seats[1].Left:
		t = t.close(PlayerLeft)
	}
	g.TableDone, g.NextFirst = t.Status == Closed, t.NextFirst
	return t.withGame(g)
}

// Rerated shows at the seats what their owners' ratings are when the table's game has ended. The CPU has none.
func (t Table) Rerated(now map[profile.ID]profile.Rating) Table {
	for i, seat := range t.Seats {
		if rating, found := now[seat.Profile]; found && seat.Kind == game.Human {
			t.Seats[i].Rating = rating
		}
	}
	return t
}

// nextFirst returns who starts the game after one: the other side's player, or the same when the first move doesn't
// alternate.
func (t Table) nextFirst(g game.Game) game.Seat {
	if t.Settings.AlternateFirstMove {
		return g.Yellow.Seat
	}
	return g.Red.Seat
}

func (s Score) add(g game.Game) Score {
	s.Games++
	if g.Result.Winner == board.NoSide {
		s.Draws++
		return s
	}
	s.Wins[g.Player(g.Result.Winner).Seat-1]++
	return s
}

// Agreement is one seat's wish for another game.
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
	t.Seats[seat-1].Seen, t.Seats[seat-1].SaidAway = at, false // who agrees is here
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

// Present returns the seat of somebody who says whether it is at the table. The faults are not_seated and
// table_closed.
func (t Table) Present(who profile.ID) (game.Seat, error) {
	seat := t.SeatOf(who)
	switch {
	case seat == game.NoSeat:
		return seat, notSeated()
	case t.Status == Closed:
		return seat, closed()
	default:
		return seat, nil
	}
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

// Edit is a host's change of settings.
type Edit struct {
	By              profile.ID
	SettingsVersion int64         // the version it was made for
	Settings        game.Settings // as they are to be
	Ranked          bool
}

// Repeats reports whether an edit is the last one, sent again because its answer was lost, or says the same: it was made
// for the version before, and the table is as it wants. That is so whatever has become of the table since.
func (t Table) Repeats(e Edit) bool {
	return t.SeatOf(e.By) == game.HostSeat && e.SettingsVersion == t.SettingsVersion-1 && e.Settings == t.Settings && e.Ranked == t.Ranked
}

// Editable checks whether an edit may be made now. The faults are not_seated, not_host, game_running, table_closed,
// quick_match_waiting, stale_version and cpu_table_not_ranked.
func (t Table) Editable(e Edit) error {
	switch seat := t.SeatOf(e.By); {
	case seat == game.NoSeat:
		return notSeated()
	case seat != game.HostSeat:
		return fault.New(fault.NotHost, "only the host may change the settings")
	case t.Status == Playing:
		return fault.New(fault.GameRunning, "settings change between games")
	case t.Status == Closed:
		return closed()
	case t.Searching():
		return fault.New(fault.QuickMatchWaiting, "who meets here wants these settings")
	case e.SettingsVersion != t.SettingsVersion:
		return fault.New(fault.StaleVersion, "the settings are at version %d", t.SettingsVersion)
	case e.Ranked && t.VersusCPU():
		return fault.At("/ranked", fault.CPUTableNotRanked, "a table against the CPU is not ranked")
	default:
		return nil
	}
}

// Change applies an edit, which takes agreements to another game back, and reports whether anything changed. Ask
// Editable first.
func (t Table) Change(e Edit, at time.Time) (Table, bool) {
	if e.Settings == t.Settings && e.Ranked == t.Ranked {
		return t, false
	}
	t.Settings, t.Ranked, t.Active = e.Settings, e.Ranked, at
	t.SettingsVersion++
	t.Version++
	if t.Game == nil {
		return t.foreseeFirst(), true
	}
	t.NextFirst = t.nextFirst(*t.Game)
	return t.withGame(t.Game.Foresee(t.NextFirst)), true
}

// foreseeFirst says who will start the first game: nobody knows when it is left to chance.
func (t Table) foreseeFirst() Table {
	t.NextFirst = game.HostSeat
	if t.Settings.FirstPlayer == random {
		t.NextFirst = game.NoSeat
	}
	return t
}
