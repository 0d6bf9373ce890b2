package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// profileRow is a row of profiles.
type profileRow struct {
	ID      string  `gorm:"column:id"`
	Name    string  `gorm:"column:name"`
	Locale  *string `gorm:"column:locale"`
	Created int64   `gorm:"column:created"`

	Standing standingRow `gorm:"embedded"`
}

var profileColumns = slices.Concat([]string{"id", "name", "locale", "created"}, standingColumns)

func (profileRow) TableName() string { return "profiles" }

// rankedRow is a row of profiles with its rank on the leaderboard.
type rankedRow struct {
	Profile profileRow `gorm:"embedded"`
	Rank    *int       `gorm:"column:rank"`
}

func (r rankedRow) profile() profile.Profile {
	p := r.Profile
	return profile.Profile{
		ID: profile.ID(p.ID), Name: profile.Name(p.Name), Locale: profile.Locale(text(p.Locale)), Created: at(p.Created),
		Standing: p.Standing.standing(), Rank: count(r.Rank),
	}
}

// OpenProfile is that of service.ProfileStore.
func (s *Store) OpenProfile(ctx context.Context, p profile.Profile, d profile.Device) error {
	guest := profileRow{
		ID: string(p.ID), Name: string(p.Name), Locale: nullable(p.Locale), Created: micros(p.Created), Standing: newStandingRow(p.Standing),
	}
	device := newDeviceRow(d)
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		if err := tx.Create(&guest).Error; err != nil {
			return fmt.Errorf("insert a profile: %w", err)
		}
		if err := tx.Create(&device).Error; err != nil {
			return fmt.Errorf("insert a device: %w", err)
		}
		return nil
	})
}

// profileByID finds a profile unless it was deleted.
var profileByID = "SELECT " + named("p", profileColumns) +
	", l.rank FROM profiles p LEFT JOIN leaderboard l ON l.profile_id = p.id WHERE p.id = ? AND p.deleted IS NULL"

// Profile is that of service.ProfileStore.
func (s *Store) Profile(ctx context.Context, id profile.ID) (profile.Profile, error) {
	row, err := one[rankedRow](ctx, s, "profile", profileByID, string(id))
	if err != nil {
		return profile.Profile{}, err
	}
	return row.profile(), nil
}

// profileIn reads a profile in a transaction. The fault is not_found.
func profileIn(tx *gorm.DB, id profile.ID) (profile.Profile, error) {
	found, err := rows[rankedRow](tx, profileByID, string(id))
	if err != nil {
		return profile.Profile{}, fmt.Errorf("read profile %s: %w", id, err)
	}
	if len(found) == 0 {
		return profile.Profile{}, missing("profile")
	}
	return found[0].profile(), nil
}

// ChangeProfile is that of service.ProfileStore.
func (s *Store) ChangeProfile(ctx context.Context, id profile.ID, c profile.Change) (profile.Profile, error) {
	change := "UPDATE profiles SET name = coalesce(?, name), locale = coalesce(?, locale) WHERE id = ? AND deleted IS NULL RETURNING " +
		strings.Join(profileColumns, ", ") + ", (SELECT rank FROM leaderboard WHERE profile_id = profiles.id) AS rank"
	var after profile.Profile
	err := s.write(ctx, func(db *gorm.DB) error {
		changed, err := rows[rankedRow](db, change, (*string)(c.Name), (*string)(c.Locale), string(id))
		if err != nil {
			return err
		}
		if len(changed) == 0 {
			return missing("profile")
		}
		after = changed[0].profile()
		return nil
	})
	return after, err
}

// micros is how times are kept: microseconds since 1970.
func micros(t time.Time) int64 { return t.UnixMicro() }

// at is the time that micros kept.
func at(kept int64) time.Time { return time.UnixMicro(kept).UTC() }

// nullable is NULL for the empty text that stands for none in the domain.
func nullable[T ~string](t T) *string {
	if t == "" {
		return nil
	}
	kept := string(t)
	return &kept
}

// text is what nullable kept.
func text(kept *string) string {
	if kept == nil {
		return ""
	}
	return *kept
}
