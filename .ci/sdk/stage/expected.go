package main

// settings are the service's: a program plays faster than people, but one that asks for its export a second time is refused.
var settings = []string{
	"RATE_TOKEN_PER_SECOND=100000", "RATE_TOKEN_BURST=100000", "RATE_MOVES_PER_SECOND=100000", "RATE_INSIGHTS_PER_SECOND=100000",
	"RATE_PROFILES_PER_HOUR=100000", "RATE_PROFILES_PER_SECOND=100000", "RATE_GAMES_PER_HOUR=100000",
	"RATE_ANONYMOUS_PER_SECOND=100000", "RATE_FAILURES_PER_MINUTE=100000", "RATE_EXPORTS_PER_HOUR=1",
}

// expected is how often each answer has to come through the bad network, at least, whether it was cut off or not.
var expected = map[string]int{
	"openProfile 201":       2,
	"getMe 401":             1,
	"openTable 201":         1,
	"getInvite 200":         1,
	"takeSeat 200":          1,
	"getGame 200":           10,
	"getTable 200":          1,
	"playMove 200":          20,
	"playMove 400":          1,
	"playMove 403":          1,
	"playMove 409":          1,
	"playMove 422":          1,
	"getGame 404":           1,
	"exportMe 429":          1,
	"setPresence 200":       2,
	"agreeRematch 200":      2,
	"requestHint 200":       1,
	"getPicture 200":        1,
	"startQuickMatch 200":   2,
	"listProfileGames 200":  2,
	"createDeviceCode 201":  1,
	"createDeviceToken 201": 1,
	"deleteMe 204":          1,
	"getHouseRule 200":      1,
	"editHouseRule 200":     1,
	"editHouseRule 412":     1,
}

// expectedLater is the same of the strange gateway.
var expectedLater = map[string]int{
	"openProfile 201": 1,
	"openTable 201":   1,
	"playMove 200":    3,
	"getGame 200":     1,
	"playMove 409":    1,
}
