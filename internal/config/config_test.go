package config_test

import (
	"log/slog"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
)

func TestDefaults(t *testing.T) {
	t.Parallel()

	cfg, err := config.Load(nil)
	require.NoError(t, err)

	assert.Equal(t, "127.0.0.1:8080", cfg.Listen.String())
	assert.Empty(t, cfg.PublicURL)
	assert.Empty(t, cfg.Metrics, "metrics are off")
	assert.Empty(t, cfg.TrustedProxies, "nobody's forwarding headers count")
	assert.True(t, bool(cfg.RateLimit))
	assert.Equal(t, config.SQLite, cfg.Database.URL.Dialect())
	assert.Equal(t, "./fourinarow.db", cfg.Database.URL.Path())
	assert.Equal(t, 8, cfg.Database.Connections)
	assert.Equal(t, config.SynchronousFull, cfg.Database.SQLiteSynchronous)
	assert.Equal(t, config.Log{Format: config.LogText, Level: slog.LevelInfo}, cfg.Log)
	assert.Equal(t, config.Limits{
		TokenPerSecond: 20, TokenBurst: 60, MovesPerSecond: 5, InsightsPerSecond: 2, ExportsPerHour: 12, ExportsAtOnce: 4, ProfilesPerHour: 20, ProfilesPerNetworkPerHour: 100, ProfilesPerSecond: 50, GamesPerHour: 600, AnonymousPerSecond: 20, PreflightsPerSecond: 200, FailuresPerMinute: 60,
		WaitersPerTokenAndGame: 4, WaitersPerAddress: 10, WaitersPerProfile: 80, WaitersWithTokenPerAddress: 2000, WaitersTotal: 20000, WaitMaxSeconds: 30,
		ConnectionsTotal: 0, ConnectionsPerAddress: 256, OpenTablesPerProfile: 20, BodyBytes: 16384,
	}, cfg.Limits)
	assert.Equal(t, config.Server{
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 15 * time.Second,
		Compression: true, IdleTimeout: 2 * time.Minute, ShutdownTimeout: 4 * time.Second,
	}, cfg.Server)
	assert.Zero(t, cfg.Operator)
}

func TestEverySettingIsRead(t *testing.T) {
	t.Parallel()

	environ := []string{
		"LISTEN_ADDR=:9000", "PUBLIC_URL=https://play.example.org/four", "METRICS_ADDR=[::1]:9100", "ADMIN_LISTEN_ADDR=10.0.0.1:9200", "TRUSTED_PROXIES=10.0.0.0/8, 192.0.2.7",
		"RATE_LIMIT=off", "DATABASE_URL=postgres://four:secret@db:5432/games", "DATABASE_CONNECTIONS=3", "SQLITE_SYNCHRONOUS=normal",
		"LOG_FORMAT=json", "LOG_LEVEL=debug", "RATE_TOKEN_PER_SECOND=101", "RATE_TOKEN_BURST=102", "RATE_MOVES_PER_SECOND=103", "RATE_INSIGHTS_PER_SECOND=113",
		"RATE_EXPORTS_PER_HOUR=120", "EXPORTS_AT_ONCE=121", "RATE_PROFILES_PER_HOUR=104", "RATE_PROFILES_PER_NETWORK_PER_HOUR=122", "RATE_PROFILES_PER_SECOND=123", "RATE_GAMES_PER_HOUR=124", "RATE_ANONYMOUS_PER_SECOND=105", "RATE_PREFLIGHTS_PER_SECOND=125", "RATE_FAILURES_PER_MINUTE=106", "WAITERS_PER_TOKEN_AND_GAME=107",
		"WAITERS_PER_ADDRESS=108", "WAITERS_PER_PROFILE=118", "WAITERS_WITH_TOKEN_PER_ADDRESS=119", "WAITERS_TOTAL=109", "WAIT_MAX_SECONDS=110", "CONNECTIONS_TOTAL=126", "CONNECTIONS_PER_ADDRESS=127", "OPEN_TABLES_PER_PROFILE=111", "BODY_LIMIT_BYTES=1120",
		"READ_HEADER_TIMEOUT=1s", "READ_TIMEOUT=2s", "WRITE_TIMEOUT=3s", "COMPRESSION=off", "IDLE_TIMEOUT=4s", "SHUTDOWN_TIMEOUT=0s",
		"CPU_PACE=5s", "CPU_THINKERS=113",
		"OPERATOR_NAME=Клуб", "OPERATOR_CONTACT=mail@example.org", "RULES_REVIEWED_BY=Ola", "UNRELATED=1",
	}
	cfg, err := config.Load(environ)
	require.NoError(t, err)

	databaseURL, err := config.ParseDatabaseURL("postgres://four:secret@db:5432/games")
	require.NoError(t, err)
	assert.Equal(t, config.Config{
		Listen: ":9000", PublicURL: "https://play.example.org/four", Metrics: "[::1]:9100", Admin: "10.0.0.1:9200",
		TrustedProxies: config.Prefixes{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32")},
		RateLimit:      false,
		Database:       config.Database{URL: databaseURL, Connections: 3, SQLiteSynchronous: config.SynchronousNormal},
		CPU:            config.CPU{Pace: 5 * time.Second, Thinkers: 113},
		Log:            config.Log{Format: config.LogJSON, Level: slog.LevelDebug},
		Limits: config.Limits{
			TokenPerSecond: 101, TokenBurst: 102, MovesPerSecond: 103, InsightsPerSecond: 113, ExportsPerHour: 120, ExportsAtOnce: 121, ProfilesPerHour: 104, ProfilesPerNetworkPerHour: 122, ProfilesPerSecond: 123, GamesPerHour: 124, AnonymousPerSecond: 105, PreflightsPerSecond: 125, FailuresPerMinute: 106,
			WaitersPerTokenAndGame: 107, WaitersPerAddress: 108, WaitersPerProfile: 118, WaitersWithTokenPerAddress: 119, WaitersTotal: 109, WaitMaxSeconds: 110,
			ConnectionsTotal: 126, ConnectionsPerAddress: 127, OpenTablesPerProfile: 111, BodyBytes: 1120,
		},
		Server: config.Server{
			ReadHeaderTimeout: time.Second, ReadTimeout: 2 * time.Second, WriteTimeout: 3 * time.Second,
			Compression: false, IdleTimeout: 4 * time.Second, ShutdownTimeout: 0,
		},
		Operator: config.Operator{Name: "Клуб", Contact: "mail@example.org", RulesReviewedBy: "Ola"},
	}, cfg)

	for _, name := range variables(reflect.TypeFor[config.Config]()) {
		assert.Condition(t, func() bool {
			for _, assignment := range environ {
				if strings.HasPrefix(assignment, name+"=") {
					return true
				}
			}
			return false
		}, "this test doesn't set %s", name)
	}
}

func TestAnEmptyVariableCountsAsNotSet(t *testing.T) {
	t.Parallel()

	cfg, err := config.Load([]string{"LISTEN_ADDR=", "RATE_LIMIT=", "WAITERS_TOTAL=", "DATABASE_URL=", "PUBLIC_URL="})
	require.NoError(t, err)
	byDefault, err := config.Load(nil)
	require.NoError(t, err)
	assert.Equal(t, byDefault, cfg)
}

func TestAWrongValueIsNamedWithWhatIsAllowed(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ given, want string }{
		{"RATE_TOKEN_BURST=many", `RATE_TOKEN_BURST="many": want a whole number from 1 to 1000000 (requests)`},
		{"RATE_TOKEN_BURST=0", `RATE_TOKEN_BURST="0": want a whole number from 1 to 1000000 (requests)`},
		{"RATE_TOKEN_BURST=1.5", `RATE_TOKEN_BURST="1.5": want a whole number from 1 to 1000000 (requests)`},
		{"BODY_LIMIT_BYTES=1048577", `BODY_LIMIT_BYTES="1048577": want a whole number from 1024 to 1048576 (bytes)`},
		{"WAITERS_TOTAL=99999999999999999999", `WAITERS_TOTAL="99999999999999999999": want a whole number from 1 to 1000000 (requests)`},
		{"SHUTDOWN_TIMEOUT=4", `SHUTDOWN_TIMEOUT="4": want a duration from 0s to 5m, like 1m30s`},
		{"READ_TIMEOUT=-1s", `READ_TIMEOUT="-1s": want a duration from 100ms to 5m, like 1m30s`},
		{"RATE_LIMIT=false", `RATE_LIMIT="false": want on or off`},
		{"LOG_FORMAT=xml", `LOG_FORMAT="xml": want text or json`},
		{"LOG_LEVEL=info+2", `LOG_LEVEL="info+2": want debug or info or warn or error`},
		{"SQLITE_SYNCHRONOUS=off", `SQLITE_SYNCHRONOUS="off": want full or normal`},
		{"LISTEN_ADDR=8080", `LISTEN_ADDR="8080": want host:port, like 127.0.0.1:8080 or :8080`},
		{"LISTEN_ADDR=localhost:65536", `LISTEN_ADDR="localhost:65536": the port is not a number from 0 to 65535`},
		{"METRICS_ADDR=a b:1", `METRICS_ADDR="a b:1": the host is neither a name nor an IP address`},
		{"TRUSTED_PROXIES=10.0.0.0/8,10.0.0.0/33", `TRUSTED_PROXIES="10.0.0.0/8,10.0.0.0/33": "10.0.0.0/33" is not a network; want networks like 10.0.0.0/8,fd00::/8`},
		{"TRUSTED_PROXIES=proxy", `TRUSTED_PROXIES="proxy": "proxy" is not a network; want networks like 10.0.0.0/8,fd00::/8`},
		{"TRUSTED_PROXIES=::ffff:10.0.0.0/104", `TRUSTED_PROXIES="::ffff:10.0.0.0/104": "::ffff:10.0.0.0/104" is an IPv4 network in IPv6 form; want networks like 10.0.0.0/8,fd00::/8`},
		{"PUBLIC_URL=play.example.org", `PUBLIC_URL="play.example.org": it begins with neither http:// nor https://; want an absolute URL like https://play.example.org`},
		{"PUBLIC_URL=https://play.example.org/", `PUBLIC_URL: it ends with a slash; want an absolute URL like https://play.example.org`},
		{"PUBLIC_URL=https://", `PUBLIC_URL: it names no host; want an absolute URL like https://play.example.org`},
		{"PUBLIC_URL=https://a.org?x=1", `PUBLIC_URL: it holds a query or a fragment; want an absolute URL like https://play.example.org`},
		{"PUBLIC_URL=https://u:hunter2@a.org", `PUBLIC_URL: it holds a user; want an absolute URL like https://play.example.org`},
		{"OPERATOR_NAME=a\nb", `OPERATOR_NAME="a\nb": want one line of at most 200 characters`},
		{"OPERATOR_CONTACT=" + strings.Repeat("ж", 201), `OPERATOR_CONTACT="` + strings.Repeat("ж", 60) + `…": want one line of at most 200 characters`},
		{"DATABASE_URL=mysql://four:hunter2@db/games", `DATABASE_URL: it begins with neither sqlite:// nor postgres://; want sqlite://path of a file, or postgres://user:password@host:port/database`},
	} {
		t.Run(tc.given, func(t *testing.T) {
			t.Parallel()
			cfg, err := config.Load([]string{tc.given})
			require.EqualError(t, err, tc.want)
			assert.Zero(t, cfg)
		})
	}
}

func TestAllWrongValuesAreReportedAtOnce(t *testing.T) {
	t.Parallel()

	_, err := config.Load([]string{"WAITERS_TOTAL=x", "LISTEN_ADDR=y", "LOG_LEVEL=z", "IDLE_TIMEOUT=5m"})
	require.EqualError(t, err, strings.Join([]string{
		`LISTEN_ADDR="y": want host:port, like 127.0.0.1:8080 or :8080`,
		`LOG_LEVEL="z": want debug or info or warn or error`,
		`WAITERS_TOTAL="x": want a whole number from 1 to 1000000 (requests)`,
	}, "\n"))
}

func TestAPasswordUnderAnotherNameIsNotRepeated(t *testing.T) {
	t.Parallel()

	for _, name := range variables(reflect.TypeFor[config.Config]()) {
		for _, value := range []string{"postgres://four:hunter2@db/games?\x00", "four:hunter2@db/games\n"} {
			cfg, err := config.Load([]string{name + "=" + value})
			require.Error(t, err, name)
			assert.Contains(t, err.Error(), name)
			assert.NotContains(t, err.Error(), "hunter2")
			assert.Zero(t, cfg)
		}
	}
}

// variables lists the environment variables of a struct of settings.
func variables(of reflect.Type) []string {
	var names []string
	eachSetting(of, func(field reflect.StructField) { names = append(names, field.Tag.Get("env")) })
	return names
}
