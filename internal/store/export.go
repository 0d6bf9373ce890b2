package store

import (
	"context"
	"time"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// placeRow is where something stands in a list that is ordered by time and id.
type placeRow struct {
	Moment int64  `gorm:"column:moment"`
	ID     string `gorm:"column:id"`
}

// TablePlaces is that of service.ExportStore.
func (s *Store) TablePlaces(ctx context.Context, who profile.ID, after service.Place, atMost int) ([]service.Place, error) {
	return s.places(ctx, `SELECT t.created AS moment, t.id FROM tables t
WHERE (t.seat1_profile = ? OR t.seat2_profile = ?) AND (t.created, t.id) < (?, ?) ORDER BY t.created DESC, t.id DESC LIMIT ?`,
		string(who), string(who), micros(after.At), after.ID, atMost)
}

// GamePlaces is that of service.ExportStore.
func (s *Store) GamePlaces(ctx context.Context, who profile.ID, after service.Place, atMost int) ([]service.Place, error) {
	return s.places(ctx, `SELECT g.started AS moment, g.id FROM games g
WHERE (g.red_profile = ? AND g.red_name IS NOT NULL OR g.yellow_profile = ? AND g.yellow_name IS NOT NULL)
AND (g.started, g.id) < (?, ?) ORDER BY g.started DESC, g.id DESC LIMIT ?`,
		string(who), string(who), micros(after.At), after.ID, atMost)
}

func (s *Store) places(ctx context.Context, query string, args ...any) ([]service.Place, error) {
	found, err := readOn[placeRow](ctx, s, s.exports, query, args...)
	places := make([]service.Place, 0, len(found))
	for _, row := range found {
		places = append(places, service.Place{At: at(row.Moment), ID: row.ID})
	}
	return places, err
}

// TablesAt is that of service.ExportStore.
func (s *Store) TablesAt(ctx context.Context, places []service.Place) ([]table.Table, error) {
	found, err := readOn[seatedRow](ctx, s, s.exports, selectSeated+" JOIN "+s.dialect.ids+" ON v.id = t.id"+newestFirst,
		s.dialect.array(placed(places)))
	if err != nil {
		return nil, err
	}
	return readable(ctx, s, found, s.tableOf), nil
}

// GamesAt is that of service.ExportStore.
func (s *Store) GamesAt(ctx context.Context, places []service.Place) ([]game.Game, error) {
	found, err := readOn[gameRow](ctx, s, s.exports, selectGames+" JOIN "+s.dialect.ids+" ON v.id = g.id ORDER BY g.started DESC, g.id DESC",
		s.dialect.array(placed(places)))
	if err != nil {
		return nil, err
	}
	return readable(ctx, s, found, s.gameOf), nil
}

func placed(places []service.Place) []string {
	ids := make([]string, 0, len(places))
	for _, p := range places {
		ids = append(ids, p.ID)
	}
	return ids
}

// Held is that of service.ExportStore.
func (s *Store) Held(ctx context.Context, who profile.ID, id profile.DeviceID) error {
	found, err := readOn[idRow](ctx, s, s.exports, holdsDevice, string(id), string(who))
	if err == nil && len(found) == 0 {
		err = removed()
	}
	return err
}

func removed() error { return fault.New(fault.NoToken, "this device was removed") }

// expiresRow is when a code expires.
type expiresRow struct {
	Expires int64 `gorm:"column:expires"`
}

// DeviceCodes is that of service.ExportStore.
func (s *Store) DeviceCodes(ctx context.Context, who profile.ID) ([]time.Time, error) {
	found, err := readOn[expiresRow](ctx, s, s.exports, "SELECT expires FROM device_codes WHERE profile_id = ? ORDER BY expires", string(who))
	expire := make([]time.Time, 0, len(found))
	for _, row := range found {
		expire = append(expire, at(row.Expires))
	}
	return expire, err
}
