package store

import (
	"strings"

	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/table"
)

// tableRow is a row of tables.
type tableRow struct {
	ID               string  `gorm:"column:id"`
	Version          int64   `gorm:"column:version"`
	Status           string  `gorm:"column:status"`
	Reason           *string `gorm:"column:reason"`
	Visibility       string  `gorm:"column:visibility"`
	InviteCode       *string `gorm:"column:invite_code"`
	FirstPlayer      string  `gorm:"column:first_player"`
	EndDeadPositions bool    `gorm:"column:end_dead_positions"`
	Seat1Profile     string  `gorm:"column:seat1_profile"`
	Seat1Name        string  `gorm:"column:seat1_name"`
	Seat2Profile     *string `gorm:"column:seat2_profile"`
	Seat2Name        *string `gorm:"column:seat2_name"`
	GameID           *string `gorm:"column:game_id"`
	ClientRef        *string `gorm:"column:client_ref"`
	Created          int64   `gorm:"column:created"`
}

func (tableRow) TableName() string { return "tables" }

func newTableRow(t table.Table) tableRow {
	host, guest := t.Seats[game.HostSeat-1], t.Seats[game.GuestSeat-1]
	row := tableRow{
		ID: string(t.ID), Version: t.Version, Status: string(t.Status), Reason: nullable(t.Reason),
		Visibility: string(t.Visibility), InviteCode: nullable(t.Invite),
		FirstPlayer: t.Settings.FirstPlayer, EndDeadPositions: t.Settings.EndDeadPositions,
		Seat1Profile: string(host.Profile), Seat1Name: string(host.Name),
		Seat2Profile: nullable(guest.Profile), Seat2Name: nullable(guest.Name),
		GameID: nil, ClientRef: nullable(canonical(t.ClientRef)), Created: micros(t.Created),
	}
	if t.Game != nil {
		row.GameID = nullable(t.Game.ID)
	}
	return row
}

// canonical is how a UUID that somebody else made is kept: in small letters on both databases.
func canonical(ref string) string { return strings.ToLower(ref) }

// seatedRow is a row of tables with what a table shows of its game; that is NULL while there is none.
type seatedRow struct {
	Table       tableRow `gorm:"embedded"` // with a name, since GORM overlooks what is embedded and unexported
	GameNumber  *int     `gorm:"column:game_number"`
	GameStatus  *string  `gorm:"column:game_status"`
	GamePly     *int     `gorm:"column:game_ply"`
	GameVersion *int64   `gorm:"column:game_version"`
	GameRedSeat *int     `gorm:"column:game_red_seat"`
}

const selectSeated = `SELECT t.id, t.version, t.status, t.reason, t.visibility, t.invite_code, t.first_player, t.end_dead_positions,
t.seat1_profile, t.seat1_name, t.seat2_profile, t.seat2_name, t.game_id, t.client_ref, t.created,
g.number AS game_number, g.status AS game_status, g.ply AS game_ply, g.version AS game_version, g.red_seat AS game_red_seat
FROM tables t LEFT JOIN games g ON g.id = t.game_id`

func (r seatedRow) table() table.Table {
	kept := r.Table
	return table.Table{
		ID: table.ID(kept.ID), Version: kept.Version, Status: table.Status(kept.Status), Reason: table.CloseReason(text(kept.Reason)),
		Visibility: table.Visibility(kept.Visibility), Invite: table.InviteCode(text(kept.InviteCode)),
		Settings: game.Settings{FirstPlayer: kept.FirstPlayer, EndDeadPositions: kept.EndDeadPositions},
		Seats: [2]table.Seat{
			{Profile: profile.ID(kept.Seat1Profile), Name: profile.Name(kept.Seat1Name)},
			{Profile: profile.ID(text(kept.Seat2Profile)), Name: profile.Name(text(kept.Seat2Name))},
		},
		Game: r.summary(), ClientRef: text(kept.ClientRef), Created: at(kept.Created),
	}
}

func (r seatedRow) summary() *table.GameSummary {
	if r.GameNumber == nil {
		return nil
	}
	s := &table.GameSummary{
		ID: game.ID(text(r.Table.GameID)), Number: *r.GameNumber, Status: game.Status(text(r.GameStatus)),
		Ply: *r.GamePly, Version: *r.GameVersion, TurnSeat: game.NoSeat,
	}
	if s.Status != game.InProgress {
		return s
	}
	s.TurnSeat = game.Seat(*r.GameRedSeat)
	if s.Ply%2 == 1 { // red has moved last
		s.TurnSeat = game.HostSeat + game.GuestSeat - s.TurnSeat
	}
	return s
}
