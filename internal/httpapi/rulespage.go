package httpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/table"
	"github.com/fourinarow/fourinarow/internal/text"
)

// GetRules returns the rules as a page for people.
func (s *server) GetRules(ctx context.Context, r api.GetRulesRequestObject) (api.GetRulesResponseObject, error) {
	catalogue, err := s.rules.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	language := languageOf(ctx)
	page := s.toRulesPage(text.RulesOf(language, catalogue), catalogue)
	encoded, err := json.Marshal(page)
	if err != nil {
		return nil, fmt.Errorf("write the rules: %w", err)
	}
	tag := tagOfBytes(encoded)
	if seen := seenTags(r.Params.IfNoneMatch); seen != nil && seen(tag) {
		return api.GetRules304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(tag)}}, nil
	}
	return api.GetRules200JSONResponse{Body: page, Headers: api.GetRules200ResponseHeaders{ETag: etag(tag)}}, nil
}

func (s *server) toRulesPage(p text.Rules, catalogue houserule.Catalogue) api.RulesPage {
	operator := s.deps.Config.Operator
	page := api.RulesPage{
		Name: p.Name, Summary: p.Summary, Players: text.Players, Minutes: api.MinuteRange{From: text.MinutesFrom, To: text.MinutesTo},
		FirstGame: make([]api.RuleStep, 0, len(p.FirstGame)),
		Sections:  mapped(p.Sections, toRuleSection), Numbers: mapped(p.Numbers, toRuleNumber), Terms: mapped(p.Terms, toRuleTerm),
		Mistakes: mapped(p.Mistakes, toRuleMistake), Questions: mapped(p.Questions, toRuleQuestion), Defaults: mapped(p.Defaults, toRuleDefault),
		HouseRules: mapped(p.House, toPlayedRule), Sources: mapped(p.Sources, toRuleSource),
		Trademarks: p.Trademarks, ReviewedBy: []api.RuleText{p.ReviewedBy}, Operator: toOperator(operator),
		UpdatedAt: timeOf(p.Updated), OpenTable: toOpenTable(catalogue),
	}
	for i, step := range p.FirstGame {
		page.FirstGame = append(page.FirstGame, api.RuleStep{Number: int32Of(i + 1), Text: step})
	}
	if operator.RulesReviewedBy != "" {
		page.ReviewedBy = append(page.ReviewedBy, operator.RulesReviewedBy)
	}
	return page
}

// mapped converts a list; an empty one is not nil.
func mapped[From, To any](list []From, convert func(From) To) []To {
	converted := make([]To, 0, len(list))
	for _, item := range list {
		converted = append(converted, convert(item))
	}
	return converted
}

func toRuleSection(s text.RuleSection) api.RuleSection {
	return api.RuleSection{ID: s.ID, Title: s.Title, Paragraphs: s.Paragraphs, Examples: mapped(s.Examples, toRuleExample)}
}

func toRuleExample(e text.RuleExample) api.RuleExample {
	return api.RuleExample{
		ID: e.ID, Before: e.Before, After: e.After, Caption: e.Caption,
		Fields: mapped(e.Fields, func(f text.BoardField) api.BoardField {
			return api.BoardField{Column: int32Of(f.Column), Row: int32Of(f.Row)}
		}),
	}
}

func toRuleNumber(n text.RuleNumber) api.RuleNumber {
	return api.RuleNumber{ID: n.ID, Value: int32Of(n.Value), Text: n.Text}
}

func toRuleTerm(t text.RuleTerm) api.RuleTerm {
	return api.RuleTerm{ID: t.ID, Term: t.Term, Meaning: t.Meaning}
}

func toRuleMistake(m text.RuleMistake) api.RuleMistake {
	return api.RuleMistake{ID: m.ID, Text: m.Text, Section: m.Section}
}

func toRuleQuestion(q text.RuleQuestion) api.RuleQuestion {
	return api.RuleQuestion{ID: q.ID, Question: q.Question, Answer: q.Answer}
}

func toRuleDefault(d text.RuleDefault) api.RuleDefault {
	return api.RuleDefault{ID: d.ID, Name: d.Name, Text: d.Text, Key: optional(string(d.Key)), Value: optional(d.Value)}
}

func toPlayedRule(r text.PlayedRule) api.PlayedRule {
	return api.PlayedRule{
		Key: string(r.Rule.Key), Name: r.Said.Name, Description: r.Said.Description, Origin: string(r.Rule.Origin),
		OriginText: r.OriginText, Reason: optional(r.Reason), Default: r.Rule.Default, Changeable: r.Rule.Changeable,
		Options: mapped(r.Options, func(o text.NamedOption) api.NamedOption {
			return api.NamedOption{Option: o.Option, Name: o.Name}
		}),
	}
}

func toRuleSource(s text.RuleSource) api.RuleSource {
	return api.RuleSource{Origin: string(s.Origin), Title: s.Title, Text: s.Text}
}

// toOpenTable is the request that opens a table by the rules as they are now.
func toOpenTable(catalogue houserule.Catalogue) api.SuggestedTable {
	return api.SuggestedTable{
		Opponent: new(string(api.OpponentChoiceHuman)), CPULevel: nil, Visibility: new(string(table.Private)), Ranked: new(false),
		Settings: new(toSuggestedSettings(catalogue)),
	}
}
