package store_test

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// forgetting says what becomes of the tables of somebody who leaves for good.
func forgetting(db *testkit.Database, who profile.ID) func(table.Table) (service.TableChange, error) {
	return func(t table.Table) (service.TableChange, error) {
		seat, after := t.SeatOf(who), t.Forget(who, db.Clock.Now())
		return service.TableChange{
			Table: after, Game: after.Game, Presence: &service.PresenceSaid{Seat: seat, Away: true, At: db.Clock.Now()},
		}, nil
	}
}

// deleted deletes a profile.
func deleted(tb testing.TB, db *testkit.Database, who profile.ID) service.Deletion {
	tb.Helper()
	gone, err := db.Store.DeleteProfile(tb.Context(), who, db.Clock.Now(), forgetting(db, who))
	require.NoError(tb, err)
	return gone
}

// erased takes the names of deleted profiles off everything.
func erased(tb testing.TB, db *testkit.Database) {
	tb.Helper()
	for more := true; more; {
		step, err := db.Store.Erase(tb.Context())
		require.NoError(tb, err)
		more = step.More
	}
}

// dump is everything in a database as bytes: an SQLite file with its log of writes, or all rows of PostgreSQL as text.
func dump(tb testing.TB, db *testkit.Database) []byte {
	tb.Helper()
	var all bytes.Buffer
	if isSQLite(db) {
		for _, end := range []string{"", "-wal"} {
			content, err := os.ReadFile(db.Config.URL.Path() + end)
			if !errors.Is(err, fs.ErrNotExist) {
				require.NoError(tb, err)
			}
			all.Write(content)
		}
		return all.Bytes()
	}
	around := db.SQL(tb)
	for name := range readSchema(tb, db) {
		lines, err := around.QueryContext(tb.Context(), "SELECT CAST(t AS text) FROM "+name+" t")
		require.NoError(tb, err)
		copyLines(tb, &all, lines)
	}
	return all.Bytes()
}

func copyLines(tb testing.TB, into *bytes.Buffer, lines *sql.Rows) {
	tb.Helper()
	for lines.Next() {
		var line string
		require.NoError(tb, lines.Scan(&line))
		into.WriteString(line + "\n")
	}
	require.NoError(tb, errors.Join(lines.Err(), lines.Close()))
}

// stranded is a player whose traces are looked for.
type stranded struct {
	profile profile.Profile
	secrets [3][]byte // its name, and the hashes of its token and of a code
}

// strand makes a player with a code.
func strand(tb testing.TB, db *testkit.Database, nr int) stranded {
	tb.Helper()
	p, d := stranger(tb, db, profile.Name(fmt.Sprintf("Somebody nr %d!", nr)))
	p.Locale = "pl"
	require.NoError(tb, db.Store.OpenProfile(tb.Context(), p, d))
	code := storedCode(tb, db, p.ID)
	return stranded{profile: p, secrets: [3][]byte{[]byte(p.Name), d.Hash[:], code[:]}}
}

// traces counts what is left of a player in a dump.
func (s stranded) traces(content []byte) (found int) {
	for _, secret := range s.secrets {
		if bytes.Contains(content, secret) || bytes.Contains(content, []byte(hex.EncodeToString(secret))) {
			found++
		}
	}
	return found
}

// There are many players, so that pages of an SQLite file are split and their rows move about.
func (conformance) TestNothingTellsWhoADeletedPlayerWas(t *testing.T, db *testkit.Database) {
	const players, leave = 240, 24
	guests := make([]stranded, players)
	for i := range guests {
		guests[i] = strand(t, db, i)
	}
	for i := 1; i < players; i += 2 {
		room := taken(t, db, waiting(t, db, guests[i-1].profile, table.Public), guests[i].profile)
		if i%4 == 1 {
			ended(t, db, *room.Game, resigned(t, db, *room.Game))
		}
		waiting(t, db, guests[i].profile, table.Private)
	}
	require.Equal(t, 3, guests[0].traces(dump(t, db)), "the test sees what is there")
	for i := range leave {
		require.Len(t, deleted(t, db, guests[i*7].profile.ID).Devices, 1)
	}
	erased(t, db)
	content := dump(t, db)
	for i := range leave {
		assert.Zero(t, guests[i*7].traces(content), "%d", i)
	}
	assert.Equal(t, 3, guests[players-1].traces(content), "everybody else is as before")
}

func (conformance) TestADeletedProfileIsNoMore(t *testing.T, db *testkit.Database) {
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	named := newTable(t, db, p, table.Public)
	named.ClientRef, named.ClientRequest = newID(t), "anything"
	room := opened(t, db, named)
	gone := deleted(t, db, p.ID)
	require.Len(t, gone.Tables, 1)
	assert.Equal(t, table.ProfileDeleted, gone.Tables[0].Reason)

	_, err := db.Store.Profile(t.Context(), p.ID)
	requireFault(t, err, fault.NotFound)
	_, err = db.Store.HolderOf(t.Context(), d.Hash)
	requireFault(t, err, fault.NoToken)
	name := profile.Name("Ola")
	_, err = db.Store.ChangeProfile(t.Context(), p.ID, profile.Change{Name: &name})
	requireFault(t, err, fault.NotFound)
	_, err = db.Store.OpenTable(t.Context(), newTable(t, db, p, table.Public), noTimer, plenty, db.Clock.Now())
	requireFault(t, err, fault.NoToken)
	err = db.Store.AddDeviceCode(t.Context(), service.DeviceCode{Profile: p.ID, Expires: db.Clock.Now().Add(time.Minute)})
	requireFault(t, err, fault.NoToken)
	_, err = db.Store.DeleteProfile(t.Context(), p.ID, db.Clock.Now(), forgetting(db, p.ID))
	requireFault(t, err, fault.NoToken)
	closed, err := db.Store.Table(t.Context(), room.ID)
	require.NoError(t, err)
	assert.Equal(t, game.NoSeat, closed.SeatOf(p.ID))
	assert.Empty(t, closed.ClientRef)
	assert.Empty(t, closed.ClientRequest)
	erased(t, db)
	var presences int
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM seat_presence").Scan(&presences))
	assert.Zero(t, presences, "nor when it was there")
}

// Everybody plays with everybody, and all leave at once.
func (conformance) TestManyLeaveForGoodAtOnce(t *testing.T, db *testkit.Database) {
	guests := make([]profile.Profile, 5)
	for i := range guests {
		guests[i] = guest(t, db, "Ola")
	}
	settings := defaults()
	settings.CPUCover = false
	rooms := []table.Table{}
	for i, host := range guests {
		for _, other := range guests[i+1:] {
			rooms = append(rooms, taken(t, db, opened(t, db, newTable(t, db, host, table.Public, settings)), other))
		}
	}
	for _, err := range race(len(guests), func(i int) error {
		_, err := db.Store.DeleteProfile(t.Context(), guests[i].ID, db.Clock.Now(), forgetting(db, guests[i].ID))
		return err
	}) {
		require.NoError(t, err)
	}
	for _, room := range rooms {
		after, err := db.Store.Table(t.Context(), room.ID)
		require.NoError(t, err)
		assert.Equal(t, table.ProfileDeleted, after.Reason)
		assert.Equal(t, 1, after.Score.Games, "resigned once, by whoever was first")
	}
}
