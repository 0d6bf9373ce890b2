package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// DeleteMe lets the caller leave for good.
func (s *server) DeleteMe(ctx context.Context, _ api.DeleteMeRequestObject) (api.DeleteMeResponseObject, error) {
	if err := s.leaving.Delete(ctx, callerOf(ctx)); err != nil {
		return nil, err
	}
	return api.DeleteMe204Response{}, nil
}

// ExportMe returns everything that is stored about the caller.
func (s *server) ExportMe(ctx context.Context, _ api.ExportMeRequestObject) (api.ExportMeResponseObject, error) {
	c := callerOf(ctx)
	all, err := s.leaving.Export(ctx, c)
	if err != nil {
		return nil, err
	}
	return api.ExportMe200JSONResponse(toExport(all, c)), nil
}

func toExport(all service.Export, c service.Caller) api.PlayerExport {
	shown := api.PlayerExport{
		ExportedAt: timeOf(all.At), Profile: toOwnProfile(all.Profile), Devices: make([]api.PlayerDevice, 0, len(all.Devices)),
		DeviceCodes: make([]api.ExportedCode, 0, len(all.Codes)), Tables: make([]api.ExportedTable, 0, len(all.Tables)),
		Games: make([]api.Game, 0, len(all.Games)), Moves: make([]api.ExportedMoves, 0, len(all.Games)),
	}
	for _, d := range all.Devices {
		shown.Devices = append(shown.Devices, toDevice(d, c.Device))
	}
	for _, expires := range all.Codes {
		shown.DeviceCodes = append(shown.DeviceCodes, api.ExportedCode{ExpiresAt: timeOf(expires)})
	}
	for _, v := range all.Tables {
		shown.Tables = append(shown.Tables, toExportedTable(v))
	}
	for _, v := range all.Games {
		shown.Games = append(shown.Games, toGame(v))
		shown.Moves = append(shown.Moves, api.ExportedMoves{GameID: idOf(v.Game.ID), Items: toMoves(v.Game.Played())})
	}
	return shown
}

// toExportedTable converts a table with what is stored of its owner's presence there.
func toExportedTable(v service.TableView) api.ExportedTable {
	seat := v.Table.Seats[v.MySeat-1]
	shown := api.ExportedTable{Table: toTable(v), LastSeenAt: nil, SaidAway: seat.SaidAway, ClientRef: nil}
	if !seat.Seen.IsZero() {
		shown.LastSeenAt = new(timeOf(seat.Seen))
	}
	if v.Table.ClientRef != "" && v.MySeat == game.HostSeat {
		shown.ClientRef = new(idOf(table.ID(v.Table.ClientRef)))
	}
	return shown
}
