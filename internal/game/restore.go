package game

import (
	"errors"
	"fmt"

	"github.com/fourinarow/fourinarow/internal/board"
)

// Restore returns a game of which a store kept the fields. The error tells of fields that no game can have: moves that
// can't be played, plies of which it isn't known who made them or how long they took, values outside of their sets.
// Fields that merely contradict each other are told of by Check.
func Restore(kept Game) (Game, error) {
	p, err := board.Parse(kept.Moves)
	if err != nil {
		return Game{}, fmt.Errorf("moves of game %s: %w", kept.ID, err)
	}
	for _, err := range [...]error{kept.misplayed(), kept.misstated(), kept.Red.misplaced(), kept.Yellow.misplaced()} {
		if err != nil {
			return Game{}, fmt.Errorf("game %s %w", kept.ID, err)
		}
	}
	kept.position = p
	return kept, nil
}

// misplayed tells of moves without all that is known of a move.
func (g Game) misplayed() error {
	if len(g.Movers) != g.Ply() || len(g.Took) != g.Ply() {
		return fmt.Errorf("has %d moves, %d who made them and %d times they took", g.Ply(), len(g.Movers), len(g.Took))
	}
	for i := range len(g.Movers) {
		if g.Movers[i] != 'h' && g.Movers[i] != 'c' {
			return fmt.Errorf("has a ply %d that %q made", i+1, g.Movers[i])
		}
	}
	return nil
}

// misstated tells of a state that isn't one.
func (g Game) misstated() error {
	switch {
	case g.Version < 1:
		return fmt.Errorf("has version %d", g.Version)
	case g.Number < 1:
		return fmt.Errorf("is number %d of its table", g.Number)
	case g.Status != InProgress && g.Status != Finished:
		return fmt.Errorf("is %q", g.Status)
	case g.Result.Winner > board.Yellow:
		return errors.New("was won by neither red nor yellow")
	case g.NextFirst < NoSeat || g.NextFirst > GuestSeat:
		return fmt.Errorf("is followed by one that seat %d starts", g.NextFirst)
	case g.Hinted&^allPlies != 0:
		return errors.New("has hints for plies that the board has no fields for")
	case g.Red.Seat == g.Yellow.Seat:
		return fmt.Errorf("is played from seat %d on both sides", g.Red.Seat)
	case g.Red.Profile == g.Yellow.Profile && g.Red.Profile != "":
		return fmt.Errorf("is played by profile %s on both sides", g.Red.Profile)
	default:
		return nil
	}
}

// misplaced tells of a side that nobody can play.
func (p Player) misplaced() error {
	switch {
	case p.Seat != HostSeat && p.Seat != GuestSeat:
		return fmt.Errorf("is played from seat %d", p.Seat)
	case p.Presence < Here || p.Presence > Gone:
		return fmt.Errorf("has a player whose presence is %d", p.Presence)
	case p.Kind == Human && p.Profile == "":
		return errors.New("has a player without a profile")
	case p.Kind == CPU && p.Level == "":
		return errors.New("has a CPU without a level")
	case p.Kind != Human && p.Kind != CPU:
		return fmt.Errorf("has a player that is %q", p.Kind)
	default:
		return nil
	}
}
