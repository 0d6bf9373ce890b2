package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// keepSQLite fills a file and keeps it, tidied up.
func keepSQLite(ctx context.Context, path, out string) (err error) {
	directory, err := os.MkdirTemp("", "fourinarow-filldata-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	file, tidy := filepath.Join(directory, "fourinarow.db"), filepath.Join(directory, "tidy.db")
	r, err := program{path: path, database: "sqlite://" + file}.fill(ctx)
	if err != nil {
		return fmt.Errorf("fill SQLite: %w", err)
	}
	if err = execute(ctx, "sqlite", file, "VACUUM INTO '"+tidy+"'"); err != nil {
		return fmt.Errorf("keep SQLite: %w", err)
	}
	content, err := os.ReadFile(tidy) //nolint:gosec // ours
	if err != nil {
		return fmt.Errorf("keep SQLite: %w", err)
	}
	fmt.Println("SQLite:", summary(r))
	return errors.Join(kept.Pack(filepath.Join(out, kept.SQLite), content), r.Write(filepath.Join(out, kept.SQLiteAnswers)))
}

// filled is the database that is filled on the server, and dropped afterwards.
const filled = "filled_to_be_kept"

// strange are the lines of a dump that only psql, or only a newer server understands.
var strange = regexp.MustCompile(`(?m)^(\\.*|SET transaction_timeout.*|--.*)?\n`)

// keepPostgres fills a database on a server and keeps a dump of it.
func keepPostgres(ctx context.Context, path, server, out string) (err error) {
	if err = execute(ctx, "pgx", server, "CREATE DATABASE "+filled); err != nil {
		return fmt.Errorf("make a PostgreSQL database: %w", err)
	}
	defer func() {
		err = errors.Join(err, execute(context.WithoutCancel(ctx), "pgx", server, "DROP DATABASE "+filled+" WITH (FORCE)"))
	}()
	address, err := url.Parse(server)
	if err != nil {
		return err
	}
	address.Path = "/" + filled
	r, err := program{path: path, database: address.String()}.fill(ctx)
	if err != nil {
		return fmt.Errorf("fill PostgreSQL: %w", err)
	}
	dump, err := printedBy(ctx, "pg_dump", "--no-owner", "--no-privileges", "--rows-per-insert=100", "--dbname", address.String())
	if err != nil {
		return fmt.Errorf("keep PostgreSQL: %w", err)
	}
	fmt.Println("PostgreSQL:", summary(r))
	return errors.Join(kept.Pack(filepath.Join(out, kept.Postgres), strange.ReplaceAll(dump, nil)), r.Write(filepath.Join(out, kept.PostgresAnswers)))
}

// execute runs one statement on a database.
func execute(ctx context.Context, driver, name, statement string) (err error) {
	db, err := sql.Open(driver, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, statement)
	return err
}
