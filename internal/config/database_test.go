package config_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
)

func TestDatabaseURL(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		text     string
		dialect  config.Dialect
		path     string
		redacted string
	}{
		{"sqlite://./fourinarow.db", config.SQLite, "./fourinarow.db", "sqlite://./fourinarow.db"},
		{"sqlite://games.db", config.SQLite, "games.db", "sqlite://games.db"},
		{"sqlite:///var/lib/four in a row/g.db", config.SQLite, "/var/lib/four in a row/g.db", "sqlite:///var/lib/four in a row/g.db"},
		{"postgres://db/games", config.Postgres, "", "postgres://db/games"},
		{"postgresql://four@db:5433/games?sslmode=disable", config.Postgres, "", "postgresql://four@db:5433/games"},
		{"postgres://four:hunter2@db/games?sslpassword=hunter2#hunter2", config.Postgres, "", "postgres://four:xxxxx@db/games"},
		{"postgres:///games?host=/run/postgresql&password=hunter2", config.Postgres, "", "postgres:///games"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			t.Parallel()
			u, err := config.ParseDatabaseURL(tc.text)
			require.NoError(t, err)
			assert.Equal(t, tc.dialect, u.Dialect())
			assert.Equal(t, tc.path, u.Path())
			assert.Equal(t, tc.text, u.DSN())
			assert.Equal(t, tc.redacted, u.Redacted())
		})
	}
}

func TestAWrongDatabaseURLIsRefusedWithoutRepeatingIt(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ text, problem string }{
		{"", "begins with neither"},
		{"hunter2.db", "begins with neither"},
		{"file:hunter2.db", "begins with neither"},
		{"sqlite://", "names no file"},
		{"sqlite:///var/hunter2/", "names no file"},
		{"sqlite://:memory:", "in memory"},
		{"sqlite://hunter2.db?_pragma=synchronous(0)", "holds ?"},
		{"postgres://four:hunter2%zz@db/games", "not a valid URL"},
		{"postgres://four:hunter2@db:port/games", "not a valid URL"},
		{"postgres://four:hunter2@/games", "names no host"},
		{"postgres://four:hunter2@db", "names no database"},
		{"postgres://four:hunter2@db/", "names no database"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			t.Parallel()
			_, err := config.ParseDatabaseURL(tc.text)
			require.ErrorContains(t, err, tc.problem)
			require.ErrorContains(t, err, "want sqlite://path")
			assert.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestAPasswordIsNeverPrinted(t *testing.T) {
	t.Parallel()

	cfg, err := config.Load([]string{"DATABASE_URL=postgres://four:hunter2@db/games?password=hunter2"})
	require.NoError(t, err)

	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("started", "config", cfg, "database", cfg.Database.URL)
	asJSON, err := json.Marshal(cfg)
	require.NoError(t, err)

	for _, printed := range []string{
		fmt.Sprint(cfg), fmt.Sprintf("%+v", cfg), fmt.Sprintf("%#v", cfg), fmt.Sprintf("%s %q", cfg.Database.URL, &cfg.Database.URL),
		log.String(), string(asJSON),
	} {
		assert.Contains(t, printed, "postgres://four:xxxxx@db/games")
		assert.NotContains(t, printed, "hunter2")
	}
}
