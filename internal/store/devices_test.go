package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// storedCode stores a code of a profile that is good for ten minutes.
func storedCode(tb testing.TB, db *testkit.Database, of profile.ID) profile.CodeHash {
	tb.Helper()
	hash := profile.DeviceCode(newID(tb)).Hash()
	devices, err := db.Store.Devices(tb.Context(), of)
	require.NoError(tb, err)
	require.NotEmpty(tb, devices)
	code := service.DeviceCode{Hash: hash, Profile: of, By: devices[0].ID, Expires: db.Clock.Now().Add(10 * time.Minute)}
	require.NoError(tb, db.Store.AddDeviceCode(tb.Context(), code))
	return hash
}

func (conformance) TestOfManyWhoUseACodeAtOnceOneIsLetIn(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	code := storedCode(t, db, p.ID)
	devices := make([]profile.Device, 10)
	for i := range devices {
		_, devices[i] = stranger(t, db, "Ola")
	}
	refused := 0
	for _, err := range race(len(devices), func(i int) error {
		_, err := db.Store.UseDeviceCode(t.Context(), code, devices[i])
		return err
	}) {
		if err != nil {
			requireFault(t, err, fault.CodeExpired)
			refused++
		}
	}
	assert.Equal(t, 9, refused)
	found, err := db.Store.Devices(t.Context(), p.ID)
	require.NoError(t, err)
	assert.Len(t, found, 2)
}

func (conformance) TestADeviceComesBackWhole(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	_, want := stranger(t, db, "Ola")
	want.Name, want.Seen = "李雷's phone", profile.Hour(db.Clock.Now())
	owner, err := db.Store.UseDeviceCode(t.Context(), storedCode(t, db, p.ID), want)
	require.NoError(t, err)
	assert.Equal(t, p, owner)
	want.Profile = p.ID
	got, err := db.Store.HolderOf(t.Context(), want.Hash)
	require.NoError(t, err)
	assert.Equal(t, profile.Holder{Device: want, Locale: owner.Locale}, got)
	removed, err := db.Store.RemoveDevice(t.Context(), p.ID, want.ID)
	require.NoError(t, err)
	assert.Equal(t, want, removed)
	gone, err := db.Store.Revoked(t.Context(), []profile.DeviceID{want.ID, "no id"})
	require.NoError(t, err)
	assert.Equal(t, map[profile.DeviceID]bool{want.ID: true}, gone)
}

func (conformance) TestTheHourOfADeviceNeverGoesBack(t *testing.T, db *testkit.Database) {
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	hour := profile.Hour(db.Clock.Advance(5 * time.Hour))
	for _, seen := range []time.Time{hour, hour.Add(-time.Hour)} {
		require.NoError(t, db.Store.SeeDevices(t.Context(), []service.DeviceSeen{{Device: d.ID, Hour: seen}}))
	}
	got, err := db.Store.HolderOf(t.Context(), d.Hash)
	require.NoError(t, err)
	assert.Equal(t, hour, got.Seen)
}

func (conformance) TestExpiredCodesAreDropped(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	storedCode(t, db, p.ID)
	db.Clock.Advance(5 * time.Minute)
	fresh := storedCode(t, db, p.ID)
	require.NoError(t, db.Store.DropDeviceCodes(t.Context(), db.Clock.Advance(5*time.Minute)))
	var left int
	require.NoError(t, db.SQL(t).QueryRowContext(t.Context(), "SELECT count(*) FROM device_codes").Scan(&left))
	assert.Equal(t, 1, left)
	_, d := stranger(t, db, "Ola")
	_, err := db.Store.UseDeviceCode(t.Context(), fresh, d)
	require.NoError(t, err)
}

// A request of a removed device may still be under way on another replica.
func (conformance) TestARemovedDeviceDrawsNoCode(t *testing.T, db *testkit.Database) {
	p, d := stranger(t, db, "Ola")
	require.NoError(t, db.Store.OpenProfile(t.Context(), p, d))
	_, err := db.Store.RemoveDevice(t.Context(), p.ID, d.ID)
	require.NoError(t, err)
	code := service.DeviceCode{Hash: profile.DeviceCode(newID(t)).Hash(), Profile: p.ID, By: d.ID, Expires: db.Clock.Now().Add(time.Minute)}
	requireFault(t, db.Store.AddDeviceCode(t.Context(), code), fault.NoToken)
	_, err = db.Store.UseDeviceCode(t.Context(), code.Hash, d)
	requireFault(t, err, fault.CodeExpired)
}

// The player leaves for good between the reading of its code and the lock of its profile.
func (conformance) TestACodeOfSomebodyWhoHasJustLeftIsNone(t *testing.T, db *testkit.Database) {
	p := guest(t, db, "Ola")
	code := storedCode(t, db, p.ID)
	exec(t, db.SQL(t), "UPDATE profiles SET name = '', deleted = 1 WHERE id = '"+string(p.ID)+"'")
	_, d := stranger(t, db, "Ola")
	_, err := db.Store.UseDeviceCode(t.Context(), code, d)
	requireFault(t, err, fault.CodeExpired)
}

func (conformance) TestAWrongCodeCostsOneReadAndNoWrite(t *testing.T, db *testkit.Database) {
	_, d := stranger(t, db, "Ola")
	db.Statements.Reset()
	_, err := db.Store.UseDeviceCode(t.Context(), profile.DeviceCode("0000000000").Hash(), d)
	requireFault(t, err, fault.CodeExpired)
	assert.Equal(t, testkit.Counts{Reads: 1}, db.Statements.Reset()) //nolint:exhaustruct // nothing else
}
