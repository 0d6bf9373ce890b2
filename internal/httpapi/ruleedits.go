package httpapi

import (
	"context"
	"fmt"
	"strings"

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
		Body: toHouseRule(rule, languageOf(ctx)), Headers: api.GetHouseRule200ResponseHeaders(ruleHeaders(ctx, rule)),
	}, nil
}

// EditHouseRule changes a rule.
func (s *server) EditHouseRule(ctx context.Context, r api.EditHouseRuleRequestObject) (api.EditHouseRuleResponseObject, error) {
	change, err := s.rules.Edit(ctx, callerOf(ctx), service.RuleWish{
		Key: houserule.Key(r.Key), Seen: matchedVersions(r.Params.IfMatch), Reason: r.Body.Reason, DryRun: valueOf(r.Params.DryRun),
	}, houserule.Terms{Default: r.Body.Default, Options: r.Body.Options, Changeable: r.Body.Changeable})
	if err != nil {
		return nil, err
	}
	return api.EditHouseRule200JSONResponse{
		Body: toHouseRuleChange(change, languageOf(ctx)), Headers: api.EditHouseRule200ResponseHeaders(ruleHeaders(ctx, change.Now())),
	}, nil
}

// RestoreHouseRule goes back to an earlier version of a rule.
func (s *server) RestoreHouseRule(ctx context.Context, r api.RestoreHouseRuleRequestObject) (api.RestoreHouseRuleResponseObject, error) {
	change, err := s.rules.RollBack(ctx, callerOf(ctx), service.RuleWish{
		Key: houserule.Key(r.Key), Seen: matchedVersions(r.Params.IfMatch), Reason: r.Body.Reason, DryRun: valueOf(r.Params.DryRun),
	}, r.Body.Version)
	if err != nil {
		return nil, err
	}
	return api.RestoreHouseRule200JSONResponse{
		Body: toHouseRuleChange(change, languageOf(ctx)), Headers: api.RestoreHouseRule200ResponseHeaders(ruleHeaders(ctx, change.Now())),
	}, nil
}

// ruleHeaders are the headers of an answer about a rule as it is now.
func ruleHeaders(ctx context.Context, rule houserule.Rule) spokenTaggedHeaders {
	return spokenTaggedHeaders{
		CacheControl: new(cacheNever), ContentLanguage: new(string(languageOf(ctx))), ETag: ruleTag(rule.Version), Vary: new(varyByReader),
	}
}

func toHouseRuleChange(c service.RuleChange, language text.Language) api.HouseRuleChange {
	change := api.HouseRuleChange{
		DryRun: c.DryRun, Before: toHouseRule(c.Before, language), After: toHouseRule(c.After, language),
		Meaning: meaningOf(c), OpenTables: make([]api.OpenTables, 0, len(c.Kept)),
	}
	for _, kept := range c.Kept {
		change.OpenTables = append(change.OpenTables, api.OpenTables{Option: kept.Option, Tables: int32Of(kept.Tables)})
	}
	return change
}

// meaningOf says what an edit means for tables: those opened from now on, and those that are open.
func meaningOf(c service.RuleChange) string {
	if c.Before.Version == c.After.Version {
		return "Nothing changes."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Tables opened from now on play by %s, and ", c.After.Default)
	if c.After.Changeable {
		fmt.Fprintf(&b, "hosts may choose %s.", alternatives(c.After.Options))
	} else {
		b.WriteString("hosts may not choose.")
	}
	lead, end := " ", ""
	for _, kept := range c.Kept {
		switch {
		case kept.Option == c.After.Default:
			continue
		case end == "":
			fmt.Fprintf(&b, "%s%s %s", lead, openTables(kept.Tables), kept.Option)
		default:
			fmt.Fprintf(&b, ", %d keep %s", kept.Tables, kept.Option)
		}
		end = "."
	}
	b.WriteString(end)
	return b.String()
}

func openTables(n int) string {
	if n == 1 {
		return "1 open table keeps"
	}
	return fmt.Sprintf("%d open tables keep", n)
}

// alternatives joins options: 0, 30 or 60.
func alternatives(options []string) string {
	if last := len(options) - 1; last > 0 {
		return strings.Join(options[:last], ", ") + " or " + options[last]
	}
	return "only " + options[0]
}
