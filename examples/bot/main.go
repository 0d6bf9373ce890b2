// Command bot takes free seats at public tables and plays there, as a guest.
//
//	go run ./examples/bot [-name Bot] [-tokens bot.json] [-tables 4] http://127.0.0.1:8080
//
// Started again it is the same player, and goes on with its games. It survives restarts of the service too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"time"

	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

const (
	lookEvery = 2 * time.Second  // at the lobby
	patience  = 30 * time.Second // with somebody who doesn't say whether there shall be another game
)

type bot struct {
	four *fourinarow.Client
	log  *slog.Logger
	most int // tables

	mu      sync.Mutex
	playing map[fourinarow.UUID]bool // tables
}

func main() {
	if err := start(); err != nil {
		fmt.Println("bot:", err)
		os.Exit(1)
	}
}

func start() error {
	name := flag.String("name", "Bot", "its name, the first time")
	tokens := flag.String("tokens", "bot.json", "the file that makes it the same player the next time")
	most := flag.Int("tables", 4, "tables that it plays at, at once")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	four, err := fourinarow.New(flag.Arg(0), fourinarow.Tokens(fourinarow.FileTokens(*tokens)))
	if err != nil {
		return err
	}
	if _, err := four.SignIn(ctx, fourinarow.Guest{DisplayName: *name}); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	b := &bot{four: four, log: log, most: *most, playing: map[fourinarow.UUID]bool{}}
	b.run(ctx)
	return nil
}

// run looks for tables until the context ends, and returns when nobody plays any more.
func (b *bot) run(ctx context.Context) {
	var games sync.WaitGroup
	defer games.Wait()
	for ctx.Err() == nil {
		if err := b.look(ctx, &games); err != nil {
			b.log.WarnContext(ctx, "the lobby can't be read", "error", err)
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
		}
	}
}

// look goes on at the bot's own tables and takes free seats at others.
func (b *bot) look(ctx context.Context, games *sync.WaitGroup) error {
	mine, err := b.four.Tables.Mine(ctx)
	if err != nil {
		return err
	}
	for _, table := range mine {
		b.sit(ctx, table.ID, games)
	}
	for table, err := range b.four.Tables.Waiting(ctx, nil) {
		if err != nil {
			return err
		}
		if len(mine) >= b.most {
			return nil
		}
		joined, err := b.four.Tables.Join(ctx, table.ID)
		if p, refused := errors.AsType[*fourinarow.Problem](err); refused && p.Status/100 == 4 {
			continue // somebody else was faster
		} else if err != nil {
			return err
		}
		mine = append(mine, *joined)
		b.sit(ctx, joined.ID, games)
	}
	return nil
}

// sit plays at a table, unless it does already.
func (b *bot) sit(ctx context.Context, table fourinarow.UUID, games *sync.WaitGroup) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.playing[table] {
		return
	}
	b.playing[table] = true
	games.Go(func() {
		if err := b.play(ctx, table); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "a table was left alone", "table", table, "error", err)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.playing, table)
	})
}

// play plays game after game at a table until it closes.
func (b *bot) play(ctx context.Context, table fourinarow.UUID) error {
	leave := time.AfterFunc(patience, func() { _ = b.four.Tables.Leave(ctx, table) }) // else it stays, and is asked again
	defer leave.Stop()
	for game, err := range b.four.FollowTable(ctx, table) {
		if err != nil {
			return err
		}
		leave.Stop()
		switch {
		case game.Over():
			_, err = b.four.Tables.Rematch(ctx, game)
			leave.Reset(patience)
		case game.CanMove:
			_, err = b.four.Move(ctx, game, choose(game))
		}
		if p, refused := errors.AsType[*fourinarow.Problem](err); refused && p.Status/100 == 4 {
			continue // it went on meanwhile: the next state says how
		} else if err != nil {
			return err
		}
	}
	return nil
}
