package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/text"
)

// ListHouseRules returns the catalogue.
func (s *server) ListHouseRules(ctx context.Context, _ api.ListHouseRulesRequestObject) (api.ListHouseRulesResponseObject, error) {
	catalogue, err := s.rules.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	language, rules := languageOf(ctx), catalogue.Rules()
	list := api.HouseRuleList{Items: make([]api.HouseRule, 0, len(rules))}
	for _, rule := range rules {
		list.Items = append(list.Items, toHouseRule(rule, language))
	}
	return api.ListHouseRules200JSONResponse(list), nil
}

// toHouseRule converts a rule, with what is said about it in a language.
func toHouseRule(r houserule.Rule, language text.Language) api.HouseRule {
	said, _ := text.HouseRuleOf(r.Key, language)
	return api.HouseRule{
		Key: string(r.Key), Name: said.Name, Description: said.Description, Kind: string(r.Kind()), Origin: string(r.Origin),
		Options: r.Options, AllOptions: r.Known(), Default: r.Default, Changeable: r.Changeable,
		Version: r.Version, UpdatedAt: timeOf(r.Updated),
	}
}
