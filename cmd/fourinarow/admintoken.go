package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
)

// adminToken hands out, lists or revokes the tokens of admins. It works beside a service that runs.
func (p program) adminToken(ctx context.Context, args []string) int {
	type command func(context.Context, program, *service.Admins) error
	var run command
	switch {
	case len(args) == 1 && args[0] == "list":
		run = listAdmins
	case len(args) == 2 && (args[0] == "create" || args[0] == "revoke"):
		name, err := admin.ParseName(args[1])
		if err != nil {
			return p.misused("%v", err)
		}
		run = createAdmin(name)
		if args[0] == "revoke" {
			run = revokeAdmin(name)
		}
	default:
		return p.misused("admin-token wants create NAME, list or revoke NAME")
	}
	return p.configured(ctx, func(ctx context.Context, p program, cfg config.Config) (err error) {
		db, err := openStore(ctx, cfg, newLogger(p.stderr, cfg.Log))
		if err != nil {
			return err
		}
		defer func() { err = joinClose(err, db) }()
		c := &clock{}
		ahead, err := db.ClockOffset(ctx, cfg.Database.URL, time.Now)
		if err != nil {
			return fmt.Errorf("ask the database for the time: %w", err)
		}
		c.ahead.Store(int64(ahead))
		return run(ctx, p, service.NewAdmins(db, c.now, rand.Reader))
	})
}

// createAdmin prints a new token, alone on its line; what else there is to say goes to standard error. A token that can't
// be printed is withdrawn, since nobody will ever see it.
func createAdmin(name admin.Name) func(context.Context, program, *service.Admins) error {
	return func(ctx context.Context, p program, admins *service.Admins) error {
		signal.Ignore(syscall.SIGPIPE) // when nobody reads, printing fails instead of ending the process
		err := admins.Create(ctx, name, func(token admin.Token) error {
			fmt.Fprintf(p.stderr, "The token of %s follows. It is shown this once; only its hash is kept.\n", name)
			if _, err := fmt.Fprintln(p.stdout, string(token)); err != nil {
				return fmt.Errorf("print the token, which is withdrawn: %w", err)
			}
			return nil
		})
		if errors.Is(err, service.ErrNameTaken) {
			return fmt.Errorf("there is or was a token of %s already; take another name, since the audit log tells admins apart by it", name)
		}
		return err
	}
}

func revokeAdmin(name admin.Name) func(context.Context, program, *service.Admins) error {
	return func(ctx context.Context, p program, admins *service.Admins) error {
		err := admins.Revoke(ctx, name)
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("%s has no token that works; `fourinarow admin-token list` shows who has", name)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "The token of %s opens nothing any more.\n", name)
		return nil
	}
}

func listAdmins(ctx context.Context, p program, admins *service.Admins) error {
	all, err := admins.List(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tCREATED\tREVOKED")
	for _, a := range all {
		revoked := "-"
		if !a.Revoked.IsZero() {
			revoked = a.Revoked.Format(time.RFC3339)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", a.Name, a.Created.Format(time.RFC3339), revoked)
	}
	if err = table.Flush(); err != nil {
		return fmt.Errorf("print the list: %w", err)
	}
	return nil
}
