package main

import (
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/connections"
	"github.com/fourinarow/fourinarow/internal/store"
)

// apartConnections is how many connections each listener has that isn't for players; clients leave them 64 files.
const apartConnections = 20

// clients guards the connections of clients.
func clients(cfg config.Config, db *store.Store) (*connections.Guard, error) {
	files, err := connections.FileLimit()
	if err != nil {
		return nil, err
	}
	total := connections.Share(files, databaseFiles(cfg, db))
	if wanted := cfg.Limits.ConnectionsTotal; wanted > 0 {
		total = min(total, wanted)
	}
	return connections.New(connections.Limits{Total: total, PerAddress: cfg.Limits.ConnectionsPerAddress, Exempt: cfg.TrustedProxies}), nil
}

// insiders guards the connections of admins or of whoever collects metrics.
func insiders() *connections.Guard {
	return connections.New(connections.Limits{Total: apartConnections, PerAddress: apartConnections, Exempt: nil})
}

// databaseFiles returns how many files the database may have open: a connection to an SQLite file has the file, its log and
// the index of that.
func databaseFiles(cfg config.Config, db *store.Store) (files int) {
	for _, pool := range db.Pools() {
		files += pool.Stats().MaxOpenConnections
	}
	if cfg.Database.URL.Dialect() == config.SQLite {
		files *= 3
	}
	return files
}
