package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/text"
)

// GetHouseRule returns a rule to an admin.
func (s *server) GetHouseRule(ctx context.Context, r api.GetHouseRuleRequestObject) (api.GetHouseRuleResponseObject, error) {
	rule, err := s.rules.Rule(ctx, callerOf(ctx), houserule.Key(r.Key))
	if err != nil {
		return nil, err
	}
	return api.GetHouseRule200JSONResponse{
		Body: toHouseRule(rule, languageOf(ctx)), Headers: api.GetHouseRule200ResponseHeaders{ETag: ruleTag(rule.Version)},
	}, nil
}

// EditHouseRule changes a rule.
func (s *server) EditHouseRule(ctx context.Context, r api.EditHouseRuleRequestObject) (api.EditHouseRuleResponseObject, error) {
	change, err := s.rules.Edit(ctx, callerOf(ctx), service.RuleRequest{
		Key: houserule.Key(r.Key), Seen: matchedVersion(r.Params.IfMatch), Reason: r.Body.Reason, DryRun: valueOf(r.Params.DryRun),
	}, houserule.Terms{Default: r.Body.Default, Options: r.Body.Options, Changeable: r.Body.Changeable})
	if err != nil {
		return nil, err
	}
	return api.EditHouseRule200JSONResponse{
		Body: toHouseRuleChange(change, languageOf(ctx)), Headers: api.EditHouseRule200ResponseHeaders{ETag: ruleTag(change.Now().Version)},
	}, nil
}

// RestoreHouseRule goes back to an earlier version of a rule.
func (s *server) RestoreHouseRule(ctx context.Context, r api.RestoreHouseRuleRequestObject) (api.RestoreHouseRuleResponseObject, error) {
	change, err := s.rules.RollBack(ctx, callerOf(ctx), service.RuleRequest{
		Key: houserule.Key(r.Key), Seen: matchedVersion(r.Params.IfMatch), Reason: r.Body.Reason, DryRun: valueOf(r.Params.DryRun),
	}, r.Body.Version)
	if err != nil {
		return nil, err
	}
	return api.RestoreHouseRule200JSONResponse{
		Body: toHouseRuleChange(change, languageOf(ctx)), Headers: api.RestoreHouseRule200ResponseHeaders{ETag: ruleTag(change.Now().Version)},
	}, nil
}

func toHouseRuleChange(c service.RuleChange, language text.Language) api.HouseRuleChange {
	change := api.HouseRuleChange{
		DryRun: c.DryRun, Before: toHouseRule(c.Before, language), After: toHouseRule(c.After, language),
		Meaning: meaningOf(c, language), OpenTables: make([]api.OpenTables, 0, len(c.Kept)),
	}
	for _, kept := range c.Kept {
		change.OpenTables = append(change.OpenTables, api.OpenTables{Option: kept.Option, Tables: int32Of(kept.Tables)})
	}
	return change
}

// meaningOf says what an edit means for tables.
func meaningOf(c service.RuleChange, language text.Language) string {
	edit := text.RuleEdit{
		Nothing: c.Before.Version == c.After.Version,
		Default: c.After.Default, Options: c.After.Options, Changeable: c.After.Changeable, Kept: nil,
	}
	for _, kept := range c.Kept {
		if kept.Option != c.After.Default {
			edit.Kept = append(edit.Kept, text.KeptOption{Option: kept.Option, Tables: kept.Tables})
		}
	}
	return text.RuleEditMeaning(language, edit)
}
