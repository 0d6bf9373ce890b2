package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/table"
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
		Key: houserule.Key(r.Rule), Options: split(r.Options), Default: r.Default, Changeable: r.Changeable,
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

// AddRules is that of service.RuleStore. It writes nothing when all rules are there.
func (s *Store) AddRules(ctx context.Context, rules []houserule.Rule, at time.Time) error {
	const add = `INSERT INTO house_rules (rule, default_option, options, changeable, version, created, updated)
VALUES (?, ?, ?, ?, 1, ?, ?) ON CONFLICT (rule) DO NOTHING`
	kept, err := s.HouseRules(ctx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(rules), func(rule houserule.Rule) bool {
		return slices.ContainsFunc(kept, func(k houserule.Rule) bool { return k.Key == rule.Key })
	})
	if len(missing) == 0 {
		return nil
	}
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		for _, rule := range missing {
			_, err := affected(tx, add, string(rule.Key), rule.Default, joined(rule.Options), rule.Changeable, micros(at), micros(at))
			if err != nil {
				return fmt.Errorf("add rule %s: %w", rule.Key, err)
			}
		}
		return nil
	})
}

// HouseRule is that of service.RuleStore.
func (s *Store) HouseRule(ctx context.Context, key houserule.Key) (houserule.Rule, error) {
	row, err := one[ruleRow](ctx, s, "rule", selectRules+" WHERE rule = ?", string(key))
	if err != nil {
		return houserule.Rule{}, err
	}
	return row.houseRule(), nil
}

// playedByRow counts tables by their settings, of which there are few.
type playedByRow struct {
	Settings string `gorm:"column:settings"`
	Tables   int    `gorm:"column:tables"`
	One      string `gorm:"column:one"` // of them
}

// OpenTables is that of service.RuleStore. A table that says nothing about a rule plays by its standard default.
func (s *Store) OpenTables(ctx context.Context, key houserule.Key) ([]houserule.Kept, error) {
	if _, err := houserule.Standard().Rule(key); err != nil {
		return nil, err
	}
	found, err := read[playedByRow](ctx, s, `SELECT settings, count(*) AS tables, min(CAST(id AS text)) AS one
FROM tables WHERE status <> 'closed' GROUP BY settings`)
	if err != nil {
		return nil, err
	}
	tables := map[string]int{}
	for _, row := range found {
		settings, err := tableSettingsFrom(table.ID(row.One), row.Settings)
		if err != nil {
			s.PassOver(ctx, err)
			continue
		}
		tables[settings.Value(key)] += row.Tables
	}
	kept := make([]houserule.Kept, 0, len(tables))
	for option, n := range tables {
		kept = append(kept, houserule.Kept{Option: option, Tables: n})
	}
	slices.SortFunc(kept, func(a, b houserule.Kept) int {
		return cmp.Or(cmp.Compare(b.Tables, a.Tables), cmp.Compare(a.Option, b.Option))
	})
	return kept, nil
}
