package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/service"
)

// adminRow is a row of admin_tokens.
type adminRow struct {
	ID        string `gorm:"column:id"`
	Name      string `gorm:"column:name"`
	TokenHash []byte `gorm:"column:token_hash"`
	Created   int64  `gorm:"column:created"`
	Revoked   *int64 `gorm:"column:revoked"`
}

const selectAdmins = "SELECT id, name, token_hash, created, revoked FROM admin_tokens"

func (r adminRow) admin() admin.Admin {
	return admin.Admin{
		ID: admin.ID(r.ID), Name: admin.Name(r.Name), Hash: admin.TokenHash(r.TokenHash), Created: at(r.Created), Revoked: when(r.Revoked),
	}
}

// AddAdmin is that of service.AdminStore. All who add one queue up, since a name that was revoked meanwhile conflicts
// with nothing.
func (s *Store) AddAdmin(ctx context.Context, a admin.Admin) error {
	const add = `INSERT INTO admin_tokens (id, name, token_hash, created) SELECT ?, ?, ?, ?
WHERE NOT EXISTS (SELECT 1 FROM admin_tokens WHERE name = ?)`
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		if s.dialect.serial != "" {
			if _, err := affected(tx, s.dialect.serial, "admin tokens"); err != nil {
				return fmt.Errorf("queue up for an admin token: %w", err)
			}
		}
		added, err := affected(tx, add, string(a.ID), string(a.Name), a.Hash[:], micros(a.Created), string(a.Name))
		if err == nil && added == 0 {
			return service.ErrNameTaken
		}
		return err
	})
}

// DropAdmin is that of service.AdminStore.
func (s *Store) DropAdmin(ctx context.Context, id admin.ID) error {
	return s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, "DELETE FROM admin_tokens WHERE id = ?", string(id)) // the log refers to who has edited
		return err
	})
}

// Admins is that of service.AdminStore.
func (s *Store) Admins(ctx context.Context) ([]admin.Admin, error) {
	found, err := read[adminRow](ctx, s, selectAdmins+" ORDER BY created, id")
	if err != nil {
		return nil, err
	}
	admins := make([]admin.Admin, 0, len(found))
	for _, row := range found {
		admins = append(admins, row.admin())
	}
	return admins, nil
}

// RevokeAdmin is that of service.AdminStore.
func (s *Store) RevokeAdmin(ctx context.Context, name admin.Name, now time.Time) error {
	return s.write(ctx, func(db *gorm.DB) error {
		revoked, err := affected(db, "UPDATE admin_tokens SET revoked = ? WHERE name = ? AND revoked IS NULL", micros(now), string(name))
		if err == nil && revoked == 0 {
			return missing("admin token")
		}
		return err
	})
}

// AdminByToken is that of service.AdminStore.
func (s *Store) AdminByToken(ctx context.Context, hash admin.TokenHash) (admin.Admin, error) {
	found, err := read[adminRow](ctx, s, selectAdmins+" WHERE token_hash = ? AND revoked IS NULL", hash[:])
	if err != nil {
		return admin.Admin{}, err
	}
	if len(found) == 0 {
		return admin.Admin{}, fault.New(fault.NoToken, "nobody holds this token")
	}
	return found[0].admin(), nil
}
