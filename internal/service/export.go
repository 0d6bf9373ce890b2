package service

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

const (
	// exportPage is how many tables or games of an export are in memory at once.
	exportPage = 100
	// exportPlaces is how many of them are looked for at once, by their time and id alone.
	exportPlaces = 5000
)

// ExportStore reads what a player takes along, page by page and on connections that nobody else waits for.
type ExportStore interface {
	// DeviceCodes returns when the codes of a profile expire, the soonest first.
	DeviceCodes(ctx context.Context, who profile.ID) ([]time.Time, error)
	// TablePlaces returns where the tables are that a profile has or had a seat at, newest first, after a place.
	TablePlaces(ctx context.Context, who profile.ID, after Place, atMost int) ([]Place, error)
	// TablesAt returns the tables at places, newest first.
	TablesAt(ctx context.Context, places []Place) ([]table.Table, error)
	// GamePlaces returns where the games of a profile are, newest first, after a place.
	GamePlaces(ctx context.Context, who profile.ID, after Place, atMost int) ([]Place, error)
	// GamesAt returns the games at places, newest first.
	GamesAt(ctx context.Context, places []Place) ([]game.Game, error)
	// Held makes sure that a device of a profile is still there. The fault is unauthenticated.
	Held(ctx context.Context, who profile.ID, id profile.DeviceID) error
}

// Export is everything that is stored about a player. What there may be much of is read when it is asked for, a page at a
// time and each page by itself: an export isn't one moment.
type Export struct {
	At      time.Time // when reading began; what is newer isn't in it
	Profile profile.Profile
	Devices []profile.Device
	Codes   []time.Time // when those that are there expire

	leaving *Leaving
	caller  Caller
}

// Export begins to read everything that is stored about the caller.
func (s *Leaving) Export(ctx context.Context, c Caller) (*Export, error) {
	all := &Export{At: s.clock(), Profile: profile.Profile{}, Devices: nil, Codes: nil, leaving: s, caller: c}
	var err error
	if all.Profile, err = s.profiles.Me(ctx, c); err != nil {
		return nil, err
	}
	if all.Devices, err = s.devices.List(ctx, c); err != nil {
		return nil, err
	}
	if all.Codes, err = s.store.DeviceCodes(ctx, c.Profile); err != nil {
		return nil, err
	}
	return all, nil
}

// Tables returns the pages of the player's tables, newest first, with when the player was last seen there. An error
// ends them; the fault is unauthenticated: the device was removed meanwhile.
func (e *Export) Tables(ctx context.Context) iter.Seq2[[]TableView, error] {
	s := e.leaving
	return pagesOf(ctx, e, s.store.TablePlaces, func(places []Place) ([]TableView, error) {
		tables, err := s.store.TablesAt(ctx, places)
		if err != nil {
			return nil, err
		}
		return s.tables.views(ctx, e.caller, tables, answered)
	})
}

// Games returns the pages of the player's games, newest first, as Tables does. Whoever asks twice is shown the same games
// both times, since games stay their owners', though a running one may have gone on.
func (e *Export) Games(ctx context.Context) iter.Seq2[[]GameView, error] {
	s := e.leaving
	return pagesOf(ctx, e, s.store.GamePlaces, func(places []Place) ([]GameView, error) {
		games, err := s.store.GamesAt(ctx, places)
		if err != nil {
			return nil, err
		}
		o, err := s.uptime.Outages(ctx)
		if err != nil {
			return nil, err
		}
		views := make([]GameView, 0, len(games))
		for _, g := range games {
			views = append(views, s.games.viewWith(e.caller, g, answered, o))
		}
		return views, nil
	})
}

// lastID is an id that none comes after.
const lastID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// pagesOf returns the pages of a list of a player's. The list is that of the moment the export began: what is added to it
// meanwhile is left out.
func pagesOf[T any](
	ctx context.Context, e *Export, list func(context.Context, profile.ID, Place, int) ([]Place, error), read func([]Place) ([]T, error),
) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for place, more := (Place{At: e.At, ID: lastID}), true; more; {
			places, err := list(ctx, e.caller.Profile, place, exportPlaces)
			if err != nil {
				yield(nil, err)
				return
			}
			if !readPages(ctx, e, read, places, yield) {
				return
			}
			if more = len(places) == exportPlaces; more {
				place = places[len(places)-1]
			}
		}
	}
}

// readPages reads what is at places for somebody whose device is still there, and reports whether more is wanted.
func readPages[T any](ctx context.Context, e *Export, read func([]Place) ([]T, error), places []Place, yield func([]T, error) bool) bool {
	for some := range slices.Chunk(places, exportPage) {
		var page []T
		err := e.leaving.store.Held(ctx, e.caller.Profile, e.caller.Device)
		if err == nil {
			page, err = read(some)
		}
		if !yield(page, err) || err != nil {
			return false
		}
	}
	return true
}
