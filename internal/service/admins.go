package service

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/fourinarow/fourinarow/internal/admin"
	"github.com/fourinarow/fourinarow/internal/fault"
)

// ErrNameTaken is what a store answers when a token was made under a name before, also one that is revoked: a name in the
// log is one person's for good.
var ErrNameTaken = errors.New("there has been a token with this name")

// AdminStore keeps the tokens of admins.
type AdminStore interface {
	// AddAdmin stores a token, or answers ErrNameTaken.
	AddAdmin(ctx context.Context, a admin.Admin) error
	// DropAdmin removes a token that has edited nothing, and with it the claim to its name.
	DropAdmin(ctx context.Context, id admin.ID) error
	// Admins returns all tokens, revoked ones too, oldest first.
	Admins(ctx context.Context) ([]admin.Admin, error)
	// RevokeAdmin ends the token with a name. The fault is not_found.
	RevokeAdmin(ctx context.Context, name admin.Name, at time.Time) error
	// AdminByToken returns who holds a token that works. The fault is unauthenticated.
	AdminByToken(ctx context.Context, hash admin.TokenHash) (admin.Admin, error)
}

// Admins hands out the tokens of admins and knows who holds one.
type Admins struct {
	store  AdminStore
	clock  func() time.Time
	random io.Reader
}

// NewAdmins returns the methods about admins.
func NewAdmins(store AdminStore, clock func() time.Time, random io.Reader) *Admins {
	return &Admins{store: store, clock: clock, random: random}
}

// Create makes a token and lets hand show it, this once. When hand fails the token is withdrawn, as if it had never been
// made, and the error is that of hand; it says so when the token could not be withdrawn and still works. The error is
// ErrNameTaken when there has been one with the name.
func (s *Admins) Create(ctx context.Context, name admin.Name, hand func(admin.Token) error) error {
	now := s.clock()
	id, err := newID(now, s.random)
	if err != nil {
		return err
	}
	token, err := admin.NewToken(s.random)
	if err != nil {
		return err
	}
	err = s.store.AddAdmin(ctx, admin.Admin{ID: admin.ID(id), Name: name, Hash: token.Hash(), Created: now, Revoked: time.Time{}})
	if err != nil {
		return wrap(err, "add an admin token")
	}
	if err = hand(token); err == nil {
		return nil
	}
	if dropErr := s.store.DropAdmin(context.WithoutCancel(ctx), admin.ID(id)); dropErr != nil {
		return errors.Join(err, wrap(dropErr, "withdraw the token of %s, which works as long as it is not revoked", name))
	}
	return err
}

// List returns all tokens, revoked ones too, oldest first.
func (s *Admins) List(ctx context.Context) ([]admin.Admin, error) { return s.store.Admins(ctx) }

// Revoke ends the token with a name, on every replica at once. The fault is not_found.
func (s *Admins) Revoke(ctx context.Context, name admin.Name) error {
	return s.store.RevokeAdmin(ctx, name, s.clock())
}

// Identify returns who holds a token. The fault is unauthenticated. Admins are few: each request asks the database.
func (s *Admins) Identify(ctx context.Context, token admin.Token) (admin.Admin, error) {
	return s.store.AdminByToken(ctx, token.Hash())
}

// administers refuses callers without an admin's token.
func administers(c Caller) (*admin.Admin, error) {
	if c.Admin == nil {
		return nil, fault.New(fault.NotAllowed, "this takes the token of an admin")
	}
	return c.Admin, nil
}
