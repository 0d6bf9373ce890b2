package service

import (
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/live"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// What requests wait for.
const (
	AboutGame   live.Kind = iota + 1
	AboutTable            // and its game
	AboutTables           // the open tables of a profile, and their games
)

// GameTopic is a game.
func GameTopic(id game.ID) live.Topic { return live.Topic{Kind: AboutGame, ID: string(id)} }

// TableTopic is a table with its game.
func TableTopic(id table.ID) live.Topic { return live.Topic{Kind: AboutTable, ID: string(id)} }

// TablesTopic is the open tables of a profile with their games.
func TablesTopic(of profile.ID) live.Topic { return live.Topic{Kind: AboutTables, ID: string(of)} }

// topicsNamed returns the topics with some ids. An id is that of one thing, whatever its kind.
func topicsNamed(ids []string) []live.Topic {
	topics := make([]live.Topic, 0, 3*len(ids))
	for _, id := range ids {
		topics = append(topics, GameTopic(game.ID(id)), TableTopic(table.ID(id)), TablesTopic(profile.ID(id)))
	}
	return topics
}

// topicsOf returns what a change of a game is news of: itself, its table, and its owners' tables.
func topicsOf(g game.Game) []live.Topic {
	topics := []live.Topic{GameTopic(g.ID), TableTopic(g.Table)}
	for _, p := range []game.Player{g.Red, g.Yellow} {
		if p.Kind == game.Human {
			topics = append(topics, TablesTopic(p.Profile))
		}
	}
	return topics
}

// topicsAt returns what a change of a table is news of: itself, its game, and the tables of those who sit there.
func topicsAt(t table.Table) []live.Topic {
	topics := []live.Topic{TableTopic(t.ID)}
	for _, seat := range t.Seats {
		if seat.Profile != "" {
			topics = append(topics, TablesTopic(seat.Profile))
		}
	}
	if t.Game != nil {
		topics = append(topics, GameTopic(t.Game.ID))
	}
	return topics
}
