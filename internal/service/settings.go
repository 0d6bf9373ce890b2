package service

import (
	"context"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/table"
)

// Edit is a host's change of a table.
type Edit struct {
	SettingsVersion int64 // the version it was made for
	Choices         Choices
	Ranked          *bool // nil: as it is
}

// Change changes the settings of a table. A change that was made already, sent again, is answered with the table as it is
// now. The faults are those of table.Change and houserule.Catalogue.Choose, or
// not_found about a private table.
func (s *Tables) Change(ctx context.Context, c Caller, id table.ID, e Edit) (TableView, error) {
	if err := signedIn(c); err != nil {
		return TableView{}, err
	}
	rules, err := s.rules.Now(ctx) // before the transaction, as the outages are
	if err != nil {
		return TableView{}, err
	}
	t, err := s.change(ctx, c, id, func(t table.Table, o game.Outages) (TableChange, error) {
		if !t.VisibleTo(c.Profile) {
			return TableChange{}, table.Unknown()
		}
		return s.edit(c, t, e, rules, o)
	})
	if err != nil {
		return TableView{}, err
	}
	return s.view(ctx, c, t)
}

// edit returns the change that a host's edit makes.
func (s *Tables) edit(c Caller, t table.Table, e Edit, rules houserule.Catalogue, o game.Outages) (TableChange, error) {
	wanted, err := e.Choices.over(t.Settings)
	edit := table.Edit{By: c.Profile, SettingsVersion: e.SettingsVersion, Settings: wanted, Ranked: t.Ranked}
	if e.Ranked != nil {
		edit.Ranked = *e.Ranked
	}
	if err == nil && t.Repeats(edit) {
		return s.comeBack(t, game.HostSeat, o), nil
	}
	if err = t.Editable(edit); err != nil {
		return TableChange{}, err
	}
	if edit.Settings, err = choose(rules, t.Settings, e.Choices); err != nil {
		return TableChange{}, err
	}
	change := s.withPresence(t, t.SeatOf(c.Profile), false, o)
	edited, changed := change.Table.Change(edit, s.clock())
	if changed {
		change.Table, change.Game = edited, edited.Game
	}
	return change, nil
}
