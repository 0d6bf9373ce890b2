package table

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
)

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
