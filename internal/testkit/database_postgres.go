package testkit

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/migrations"
)

// content is what a new database holds.
type content int

const (
	empty content = iota
	migrated
)

// server is where the tests of this process have their databases.
var server = sync.OnceValues(func() (*postgresServer, error) {
	url := os.Getenv("TEST_DATABASE_URL")
	if url == "" {
		return nil, errors.New("this test needs PostgreSQL: run it by `make test`, which starts one, or set TEST_DATABASE_URL")
	}
	admin, err := sql.Open("pgx", url)
	if err != nil {
		return nil, fmt.Errorf("open TEST_DATABASE_URL: %w", err)
	}
	admin.SetMaxOpenConns(2)
	s := &postgresServer{url: url, admin: admin, template: ""}
	return s, s.makeTemplate(context.Background())
})

type postgresServer struct {
	url      string
	admin    *sql.DB
	template string // a migrated database that nobody connects to
}

// postgresDatabase makes a database and returns its URL. It is dropped when the test ends.
func postgresDatabase(tb testing.TB, c content) string {
	tb.Helper()
	s, err := server()
	require.NoError(tb, err)
	name := "test_" + strings.ToLower(rand.Text())
	template := "template1"
	if c == migrated {
		template = s.template
	}
	_, err = s.admin.ExecContext(tb.Context(), "CREATE DATABASE "+name+" TEMPLATE "+template)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		_, err := s.admin.ExecContext(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(tb, err)
	})
	return s.database(name)
}

// database is the URL of another database on the server.
func (s *postgresServer) database(name string) string {
	parsed, err := url.Parse(s.url)
	if err != nil { // sql.Open has read it
		return s.url
	}
	parsed.Path = "/" + name
	return parsed.String()
}

// templateLock is the advisory lock under which the template is made: several test processes may begin at once.
const templateLock = 4_412_042

// makeTemplate makes the template of this schema unless the server has it. It gets its name when it is complete.
func (s *postgresServer) makeTemplate(ctx context.Context) (err error) {
	mark, err := schemaMark()
	if err != nil {
		return err
	}
	s.template = fmt.Sprintf("template_%08x", mark)
	building := s.template + "_building"

	conn, err := s.admin.Conn(ctx)
	if err != nil {
		return fmt.Errorf("reach TEST_DATABASE_URL: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err = conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return fmt.Errorf("lock the template: %w", err)
	}
	defer func() {
		_, unlocked := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", templateLock)
		err = errors.Join(err, unlocked)
	}()

	var there bool
	if err = conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", s.template).Scan(&there); err != nil || there {
		return err
	}
	for _, step := range []func() error{
		func() error { return run(ctx, conn, "DROP DATABASE IF EXISTS "+building+" WITH (FORCE)") },
		func() error { return run(ctx, conn, "CREATE DATABASE "+building) },
		func() error { return migrate(s.database(building)) },
		func() error { return run(ctx, conn, "ALTER DATABASE "+building+" RENAME TO "+s.template) },
	} {
		if err = step(); err != nil {
			return fmt.Errorf("make the template database: %w", err)
		}
	}
	return nil
}

func run(ctx context.Context, conn *sql.Conn, statement string) error {
	_, err := conn.ExecContext(ctx, statement)
	return err
}

// schemaMark tells one set of migrations from another, for a server that outlives a change of them.
func schemaMark() (uint32, error) {
	sum := crc32.NewIEEE()
	err := fs.WalkDir(migrations.Files, "postgres", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.Files, path)
		_, _ = sum.Write(append([]byte(path), text...)) // it never fails
		return err
	})
	return sum.Sum32(), err
}
