package service

import (
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// Store is everything that the parts of the service keep.
type Store interface {
	AdminStore
	PresenceStore
	ChangeStore
	DeviceStore
	GameStore
	HeartbeatStore
	HistoryStore
	InsightStore
	LeavingStore
	MatchStore
	ProfileStore
	RuleStore
	TableStore
	TimerStore
}

// Stores are the stores of the parts, one by one, so that a test can put another in front of one.
type Stores struct {
	Admins    AdminStore
	Changes   ChangeStore
	Presence  PresenceStore
	Devices   DeviceStore
	Games     GameStore
	Heartbeat HeartbeatStore
	History   HistoryStore
	Insights  InsightStore
	Leaving   LeavingStore
	Matches   MatchStore
	Profiles  ProfileStore
	Rules     RuleStore
	Tables    TableStore
	Timers    TimerStore
}

// StoresOf returns the stores of the parts where one keeps everything.
func StoresOf(all Store) Stores {
	return Stores{
		Admins: all, Changes: all, Presence: all, Devices: all, Games: all, Heartbeat: all, History: all, Insights: all, Leaving: all, Matches: all,
		Profiles: all, Rules: all, Tables: all, Timers: all,
	}
}

// Settings are what an operator decides.
type Settings struct {
	PublicURL          string        // how people reach the service, without a slash at its end; empty: tables have no url
	OpenTables         int           // open tables a profile may have
	WaitAtMost         time.Duration // of a poll; a longer wait is cut to it
	TokenCacheLifetime time.Duration // how long a token that was right is taken as right without asking the store
	// PresenceLag is how long another replica may know of somebody's presence before it is stored; 0 without others.
	PresenceLag time.Duration
	CPUPace     time.Duration // the CPU's disc comes no sooner after the one before
}

// Outside is what the service is wired to. Wire hands each part what that part uses; none keeps it all.
type Outside struct {
	Stores

	Waiters  Waiters
	Chooser  cpu.Chooser
	Readers  *solver.Pool // for those who ask perfect play; the CPU has its own
	Clock    func() time.Time
	Random   io.Reader // secrets, ids and chance are drawn from it
	Settings Settings
	Observe  Observer
	// Due is told when a worker has to look at a game, so that one in this process needn't find out by itself.
	Due func(at time.Time)
}

// Parts are the parts of the service.
type Parts struct {
	Admins    *Admins
	Presence  *PresenceLog
	Catalogue *Catalogue
	Changes   *Changes
	Devices   *Devices
	Games     *Games
	History   *History
	Insights  *Insights
	Leaving   *Leaving
	Matches   *Matches
	Profiles  *Profiles
	Rules     *HouseRules
	Tables    *Tables
	Timers    *Timers
	Uptime    *Uptime
}

// Wire makes the parts of the service.
func Wire(o Outside) (Parts, error) {
	tokens, err := newTokens()
	if err != nil {
		return Parts{}, err
	}
	drafts, err := newDrafts()
	if err != nil {
		return Parts{}, err
	}
	var (
		wakeups   = &wakeups{waiters: o.Waiters, due: o.Due}
		presence  = NewPresenceLog(o.Presence, o.Clock)
		uptime    = NewUptime(o.Heartbeat, o.Clock)
		catalogue = NewCatalogue(o.Rules, o.Clock)
		polls     = &polls{
			waiters: o.Waiters, presence: presence, observe: o.Observe, clock: o.Clock, random: o.Random, waitAtMost: o.Settings.WaitAtMost,
		}
		saver = &gameSaver{
			store: o.Games, uptime: uptime, presence: presence, wakeups: wakeups, observe: o.Observe, clock: o.Clock,
			pace: o.Settings.CPUPace,
		}
		devices = &Devices{
			store: o.Devices, tokens: tokens, lifetime: o.Settings.TokenCacheLifetime, presence: presence, waiters: o.Waiters,
			clock: o.Clock, random: o.Random,
		}
		profiles = &Profiles{store: o.Profiles, devices: devices, clock: o.Clock, random: o.Random}
		tables   = &Tables{
			store: o.Tables, games: o.Games, players: o.Profiles, rules: catalogue, saver: saver, presence: presence, uptime: uptime,
			polls: polls, wakeups: wakeups, observe: o.Observe, clock: o.Clock, random: o.Random,
			openTables: o.Settings.OpenTables, publicURL: o.Settings.PublicURL,
		}
		games = &Games{
			store: o.Games, tableStore: o.Tables, tables: tables, saver: saver, presence: presence, uptime: uptime, polls: polls,
			observe: o.Observe, clock: o.Clock,
		}
	)
	return Parts{
		Admins: NewAdmins(o.Admins, o.Clock, o.Random), Presence: presence, Catalogue: catalogue, Changes: &Changes{store: o.Changes, devices: devices},
		Devices: devices, Games: games, History: &History{store: o.History, players: o.Profiles, clock: o.Clock},
		Insights: &Insights{
			store: o.Insights, games: games, saver: saver, wakeups: wakeups, uptime: uptime, readers: o.Readers, drafts: drafts, clock: o.Clock,
		},
		Leaving: &Leaving{
			store: o.Leaving, profiles: profiles, devices: devices, tables: tables, games: games, saver: saver, uptime: uptime,
			wakeups: wakeups, clock: o.Clock,
		},
		Matches: &Matches{
			store: o.Matches, tables: tables, players: o.Profiles, rules: catalogue, uptime: uptime, presence: presence, clock: o.Clock,
			offer: clockOffer{clocks: nil, since: time.Time{}, checked: time.Time{}},
		},
		Profiles: profiles, Rules: &HouseRules{store: o.Rules, rules: catalogue, clock: o.Clock, random: o.Random}, Tables: tables,
		Timers: &Timers{
			store: o.Timers, games: o.Games, saver: saver, presence: presence, lag: o.Settings.PresenceLag, uptime: uptime,
			wakeups: wakeups, chooser: o.Chooser, observe: o.Observe, clock: o.Clock,
		},
		Uptime: uptime,
	}, nil
}
