package store

import (
	"slices"
	"strings"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// tableRow is a row of tables.
type tableRow struct {
	ID              string      `gorm:"column:id"`
	Version         int64       `gorm:"column:version"`
	Status          string      `gorm:"column:status"`
	Reason          *string     `gorm:"column:reason"`
	MovedTo         *string     `gorm:"column:moved_to"`
	Visibility      string      `gorm:"column:visibility"`
	InviteCode      *string     `gorm:"column:invite_code"`
	Ranked          bool        `gorm:"column:ranked"`
	Quick           bool        `gorm:"column:quick"`
	AnyClock        bool        `gorm:"column:any_clock"`
	SettingsVersion int64       `gorm:"column:settings_version"`
	Settings        settingsRow `gorm:"embedded"`
	Seat1Profile    string      `gorm:"column:seat1_profile"`
	Seat1Name       string      `gorm:"column:seat1_name"`
	Seat1Rating     int64       `gorm:"column:seat1_rating"`
	Seat1Left       bool        `gorm:"column:seat1_left"`
	Seat1Wins       int         `gorm:"column:seat1_wins"`
	Seat2Kind       *string     `gorm:"column:seat2_kind"`
	Seat2Profile    *string     `gorm:"column:seat2_profile"`
	Seat2Name       *string     `gorm:"column:seat2_name"`
	Seat2Level      *string     `gorm:"column:seat2_level"`
	Seat2Rating     *int64      `gorm:"column:seat2_rating"`
	Seat2Left       bool        `gorm:"column:seat2_left"`
	Seat2Wins       int         `gorm:"column:seat2_wins"`
	Draws           int         `gorm:"column:draws"`
	GameID          *string     `gorm:"column:game_id"`
	NextFirst       *int        `gorm:"column:next_first"`
	ClientRef       *string     `gorm:"column:client_ref"`
	ClientRequest   *string     `gorm:"column:client_request"`
	Created         int64       `gorm:"column:created"`
	Active          int64       `gorm:"column:active"`
}

var tableColumns = slices.Concat(
	[]string{"id", "version", "status", "reason", "moved_to", "visibility", "invite_code", "ranked", "quick", "any_clock", "settings_version"}, settingsColumns,
	[]string{
		"seat1_profile", "seat1_name", "seat1_rating", "seat1_left", "seat1_wins",
		"seat2_kind", "seat2_profile", "seat2_name", "seat2_level", "seat2_rating", "seat2_left", "seat2_wins",
		"draws", "game_id", "next_first", "client_ref", "client_request", "created", "active",
	},
)

func (tableRow) TableName() string { return "tables" }

func newTableRow(t table.Table) tableRow {
	host, guest := t.Seats[game.HostSeat-1], t.Seats[game.GuestSeat-1]
	row := tableRow{
		ID: string(t.ID), Version: t.Version, Status: string(t.Status), Reason: nullable(t.Reason), MovedTo: nullable(t.MovedTo),
		Visibility: string(t.Visibility), InviteCode: nullable(t.Invite), Ranked: t.Ranked, Quick: t.Quick, AnyClock: t.AnyClock,
		SettingsVersion: t.SettingsVersion, Settings: newSettingsRow(t.Settings),
		Seat1Profile: string(host.Profile), Seat1Name: string(host.Name), Seat1Rating: int64(host.Rating), Seat1Left: host.Left, Seat1Wins: t.Score.Wins[0],
		Seat2Kind: nullable(guest.Kind), Seat2Profile: nullable(guest.Profile), Seat2Name: nullable(guest.Name),
		Seat2Level: nullable(guest.Level), Seat2Rating: ratingOf(guest.Kind, guest.Rating), Seat2Left: guest.Left, Seat2Wins: t.Score.Wins[1],
		Draws: t.Score.Draws, GameID: nil, NextFirst: number(t.NextFirst), ClientRef: nullable(canonical(t.ClientRef)), ClientRequest: nullable(t.ClientRequest),
		Created: micros(t.Created), Active: micros(t.Active),
	}
	if t.Game != nil {
		row.GameID = nullable(t.Game.ID)
	}
	return row
}

// cells are what may change at a table.
func (r tableRow) cells() []cell {
	return append([]cell{
		{"version", r.Version},
		{"status", r.Status},
		{"reason", value(r.Reason)},
		{"moved_to", value(r.MovedTo)},
		{"ranked", r.Ranked},
		{"settings_version", r.SettingsVersion},
		{"seat1_name", r.Seat1Name},
		{"seat1_rating", r.Seat1Rating},
		{"seat1_left", r.Seat1Left},
		{"seat1_wins", r.Seat1Wins},
		{"seat2_kind", value(r.Seat2Kind)},
		{"seat2_profile", value(r.Seat2Profile)},
		{"seat2_name", value(r.Seat2Name)},
		{"seat2_level", value(r.Seat2Level)},
		{"seat2_rating", value(r.Seat2Rating)},
		{"seat2_left", r.Seat2Left},
		{"seat2_wins", r.Seat2Wins},
		{"draws", r.Draws},
		{"game_id", value(r.GameID)},
		{"next_first", value(r.NextFirst)},
		{"client_ref", value(r.ClientRef)},
		{"client_request", value(r.ClientRequest)},
		{"active", r.Active},
	}, r.Settings.cells()...)
}

// canonical is how a UUID that somebody else made is kept: in small letters on both databases.
func canonical(ref string) string { return strings.ToLower(ref) }

// seatedRow is a row of tables with its game and what is known of its owners' presence; that is NULL while there is none.
type seatedRow struct {
	Table tableRow `gorm:"embedded"` // with a name, since GORM overlooks what is embedded and unexported
	Game  gameRow  `gorm:"embedded;embeddedPrefix:g_"`
	Seen1 *int64   `gorm:"column:seen1"`
	Seen2 *int64   `gorm:"column:seen2"`
	Away1 bool     `gorm:"column:away1"`
	Away2 bool     `gorm:"column:away2"`
}

const joinPresence = ` LEFT JOIN seat_presence p1 ON p1.table_id = t.id AND p1.seat = 1
LEFT JOIN seat_presence p2 ON p2.table_id = t.id AND p2.seat = 2`

var selectSeated = "SELECT " + selection("t", "", tableColumns) + ", " + selection("g", "g_", gameColumns) + `,
p1.last_seen AS seen1, p2.last_seen AS seen2, p1.said_away AS away1, p2.said_away AS away2
FROM tables t LEFT JOIN games g ON g.id = t.game_id` + joinPresence

func newSeatedRow(t table.Table) seatedRow {
	row := seatedRow{
		Table: newTableRow(t), Game: gameRow{}, Seen1: moment(t.Seats[0].Seen), Seen2: moment(t.Seats[1].Seen),
		Away1: t.Seats[0].SaidAway, Away2: t.Seats[1].SaidAway,
	}
	if t.Game != nil {
		row.Game = newGameRow(*t.Game)
	}
	return row
}

func (r seatedRow) table() (table.Table, error) {
	kept := r.Table
	t := table.Table{
		ID: table.ID(kept.ID), Version: kept.Version, Status: table.Status(kept.Status), Reason: table.CloseReason(text(kept.Reason)),
		MovedTo:    table.ID(text(kept.MovedTo)),
		Visibility: table.Visibility(kept.Visibility), Invite: table.InviteCode(text(kept.InviteCode)), Ranked: kept.Ranked, Quick: kept.Quick, AnyClock: kept.AnyClock,
		Settings: kept.Settings.settings(), SettingsVersion: kept.SettingsVersion,
		Seats: r.seats(),
		Score: table.Score{
			Games: kept.Seat1Wins + kept.Seat2Wins + kept.Draws, Wins: [2]int{kept.Seat1Wins, kept.Seat2Wins}, Draws: kept.Draws,
		},
		Game: nil, NextFirst: game.Seat(count(kept.NextFirst)), ClientRef: text(kept.ClientRef), ClientRequest: text(kept.ClientRequest), Created: at(kept.Created),
		Active: at(kept.Active),
	}
	if r.Game.ID == "" {
		return t, nil
	}
	g, err := r.Game.game()
	t.Game = &g
	return t, err
}

func (r seatedRow) seats() [2]table.Seat {
	kept := r.Table
	return [2]table.Seat{
		{
			Kind: game.Human, Profile: profile.ID(kept.Seat1Profile), Name: profile.Name(kept.Seat1Name), Deleted: kept.Seat1Name == "", Level: "",
			Rating: profile.Rating(kept.Seat1Rating),
			Left:   kept.Seat1Left, Seen: when(r.Seen1), SaidAway: r.Away1,
		},
		{
			Kind: game.Kind(text(kept.Seat2Kind)), Profile: profile.ID(text(kept.Seat2Profile)),
			Name: profile.Name(text(kept.Seat2Name)), Deleted: text(kept.Seat2Kind) == string(game.Human) && kept.Seat2Name == nil, Level: text(kept.Seat2Level), Rating: rating(kept.Seat2Rating),
			Left: kept.Seat2Left, Seen: when(r.Seen2), SaidAway: r.Away2,
		},
	}
}

// tablesFrom reads rows.
func tablesFrom(found []seatedRow) ([]table.Table, error) {
	list := make([]table.Table, 0, len(found))
	for _, row := range found {
		t, err := row.table()
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}
