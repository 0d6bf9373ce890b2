package httpapi

import (
	"time"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// toTable converts a table. The invite code is shown to the seated alone.
func toTable(v service.TableView) api.GameTable {
	t := v.Table
	shown := api.GameTable{
		ID: idOf(t.ID), Version: t.Version, Status: string(t.Status), CloseReason: optional(string(t.Reason)), MovedToTableID: nil,
		Visibility: api.TableVisibility(t.Visibility), InviteCode: nil, HostProfileID: nil, URL: optional(v.URL),
		Settings: toSettings(t.Settings), SettingsVersion: t.SettingsVersion, Ranked: t.Ranked, QuickMatch: optional(t.Quick),
		Seats: make([]api.TableSeat, 0, len(t.Seats)), Score: toScore(t.Score),
		CurrentGame: nil, CurrentGameID: nil, NextFirstSeat: optional(int32Of(t.NextFirst)),
		MySeat:    optional(int32Of(v.MySeat)),
		CreatedAt: timeOf(t.Created), ExpiresAt: nil, PollAfterMs: pollAfterOf(v.PollAfter, v.Polls),
	}
	if !t.Seats[game.HostSeat-1].Deleted {
		shown.HostProfileID = new(idOf(t.Host()))
	}
	if t.MovedTo != "" {
		shown.MovedToTableID = new(idOf(t.MovedTo))
	}
	if t.Game != nil {
		shown.CurrentGame, shown.CurrentGameID = toCurrentGame(*t.Game, v.Deadline), new(idOf(t.Game.ID))
	}
	if expires := t.Expires(); !expires.IsZero() {
		shown.ExpiresAt = new(timeOf(expires))
	}
	if v.MySeat != game.NoSeat {
		shown.InviteCode = optional(string(t.Invite))
	}
	for i := range t.Seats {
		shown.Seats = append(shown.Seats, toTableSeat(t, game.Seat(i+1)))
	}
	return shown
}

// The states of a seat on the wire.
const (
	seatFree  api.SeatState = "free"
	seatTaken api.SeatState = "taken"
)

func toTableSeat(t table.Table, number game.Seat) api.TableSeat {
	s := t.Seats[number-1]
	shown := api.TableSeat{
		Seat: int32Of(number), State: seatFree, Kind: nil, ProfileID: nil, DisplayName: nil, Rating: nil, CPULevel: nil,
		WantsRematch: nil,
	}
	if s.Free() {
		return shown
	}
	shown.State, shown.Kind = seatTaken, new(string(s.Kind))
	shown.WantsRematch = new(t.Game != nil && t.Game.Player(t.Game.SideIn(number)).Rematch)
	switch {
	case s.Kind == game.CPU:
		shown.CPULevel = new(s.Level)
	case s.Deleted:
		shown.Kind, shown.Rating = new(kindDeleted), new(ratingOf(s.Rating))
	default:
		shown.ProfileID, shown.DisplayName, shown.Rating = new(idOf(s.Profile)), new(string(s.Name)), new(ratingOf(s.Rating))
	}
	return shown
}

func toScore(s table.Score) api.TableScore {
	return api.TableScore{
		Games: int32Of(s.Games), Seat1Wins: int32Of(s.Wins[0]), Seat2Wins: int32Of(s.Wins[1]), Draws: int32Of(s.Draws),
	}
}

// toCurrentGame converts the game of a table, in short.
func toCurrentGame(g game.Game, deadline time.Time) *api.CurrentGame {
	shown := api.CurrentGame{
		ID: idOf(g.ID), Number: int32Of(g.Number), Status: string(g.Status), TurnSeat: nil, Ply: int32Of(g.Ply()),
		Version: g.Version, MoveDeadline: deadlineOf(deadline),
	}
	if !g.Over() {
		shown.TurnSeat = new(int32Of(g.Player(g.Turn()).Seat))
	}
	return &shown
}
