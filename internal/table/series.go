package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/board"
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
