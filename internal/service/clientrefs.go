package service

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/table"
)

// clientRefLifetime is how long a repeated request for a table is answered with the one it opened.
const clientRefLifetime = 24 * time.Hour

// asked returns what a request asks for, in one spelling. A rule that it leaves to the service is not in it: the default may
// be another one when the request is sent again.
func (w NewTable) asked() string {
	if w.ClientRef == "" {
		return ""
	}
	said := []string{
		"visibility=" + string(cmp.Or(w.Visibility, table.Private)), "opponent=" + string(cmp.Or(w.Opponent, game.Human)),
		"cpu_level=" + w.CPULevel, "ranked=" + strconv.FormatBool(w.Ranked),
	}
	for _, key := range w.Choices.keys() {
		said = append(said, string(key)+"="+w.Choices[key])
	}
	return strings.Join(said, " ")
}

// opened makes sure that a table of the request's name was opened by the same request. The fault is client_ref_reused. What
// opened a table of before is not known: it may have been any.
func (w NewTable) opened(t table.Table) error {
	if t.ClientRequest == "" || t.ClientRequest == w.asked() {
		return nil
	}
	return fault.At("/client_ref", fault.ClientRefReused, "another request of this client_ref has opened a table")
}

// openedBefore returns the table that an earlier request with the same ClientRef opened: the rules may have been edited
// since, which is no reason to refuse it now. Without one the fault is the refusal.
func (s *Tables) openedBefore(ctx context.Context, c Caller, request NewTable, refusal error) (TableView, error) {
	if request.ClientRef == "" {
		return TableView{}, refusal
	}
	t, err := s.store.TableByRef(ctx, c.Profile, request.ClientRef, s.clock().Add(-clientRefLifetime))
	if fault.Is(err, fault.NotFound) {
		return TableView{}, refusal
	}
	if err != nil {
		return TableView{}, wrap(err, "look for a table by its client's name")
	}
	if err = request.opened(t); err != nil {
		return TableView{}, err
	}
	s.presence.heard(t.ID, game.HostSeat, s.clock())
	return s.view(ctx, c, t)
}
