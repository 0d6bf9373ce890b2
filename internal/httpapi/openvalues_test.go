package httpapi_test

import "github.com/fourinarow/fourinarow/api"

// Values of open sets that tests look for; the contract lists them, but generates no names for them.
const (
	presenceHere      api.SeatPresence    = "here"
	presenceAway      api.SeatPresence    = "away"
	controllerPlayer  api.SideController  = "player"
	controllerCPU     api.SideController  = "cpu"
	moverPlayer       api.Mover           = "player"
	moverCPU          api.Mover           = "cpu"
	seatFree          api.SeatState       = "free"
	seatTaken         api.SeatState       = "taken"
	verdictBest       api.Verdict         = "best"
	visibilityPublic  api.TableVisibility = "public"
	visibilityPrivate api.TableVisibility = "private"
)
