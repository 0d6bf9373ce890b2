package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
)

// deviceRow is a row of devices.
type deviceRow struct {
	ID        string  `gorm:"column:id"`
	ProfileID string  `gorm:"column:profile_id"`
	Name      *string `gorm:"column:name"`
	TokenHash []byte  `gorm:"column:token_hash"`
	Created   int64   `gorm:"column:created"`
	Seen      *int64  `gorm:"column:seen"`
}

const deviceColumns = "id, profile_id, name, token_hash, created, seen"

func (deviceRow) TableName() string { return "devices" }

func newDeviceRow(d profile.Device) deviceRow {
	return deviceRow{
		ID: string(d.ID), ProfileID: string(d.Profile), Name: nullable(d.Name), TokenHash: d.Hash[:], Created: micros(d.Created),
		Seen: moment(d.Seen),
	}
}

func (r deviceRow) device() profile.Device {
	d := profile.Device{
		ID: profile.DeviceID(r.ID), Profile: profile.ID(r.ProfileID), Name: profile.Name(text(r.Name)), Hash: profile.TokenHash{},
		Created: at(r.Created), Seen: when(r.Seen),
	}
	copy(d.Hash[:], r.TokenHash)
	return d
}

func devicesFrom(found []deviceRow) []profile.Device {
	devices := make([]profile.Device, 0, len(found))
	for _, row := range found {
		devices = append(devices, row.device())
	}
	return devices
}

// holderRow is a device with its owner's language.
type holderRow struct {
	Device deviceRow `gorm:"embedded"`
	Locale *string   `gorm:"column:locale"`
}

// HolderOf is that of service.DeviceStore.
func (s *Store) HolderOf(ctx context.Context, hash profile.TokenHash) (profile.Holder, error) {
	const byToken = "SELECT d.id, d.profile_id, d.name, d.token_hash, d.created, d.seen, p.locale" +
		" FROM devices d JOIN profiles p ON p.id = d.profile_id WHERE d.token_hash = ?"
	found, err := read[holderRow](ctx, s, byToken, hash[:])
	if err != nil {
		return profile.Holder{}, err
	}
	if len(found) == 0 {
		return profile.Holder{}, fault.New(fault.NoToken, "nobody holds this token")
	}
	return profile.Holder{Device: found[0].Device.device(), Locale: profile.Locale(text(found[0].Locale))}, nil
}

// Devices is that of service.DeviceStore.
func (s *Store) Devices(ctx context.Context, who profile.ID) ([]profile.Device, error) {
	found, err := read[deviceRow](ctx, s, "SELECT "+deviceColumns+" FROM devices WHERE profile_id = ? ORDER BY created, id", string(who))
	return devicesFrom(found), err
}

// RemoveDevice is that of service.DeviceStore.
func (s *Store) RemoveDevice(ctx context.Context, who profile.ID, id profile.DeviceID) (profile.Device, error) {
	removed, err := s.removeDevices(ctx, who, 1, "id = ?", string(id))
	if err != nil {
		return profile.Device{}, err
	}
	return removed[0], nil
}

// RemoveDevices is that of service.DeviceStore.
func (s *Store) RemoveDevices(ctx context.Context, who profile.ID, but profile.DeviceID) ([]profile.Device, error) {
	if but == "" {
		return s.removeDevices(ctx, who, 0, "TRUE")
	}
	return s.removeDevices(ctx, who, 0, "id <> ?", string(but))
}

// removeDevices removes the devices of a profile that fit a condition, at least so many, and the profile's codes. Who
// draws or uses a code queues up at the same profile. The fault is not_found.
func (s *Store) removeDevices(ctx context.Context, who profile.ID, atLeast int, condition string, args ...any) ([]profile.Device, error) {
	var removed []deviceRow
	err := s.inTransaction(ctx, func(tx *gorm.DB) (err error) {
		if err = s.lockProfile(tx, who); err != nil {
			return err
		}
		statement := "DELETE FROM devices WHERE profile_id = ? AND " + condition + " RETURNING " + deviceColumns
		if removed, err = rows[deviceRow](tx, statement, append([]any{string(who)}, args...)...); err != nil {
			return fmt.Errorf("remove devices of profile %s: %w", who, err)
		}
		if len(removed) < atLeast {
			return missing("device")
		}
		if err = s.feed.publishRemoved(tx, removed); err != nil {
			return err
		}
		if _, err = affected(tx, "DELETE FROM device_codes WHERE profile_id = ?", string(who)); err != nil {
			return fmt.Errorf("remove the device codes of profile %s: %w", who, err)
		}
		return nil
	})
	return devicesFrom(removed), err
}

// AddDeviceCode is that of service.DeviceStore. Requests of one profile queue up at it.
func (s *Store) AddDeviceCode(ctx context.Context, c service.DeviceCode) error {
	const (
		makeRoom = `DELETE FROM device_codes WHERE profile_id = ? AND code_hash NOT IN (
SELECT code_hash FROM device_codes WHERE profile_id = ? ORDER BY expires DESC, code_hash LIMIT ?)`
		// The hash isn't first: of bytes right after a parenthesis GORM makes a list.
		add = "INSERT INTO device_codes (profile_id, code_hash, expires) VALUES (?, ?, ?)"
	)
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		if err := s.roomForDevice(tx, c.Profile); err != nil {
			return err
		}
		if err := holds(tx, c.Profile, c.By); err != nil {
			return err
		}
		if _, err := affected(tx, makeRoom, string(c.Profile), string(c.Profile), service.CodesAtMost-1); err != nil {
			return fmt.Errorf("make room for a device code: %w", err)
		}
		if _, err := affected(tx, add, string(c.Profile), c.Hash[:], micros(c.Expires)); err != nil {
			return fmt.Errorf("insert a device code: %w", err)
		}
		return nil
	})
}

// holdsDevice finds a device of a profile.
const holdsDevice = "SELECT id FROM devices WHERE id = ? AND profile_id = ?"

// holds makes sure that a device of a profile is still there. The fault is unauthenticated.
func holds(tx *gorm.DB, who profile.ID, id profile.DeviceID) error {
	found, err := rows[idRow](tx, holdsDevice, string(id), string(who))
	if err != nil {
		return fmt.Errorf("look for device %s: %w", id, err)
	}
	if len(found) == 0 {
		return removed()
	}
	return nil
}

// roomForDevice locks a profile and refuses another device of one that has as many as it may. The fault is
// too_many_devices.
func (s *Store) roomForDevice(tx *gorm.DB, who profile.ID) error {
	if err := s.lockProfile(tx, who); err != nil {
		return err
	}
	counted, err := rows[countRow](tx, "SELECT count(*) AS n FROM devices WHERE profile_id = ?", string(who))
	if err != nil {
		return fmt.Errorf("count the devices of profile %s: %w", who, err)
	}
	if counted[0].N >= service.DevicesAtMost {
		return fault.New(fault.TooManyDevices, "a profile has at most %d devices", service.DevicesAtMost)
	}
	return nil
}

// codeOwnerRow is whose a code is.
type codeOwnerRow struct {
	ProfileID string `gorm:"column:profile_id"`
}

// UseDeviceCode is that of service.DeviceStore. A wrong code costs one read. Of two who use a code at once the second finds
// it gone.
func (s *Store) UseDeviceCode(ctx context.Context, hash profile.CodeHash, d profile.Device) (profile.Profile, error) {
	const good = "SELECT profile_id FROM device_codes WHERE code_hash = ? AND expires > ?"
	found, err := read[codeOwnerRow](ctx, s, good, hash[:], micros(d.Created))
	if err != nil {
		return profile.Profile{}, err
	}
	if len(found) == 0 {
		return profile.Profile{}, codeExpired()
	}
	d.Profile = profile.ID(found[0].ProfileID)
	var owner profile.Profile
	err = s.inTransaction(ctx, func(tx *gorm.DB) error {
		if err = s.roomForDevice(tx, d.Profile); fault.Is(err, fault.NoToken) { // its codes went with the player
			return codeExpired()
		} else if err != nil {
			return err
		}
		used, err := affected(tx, "DELETE FROM device_codes WHERE code_hash = ?", hash[:])
		if err != nil {
			return fmt.Errorf("use a device code: %w", err)
		}
		if used == 0 {
			return codeExpired()
		}
		row := newDeviceRow(d)
		if err = tx.Create(&row).Error; err != nil {
			return fmt.Errorf("insert a device: %w", err)
		}
		owner, err = profileIn(tx, d.Profile)
		return err
	})
	return owner, err
}

func codeExpired() error {
	return fault.New(fault.CodeExpired, "this code is wrong, used or too old")
}

// DropDeviceCodes is that of service.DeviceStore.
func (s *Store) DropDeviceCodes(ctx context.Context, now time.Time) error {
	return s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, "DELETE FROM device_codes WHERE expires <= ?", micros(now))
		return err
	})
}

// hourEntry is a device in a batch.
type hourEntry struct {
	ID   string
	Hour int64
}

func (e hourEntry) values() []any { return []any{e.ID, e.Hour} }

var hourColumns = []column{{"id", "uuid"}, {"seen", "bigint"}}

// SeeDevices is that of service.PresenceStore. Devices are written in one order by all replicas.
func (s *Store) SeeDevices(ctx context.Context, seen []service.DeviceSeen) error {
	see := "UPDATE devices AS d SET seen = v.seen FROM " + s.dialect.batch(hourColumns) +
		" WHERE d.id = v.id AND (d.seen IS NULL OR d.seen < v.seen)"
	slices.SortFunc(seen, func(a, b service.DeviceSeen) int { return strings.Compare(string(a.Device), string(b.Device)) })
	for some := range slices.Chunk(seen, seenAtOnce) {
		entries := make([]hourEntry, 0, len(some))
		for _, one := range some {
			entries = append(entries, hourEntry{ID: string(one.Device), Hour: micros(one.Hour)})
		}
		batch, err := packed(s.dialect, hourColumns, entries)
		if err != nil {
			return err
		}
		err = s.write(ctx, func(db *gorm.DB) error {
			_, err := affected(db, see, batch...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// revokedAtOnce is how many devices one statement asks for.
const revokedAtOnce = 5000

// Revoked is that of service.DeviceStore.
func (s *Store) Revoked(ctx context.Context, devices []profile.DeviceID) (map[profile.DeviceID]bool, error) {
	gone := map[profile.DeviceID]bool{}
	for some := range slices.Chunk(devices, revokedAtOnce) {
		ids := make([]string, 0, len(some))
		for _, id := range some {
			if isID(string(id)) {
				ids = append(ids, string(id))
			}
		}
		found, err := readAbout[idRow](ctx, s, "SELECT v.id FROM "+s.dialect.ids+
			" LEFT JOIN devices d ON d.id = v.id WHERE d.id IS NULL", ids)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			gone[profile.DeviceID(row.ID)] = true
		}
	}
	return gone, nil
}
