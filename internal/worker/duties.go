package worker

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/cpu"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/service"
)

// Duties are what there is to do, by the part of the service that knows how.
type Duties struct {
	Presence  Presence
	Catalogue Catalogue
	Changes   Changes
	Devices   Devices
	History   History
	Leaving   Leaving
	Matches   Matches
	Tables    Tables
	Timers    Timers
	Uptime    Uptime
}

// DutiesOf returns the duties of a service.
func DutiesOf(p service.Parts) Duties {
	return Duties{
		Presence: p.Presence, Catalogue: p.Catalogue, Changes: p.Changes, Devices: p.Devices, History: p.History,
		Leaving: p.Leaving, Matches: p.Matches, Tables: p.Tables, Timers: p.Timers, Uptime: p.Uptime,
	}
}

// Timers is what falls due in games.
type Timers interface {
	Sweep(ctx context.Context) ([]service.Turn, int, error)
	MoveCPU(ctx context.Context, t service.Turn, load cpu.Load) error
	Sleeping(ctx context.Context) (int, error)
}

// Uptime touches the heartbeat.
type Uptime interface {
	Beat(ctx context.Context) error
}

// Presence stores when owners were seen.
type Presence interface {
	Keep(ctx context.Context) error  // but for those it has stored lately
	Write(ctx context.Context) error // everybody
}

// Tables is what falls due at tables.
type Tables interface {
	CloseIdle(ctx context.Context) error
	UnlistDeserted(ctx context.Context) error
}

// Matches is what falls due where players wait for a quick match.
type Matches interface {
	PairSearchers(ctx context.Context) error
	CloseUnoffered(ctx context.Context) error
}

// Devices is what falls due about tokens and codes.
type Devices interface {
	DropCodes(ctx context.Context) error
	DismissRevoked(ctx context.Context, hub service.Dismisser) error
}

// Leaving takes the names of deleted players away.
type Leaving interface {
	Erase(ctx context.Context) error
}

// History makes the leaderboard.
type History interface {
	MakeLeaderboard(ctx context.Context) error
}

// Catalogue reads the house rules.
type Catalogue interface {
	Read(ctx context.Context) error
}

// Changes finds out what other replicas have changed.
type Changes interface {
	ReadNews(ctx context.Context, hub service.Waker) error
	TrimNews(ctx context.Context) error
	Compare(ctx context.Context, hub service.Comparer, topics []live.Topic) error
}
