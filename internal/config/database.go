package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// Dialect is a kind of database.
type Dialect string

// The values of Dialect.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

const (
	sqlitePrefix    = "sqlite://"
	wantDatabaseURL = "want sqlite://path of a file, or postgres://user:password@host:port/database"
)

// DatabaseURL says where the database is. It may hold a password, so it prints, logs and marshals as Redacted does;
// only DSN gives the whole.
type DatabaseURL struct {
	dialect  Dialect
	whole    string // as given
	redacted string
}

// ParseDatabaseURL reads sqlite://path (a file, relative to the working directory or, with a third slash, absolute) or
// a postgres:// URL. Its errors say nothing of the text they are about.
func ParseDatabaseURL(text string) (DatabaseURL, error) {
	if path, isSQLite := strings.CutPrefix(text, sqlitePrefix); isSQLite {
		return sqliteURL(text, path)
	}
	if strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://") {
		return postgresURL(text)
	}
	return DatabaseURL{}, errors.New("it begins with neither sqlite:// nor postgres://; " + wantDatabaseURL)
}

func sqliteURL(text, path string) (DatabaseURL, error) {
	switch {
	case path == "" || strings.HasSuffix(path, "/"):
		return DatabaseURL{}, errors.New("it names no file; " + wantDatabaseURL)
	case strings.ContainsAny(path, "?#\x00"):
		return DatabaseURL{}, errors.New("the path holds ?, # or NUL; " + wantDatabaseURL)
	case strings.Contains(path, ":memory:"):
		return DatabaseURL{}, errors.New("a database in memory is lost with its first connection; " + wantDatabaseURL)
	}
	return DatabaseURL{dialect: SQLite, whole: text, redacted: text}, nil
}

func postgresURL(text string) (DatabaseURL, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		// The parser's own words repeat the text, and with it the password.
		return DatabaseURL{}, errors.New("it is not a valid URL (mind characters in the password that need %-encoding); " + wantDatabaseURL)
	}
	query := parsed.Query()
	switch {
	case parsed.Host == "" && query.Get("host") == "":
		return DatabaseURL{}, errors.New("it names no host; " + wantDatabaseURL)
	case strings.Trim(parsed.Path, "/") == "" && query.Get("dbname") == "" && query.Get("database") == "":
		return DatabaseURL{}, errors.New("it names no database; " + wantDatabaseURL)
	}
	// What isn't known to be harmless isn't shown: drivers take passwords in the query too.
	parsed.RawQuery, parsed.Fragment = "", ""
	return DatabaseURL{dialect: Postgres, whole: text, redacted: parsed.Redacted()}, nil
}

// UnmarshalText is ParseDatabaseURL.
func (u *DatabaseURL) UnmarshalText(text []byte) error {
	parsed, err := ParseDatabaseURL(string(text))
	if err != nil {
		return err
	}
	*u = parsed
	return nil
}

// Dialect is the kind of database that the URL leads to.
func (u DatabaseURL) Dialect() Dialect { return u.dialect }

// Path is the file of an SQLite database; empty for another dialect.
func (u DatabaseURL) Path() string {
	if u.dialect != SQLite {
		return ""
	}
	return strings.TrimPrefix(u.whole, sqlitePrefix)
}

// DSN is the whole URL as given, password included: for the driver and nobody else.
func (u DatabaseURL) DSN() string { return u.whole }

// Redacted is the URL for people: without password and query.
func (u DatabaseURL) Redacted() string { return u.redacted }

// String is Redacted.
func (u DatabaseURL) String() string { return u.redacted }

// GoString is Redacted, as %#v shows it.
func (u DatabaseURL) GoString() string { return fmt.Sprintf("config.DatabaseURL(%q)", u.redacted) }

// LogValue is Redacted.
func (u DatabaseURL) LogValue() slog.Value { return slog.StringValue(u.redacted) }

// MarshalText is Redacted; it can't be read back when there was a password.
func (u DatabaseURL) MarshalText() ([]byte, error) { return []byte(u.redacted), nil }
