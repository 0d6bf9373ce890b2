package store

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/service"
)

// auditRow is a row of audit_log.
type auditRow struct {
	ID               string `gorm:"column:id"`
	At               int64  `gorm:"column:at"`
	Actor            string `gorm:"column:actor"`
	TokenID          string `gorm:"column:token_id"`
	Rule             string `gorm:"column:rule"`
	Version          int64  `gorm:"column:version"`
	Restored         *int64 `gorm:"column:restored"`
	BeforeDefault    string `gorm:"column:before_default"`
	BeforeOptions    string `gorm:"column:before_options"`
	BeforeChangeable bool   `gorm:"column:before_changeable"`
	AfterDefault     string `gorm:"column:after_default"`
	AfterOptions     string `gorm:"column:after_options"`
	AfterChangeable  bool   `gorm:"column:after_changeable"`
	Reason           string `gorm:"column:reason"`
}

func (auditRow) TableName() string { return "audit_log" }

const auditColumns = `id, at, actor, token_id, rule, version, restored, before_default, before_options, before_changeable,
after_default, after_options, after_changeable, reason`

func auditRowOf(e houserule.Entry) auditRow {
	row := auditRow{
		ID: e.ID, At: micros(e.At), Actor: e.Actor, TokenID: e.TokenID, Rule: string(e.Key), Version: e.Version, Restored: nil,
		BeforeDefault: e.Before.Default, BeforeOptions: joined(e.Before.Options), BeforeChangeable: e.Before.Changeable,
		AfterDefault: e.After.Default, AfterOptions: joined(e.After.Options), AfterChangeable: e.After.Changeable,
		Reason: string(e.Reason),
	}
	if e.Restored > 0 {
		row.Restored = &e.Restored
	}
	return row
}

func (r auditRow) entry() houserule.Entry {
	e := houserule.Entry{
		ID: r.ID, At: at(r.At), Actor: r.Actor, TokenID: r.TokenID, Key: houserule.Key(r.Rule), Version: r.Version, Restored: 0,
		Before: termsOf(r.BeforeDefault, r.BeforeOptions, r.BeforeChangeable),
		After:  termsOf(r.AfterDefault, r.AfterOptions, r.AfterChangeable),
		Reason: houserule.Reason(r.Reason),
	}
	if r.Restored != nil {
		e.Restored = *r.Restored
	}
	return e
}

// joined is how options are kept.
func joined(options []string) string { return strings.Join(options, ",") }

// split is what joined kept.
func split(kept string) []string { return strings.Split(kept, ",") }

func termsOf(first, options string, changeable bool) houserule.Terms {
	return houserule.Terms{Default: first, Options: split(options), Changeable: changeable}
}

// SaveEdit is that of service.RuleStore.
func (s *Store) SaveEdit(ctx context.Context, e houserule.Entry) error {
	const edit = `UPDATE house_rules SET default_option = ?, options = ?, changeable = ?, version = version + 1, updated = ?
WHERE rule = ? AND version = ?`
	row := auditRowOf(e)
	return s.inTransaction(ctx, func(tx *gorm.DB) error {
		edited, err := affected(tx, edit, row.AfterDefault, row.AfterOptions, row.AfterChangeable, row.At, row.Rule, row.Version-1)
		if err != nil {
			return fmt.Errorf("edit a rule: %w", err)
		}
		if edited == 0 {
			return service.ErrChanged
		}
		if err = tx.Create(&row).Error; err != nil {
			return fmt.Errorf("log an edit: %w", err)
		}
		return nil
	})
}

// AuditEntries is that of service.RuleStore.
func (s *Store) AuditEntries(ctx context.Context, f service.AuditFilter, after service.Place, limit int) ([]houserule.Entry, error) {
	var (
		where []string
		args  []any
	)
	only := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if f.Actor != "" {
		only("actor = ?", f.Actor)
	}
	if f.Key != "" {
		only("rule = ?", string(f.Key))
	}
	if f.Since != nil {
		only("at >= ?", micros(*f.Since))
	}
	if f.Until != nil {
		only("at < ?", micros(*f.Until))
	}
	if after != (service.Place{}) {
		only("(at, id) < (?, ?)", micros(after.At), after.ID)
	}
	query := "SELECT " + auditColumns + " FROM audit_log"
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	found, err := read[auditRow](ctx, s, query+" ORDER BY at DESC, id DESC LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, err
	}
	entries := make([]houserule.Entry, 0, len(found))
	for _, row := range found {
		entries = append(entries, row.entry())
	}
	return entries, nil
}

// pastRow is a version of a rule.
type pastRow struct {
	Version    int64   `gorm:"column:version"`
	Default    string  `gorm:"column:default_option"`
	Options    string  `gorm:"column:options"`
	Changeable bool    `gorm:"column:changeable"`
	At         int64   `gorm:"column:at"`
	Actor      *string `gorm:"column:actor"`
	Reason     *string `gorm:"column:reason"`
	Restored   *int64  `gorm:"column:restored"`
}

// selectPast reads the versions of a rule from the edits that made them; the first one from the edit that ended it, or,
// when none has, from the rule.
const selectPast = `SELECT version, default_option, options, changeable, at, actor, reason, restored FROM (
SELECT version, after_default AS default_option, after_options AS options, after_changeable AS changeable, at, actor, reason, restored
FROM audit_log WHERE rule = ?
UNION ALL
SELECT 1, coalesce(a.before_default, r.default_option), coalesce(a.before_options, r.options),
coalesce(a.before_changeable, r.changeable), r.created, NULL, NULL, NULL
FROM house_rules r LEFT JOIN audit_log a ON a.rule = r.rule AND a.version = 2 WHERE r.rule = ?
) AS past WHERE version < ? ORDER BY version DESC LIMIT ?`

// RuleVersions is that of service.RuleStore.
func (s *Store) RuleVersions(ctx context.Context, key houserule.Key, below int64, limit int) ([]houserule.Past, error) {
	found, err := read[pastRow](ctx, s, selectPast, string(key), string(key), below, limit)
	if err != nil {
		return nil, err
	}
	versions := make([]houserule.Past, 0, len(found))
	for _, row := range found {
		past := houserule.Past{
			Version: row.Version, Terms: termsOf(row.Default, row.Options, row.Changeable), At: at(row.At), Actor: text(row.Actor),
			Reason: houserule.Reason(text(row.Reason)), Restored: 0,
		}
		if row.Restored != nil {
			past.Restored = *row.Restored
		}
		versions = append(versions, past)
	}
	return versions, nil
}
