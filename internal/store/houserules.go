package store

import (
	"context"
	"strings"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// ruleRow is a row of house_rules.
type ruleRow struct {
	Rule       string `gorm:"column:rule"`
	Default    string `gorm:"column:default_option"`
	Options    string `gorm:"column:options"`
	Changeable bool   `gorm:"column:changeable"`
	Version    int64  `gorm:"column:version"`
	Updated    int64  `gorm:"column:updated"`
}

const selectRules = "SELECT rule, default_option, options, changeable, version, updated FROM house_rules"

func (r ruleRow) houseRule() houserule.Rule {
	standard, err := houserule.Standard().Rule(houserule.Key(r.Rule))
	if err != nil { // a rule of another release: nobody asks where it comes from
		standard = houserule.Rule{}
	}
	return houserule.Rule{
		Key: houserule.Key(r.Rule), Options: strings.Split(r.Options, ","), Default: r.Default, Changeable: r.Changeable,
		Origin: standard.Origin, Version: r.Version, Updated: at(r.Updated),
	}
}

// HouseRules is that of service.RuleStore.
func (s *Store) HouseRules(ctx context.Context) ([]houserule.Rule, error) {
	found, err := read[ruleRow](ctx, s, selectRules)
	if err != nil {
		return nil, err
	}
	rules := make([]houserule.Rule, 0, len(found))
	for _, row := range found {
		rules = append(rules, row.houseRule())
	}
	return rules, nil
}
