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
	tableRow
	GameNumber  *int
	GameStatus  *string
	GamePly     *int
	GameVersion *int64
	GameRedSeat *int
}

const selectSeated = `SELECT t.id, t.version, t.status, t.reason, t.visibility, t.invite_code, t.first_player, t.end_dead_positions,
t.seat1_profile, t.seat1_name, t.seat2_profile, t.seat2_name, t.game_id, t.client_ref, t.created,
g.number, g.status, g.ply, g.version, g.red_seat
FROM tables t LEFT JOIN games g ON g.id = t.game_id`

// targets is in the order of selectSeated.
func (r *seatedRow) targets() []any {
	return []any{
		&r.ID, &r.Version, &r.Status, &r.Reason, &r.Visibility, &r.InviteCode, &r.FirstPlayer, &r.EndDeadPositions,
		&r.Seat1Profile, &r.Seat1Name, &r.Seat2Profile, &r.Seat2Name, &r.GameID, &r.ClientRef, &r.Created,
		&r.GameNumber, &r.GameStatus, &r.GamePly, &r.GameVersion, &r.GameRedSeat,
	}
}

func (r seatedRow) table() table.Table {
	return table.Table{
		ID: table.ID(r.ID), Version: r.Version, Status: table.Status(r.Status), Reason: table.CloseReason(text(r.Reason)),
		Visibility: table.Visibility(r.Visibility), Invite: table.InviteCode(text(r.InviteCode)),
		Settings: game.Settings{FirstPlayer: r.FirstPlayer, EndDeadPositions: r.EndDeadPositions},
		Seats: [2]table.Seat{
			{Profile: profile.ID(r.Seat1Profile), Name: profile.Name(r.Seat1Name)},
			{Profile: profile.ID(text(r.Seat2Profile)), Name: profile.Name(text(r.Seat2Name))},
		},
		Game: r.summary(), ClientRef: text(r.ClientRef), Created: at(r.Created),
	}
}

func (r seatedRow) summary() *table.GameSummary {
	if r.GameNumber == nil {
		return nil
	}
	s := &table.GameSummary{
		ID: game.ID(text(r.GameID)), Number: *r.GameNumber, Status: game.Status(text(r.GameStatus)),
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
