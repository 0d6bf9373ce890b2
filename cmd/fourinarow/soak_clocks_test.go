//go:build soak

package main_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/soak"
)

// quietFor is how long nothing happens while the work is measured.
const quietFor = 30 * time.Second

// Clocks that run cost next to nothing until they have run out; then many of them are served at once. The targets are
// 5 % of a core for the service and its database while nothing happens, and two seconds for a thousand clocks.
func TestSoakQuietClocks(t *testing.T) {
	database := testkit.Postgres(t)
	around := database.SQL(t)
	at := replicas(t, database.Config.URL.DSN(), "WAIT_MAX_SECONDS=600")
	guests := at[0].guests(t, 2*soak.Scaled(t, 5000))
	leave := waitFor(t, running(t, at[0], around, guests), 1, func(game int) *replica { return at[game%2] })
	defer leave()
	require.Eventually(t, func() bool {
		return at[0].metric(t, "fourinarow_waiting_requests")+at[1].metric(t, "fourinarow_waiting_requests") == float64(len(guests)/2)
	}, 2*time.Minute, 100*time.Millisecond)
	pause(t, 10*time.Second) // who has just come is written down

	postgres := serverOf(t, around)
	services := []int{at[0].running.Load().cmd.Process.Pid, at[1].running.Load().cmd.Process.Pid}
	servicesBefore, databaseBefore := cpuOf(t, services...), cpuOf(t, append(childrenOf(t, postgres), postgres)...)
	began := time.Now()
	pause(t, quietFor)
	took := time.Since(began)
	service, base := cpuOf(t, services...)-servicesBefore, cpuOf(t, append(childrenOf(t, postgres), postgres)...)-databaseBefore
	t.Logf("%d running games, one owner of each waiting, nothing else: two services %.1f %%, the database %.1f %% of a core",
		len(guests)/2, share(service, took), share(base, took))
	var touched int
	require.NoError(t, around.QueryRowContext(t.Context(), `SELECT count(*) FROM games WHERE moves <> '' OR timed_out OR red_presence + yellow_presence > 0`).Scan(&touched))
	assert.Zero(t, touched, "games in which something happened")

	due := soak.Scaled(t, 1000)
	runOut(t, around, due)
	require.Eventually(t, func() bool { return servedOf(t, around).games >= due }, time.Minute, 100*time.Millisecond)
	s := servedOf(t, around)
	assert.Equal(t, due, s.games, "the clocks of the others run on")
	assert.Equal(t, due, s.once, "one disc each, the CPU's")
	t.Logf("%d clocks ran out in one second: the CPU's disc fell at most %v after the deadline, half of them within %v",
		due, s.slowest.Round(time.Millisecond), s.middle.Round(time.Millisecond))
}

// running opens games with clocks of 30 s. So that nothing falls due while they are set up and measured, they are as
// if each turn had ten minutes left, and as if owners who don't wait had been seen that late.
func running(t *testing.T, r *replica, around *sql.DB, guests []guest) []pair {
	t.Helper()
	l, games := newLine(atOnce), make([]pair, len(guests)/2)
	inParallel(t, len(games), func(i int) (err error) {
		games[i], err = l.pair(t.Context(), r.base(), `{"visibility":"public","settings":{"move_time_limit_seconds":30}}`, [2]guest{guests[2*i], guests[2*i+1]})
		if err != nil || i%500 != 499 {
			return err
		}
		return hold(t, around)
	})
	pause(t, 7*time.Second) // owners who were seen are written down, and then held
	require.NoError(t, hold(t, around))
	return games
}

func hold(t *testing.T, around *sql.DB) error {
	t.Helper()
	for _, statement := range []string{
		`UPDATE games SET deadline = turn_started + 600000000 WHERE deadline < turn_started + 600000000`,
		`UPDATE game_timers SET due = games.deadline FROM games WHERE games.id = game_id AND due < games.deadline`,
		`INSERT INTO seat_presence (table_id, seat, last_seen, said_away)
SELECT table_id, seat, started + 600000000, false FROM games, (VALUES (1), (2)) AS seats (seat)
ON CONFLICT (table_id, seat) DO UPDATE SET last_seen = excluded.last_seen WHERE seat_presence.last_seen < excluded.last_seen`,
	} {
		if _, err := around.ExecContext(t.Context(), statement); err != nil {
			return err
		}
	}
	return nil
}

// runOut lets the clocks of some games run out within one second, three seconds from now.
func runOut(t *testing.T, around *sql.DB, number int) {
	t.Helper()
	_, err := around.ExecContext(t.Context(), `WITH due AS (
	UPDATE games SET deadline = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 3000000 + n * 1000000 / $1
	FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM games LIMIT $1) AS chosen WHERE games.id = chosen.id
	RETURNING games.id, games.deadline)
UPDATE game_timers SET due = due.deadline + 250001, seq = seq + 1 FROM due WHERE game_id = due.id`, number)
	require.NoError(t, err)
	_, err = around.ExecContext(t.Context(), `CREATE TABLE ran_out AS SELECT id, deadline FROM games WHERE deadline < turn_started + 600000000`)
	require.NoError(t, err)
}

// served is what became of clocks that ran out.
type served struct {
	games, once     int
	slowest, middle time.Duration
}

func servedOf(t *testing.T, around *sql.DB) served {
	t.Helper()
	var s served
	var slowest, middle float64
	require.NoError(t, around.QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE length(moves) = 1 AND movers = 'c'),
	coalesce(max(turn_started - ran_out.deadline), 0), coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY turn_started - ran_out.deadline), 0)
FROM games JOIN ran_out USING (id) WHERE moves <> ''`).Scan(&s.games, &s.once, &slowest, &middle))
	s.slowest, s.middle = time.Duration(slowest)*time.Microsecond, time.Duration(middle)*time.Microsecond
	return s
}

// serverOf is the first process of a PostgreSQL server on this machine.
func serverOf(t *testing.T, around *sql.DB) int {
	t.Helper()
	var pid int
	require.NoError(t, around.QueryRowContext(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid))
	return number(t, statOf(t, pid)[1])
}

// childrenOf lists the processes that one has started.
func childrenOf(t *testing.T, parent int) []int {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(t, err)
	var children []int
	for _, path := range found {
		pid := number(t, filepath.Base(path))
		if stat := statOf(t, pid); len(stat) > 1 && stat[1] == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children
}

// statOf is what Linux knows of a process after its name; nothing when it has ended.
func statOf(t *testing.T, pid int) []string {
	t.Helper()
	content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(content[strings.LastIndexByte(string(content), ')'):]), " ")
	return strings.Fields(rest)
}

// cpuOf is the time that processes, and those they have started and outlived, have spent on a core.
func cpuOf(t *testing.T, pids ...int) time.Duration {
	t.Helper()
	const tick = 10 * time.Millisecond
	ticks := 0
	for _, pid := range pids {
		if stat := statOf(t, pid); len(stat) > 14 {
			for _, field := range stat[11:15] { // in the process, for it in the kernel, and both of its children
				ticks += number(t, field)
			}
		}
	}
	return time.Duration(ticks) * tick
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func share(spent, of time.Duration) float64 { return 100 * spent.Seconds() / of.Seconds() }
