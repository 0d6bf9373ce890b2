package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
)

// ListHouseRuleVersions returns a page of the versions of a rule.
func (s *server) ListHouseRuleVersions(ctx context.Context, r api.ListHouseRuleVersionsRequestObject) (api.ListHouseRuleVersionsResponseObject, error) {
	page, err := s.rules.History(ctx, callerOf(ctx), houserule.Key(r.Key), pageSize(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.HouseRuleVersionList{Items: make([]api.HouseRuleVersion, 0, len(page.Versions)), NextCursor: optional(page.Next)}
	for _, past := range page.Versions {
		list.Items = append(list.Items, toHouseRuleVersion(past))
	}
	return api.ListHouseRuleVersions200JSONResponse(list), nil
}

func toHouseRuleVersion(p houserule.Past) api.HouseRuleVersion {
	return api.HouseRuleVersion{
		Version: p.Version, Default: p.Terms.Default, Options: p.Terms.Options, Changeable: p.Terms.Changeable, UpdatedAt: timeOf(p.At),
		Actor: optional(p.Actor), Reason: optional(string(p.Reason)), RestoredVersion: optional(p.Restored),
	}
}

// ListAuditEntries returns a page of the audit log.
func (s *server) ListAuditEntries(ctx context.Context, r api.ListAuditEntriesRequestObject) (api.ListAuditEntriesResponseObject, error) {
	page, err := s.rules.Audit(ctx, callerOf(ctx), service.AuditFilter{
		Actor: valueOf(r.Params.Actor), Key: houserule.Key(valueOf(r.Params.Key)),
		Since: r.Params.Since, Until: r.Params.Until,
	}, pageSize(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	list := api.AuditEntryList{Items: make([]api.AuditEntry, 0, len(page.Entries)), NextCursor: optional(page.Next)}
	for _, entry := range page.Entries {
		list.Items = append(list.Items, toAuditEntry(entry))
	}
	return api.ListAuditEntries200JSONResponse(list), nil
}

// The ways a rule is edited, as the wire has them.
const (
	actionEdit     = "edit"
	actionRollback = "rollback"
)

func toAuditEntry(e houserule.Entry) api.AuditEntry {
	entry := api.AuditEntry{
		ID: idOf(e.ID), At: timeOf(e.At), Actor: e.Actor, Key: string(e.Key), Version: e.Version, Action: actionEdit,
		RestoredVersion: optional(e.Restored), Before: toTerms(e.Before), After: toTerms(e.After), Reason: string(e.Reason),
	}
	if e.Restored > 0 {
		entry.Action = actionRollback
	}
	return entry
}

func toTerms(t houserule.Terms) api.HouseRuleTerms {
	return api.HouseRuleTerms{Default: t.Default, Options: t.Options, Changeable: t.Changeable}
}
