package httpapi

import (
	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// toTable converts a table. The invite code is shown to the seated alone.
func toTable(v service.TableView) api.Table {
	t := v.Table
	shown := api.Table{
		ID: idOf(t.ID), Version: t.Version, Status: string(t.Status), CloseReason: optional(string(t.Reason)),
		Visibility: api.Visibility(t.Visibility), InviteCode: nil, HostProfileID: idOf(t.Host()), URL: optional(v.URL),
		Settings: toSettings(t.Settings), Seats: make([]api.TableSeat, 0, len(t.Seats)),
		CurrentGame: toCurrentGame(t.Game), CurrentGameID: toCurrentGameID(t.Game), MySeat: optional(int32Of(v.MySeat)),
		CreatedAt: timeOf(t.Created), PollAfterMs: pollAfterOf(v.PollAfter, v.Polls),
	}
	if v.MySeat != game.NoSeat {
		shown.InviteCode = optional(string(t.Invite))
	}
	for i, seat := range t.Seats {
		shown.Seats = append(shown.Seats, toTableSeat(i+1, seat))
	}
	return shown
}

func toTableSeat(number int, s table.Seat) api.TableSeat {
	if s.Free() {
		return api.TableSeat{
			Seat: int32Of(number), State: api.SeatStateFree, Kind: nil, ProfileID: nil, DisplayName: nil,
		}
	}
	return api.TableSeat{
		Seat: int32Of(number), State: api.SeatStateTaken, Kind: new(kindHuman),
		ProfileID: new(idOf(s.Profile)), DisplayName: new(string(s.Name)),
	}
}

// toCurrentGame converts the game of a table; nil before it begins.
func toCurrentGame(g *table.GameSummary) *api.CurrentGame {
	if g == nil {
		return nil
	}
	return &api.CurrentGame{
		ID: idOf(g.ID), Number: int32Of(g.Number), Status: string(g.Status), TurnSeat: optional(int32Of(g.TurnSeat)),
		Ply: int32Of(g.Ply), Version: g.Version,
	}
}

func toCurrentGameID(g *table.GameSummary) *uuid.UUID {
	if g == nil {
		return nil
	}
	return new(idOf(g.ID))
}
