package text

import "github.com/fourinarow/fourinarow/internal/fault"

var problemsInEnglish = map[fault.Code]wording{
	fault.InvalidRequest: {
		"The request does not fit the contract",
		"A field or a parameter is missing, unknown, sent twice, of the wrong type or out of range. `errors` says " +
			"which and why. Change the request; sending it again as it is will not help.",
	},
	fault.MalformedJSON: {
		"The body is not proper JSON",
		"The body is not one JSON document in UTF-8, holds a NUL, or is nested too deep. Mend what writes it.",
	},
	fault.InvalidName: {
		"This name cannot be used",
		"A display name has 1 to 32 characters, at least one of them visible, and none that controls the text around " +
			"it. Choose another.",
	},
	fault.NoToken: {
		"A valid token is needed",
		"The request has no token, or one that nobody holds. Send `Authorization: Bearer` with the token that came " +
			"with the profile; without one, open a profile.",
	},
	fault.NotAllowed: {
		"You may not do this",
		"The token is valid, but it does not allow this. Another token may.",
	},
	fault.NotSeated: {
		"You have no seat here",
		"Only the two players may do this. Watching needs no seat.",
	},
	fault.NotHost: {
		"Only the host may do this",
		"The player who opened the table decides about its settings. The other seat may agree to a game under them, or not.",
	},
	fault.RankedGameRunning: {
		"Not while you play a ranked game",
		"Scores, hints and analyses come from perfect play, and whoever has a seat in a running ranked game gets none. Ask " +
			"again when it is over.",
	},
	fault.NotFound: {
		"There is nothing here",
		"There is no such thing, or it is private and not yours to see; the answer is the same for both. A wrong " +
			"invite code is answered like this too.",
	},
	fault.MethodNotAllowed: {
		"This path does not take this method",
		"The path is right, the method is not. `Allow` lists those it takes.",
	},
	fault.StalePly: {
		"This ply has been played already, or lies ahead",
		"The move names a ply that is not the next one. The answer carries the game as it is now.",
	},
	fault.NotYourTurn: {
		"It is the other side's turn",
		"Wait for the other player's move. The answer carries the game as it is now.",
	},
	fault.TimeIsUp: {
		"The time for this move was up",
		"The move arrived after the deadline. The answer carries the game as it is now: lost, or with the CPU to make " +
			"this one ply.",
	},
	fault.GameFinished: {
		"The game is over",
		"The game ended before the request arrived. The answer carries it, with its result.",
	},
	fault.GameRunning: {
		"The game is still running",
		"This is for finished games, or for tables that wait or are between games. The answer carries the table or the game " +
			"as it is now; follow it to the end.",
	},
	fault.StaleGame: {
		"This is not the last game of the table",
		"An agreement to another game names the finished one it follows. The answer carries the table as it is now, with " +
			"its last game.",
	},
	fault.StaleVersion: {
		"The settings have changed meanwhile",
		"The request names another version of the settings than the table has. The answer carries the table as it is now; " +
			"look at its settings and send the request again with its `settings_version`.",
	},
	fault.SeatTaken: {
		"This seat is taken",
		"Another player was faster. The answer carries the table where you may see it. Find or open another table.",
	},
	fault.TableClosed: {
		"The table is closed",
		"Nobody can sit down here any more, and nothing follows its last game. Find or open another table.",
	},
	fault.TooManyTables: {
		"You have too many open tables",
		"A profile may sit at a limited number of open tables; `GET /v1/service` says how many. Leave one, or finish " +
			"a game.",
	},
	fault.AlreadyMatched: {
		"An opponent has been found already",
		"Quick match cannot be given up any more: the game has begun. The answer carries the table. Play, leave or resign.",
	},
	fault.QuickMatchWaiting: {
		"The table waits for a quick match",
		"Who meets here wants these settings, so they stay as they are while the table waits. Change them between games.",
	},
	fault.TooManyDevices: {
		"You have too many devices",
		"A profile may have a limited number of devices. `GET /v1/me/devices` lists them; revoke one that is no longer used.",
	},
	fault.CodeExpired: {
		"This code lets nobody in",
		"The code is wrong, was used before, or is older than ten minutes; the answer is the same for all three. Ask a device " +
			"of the player for a new one.",
	},
	fault.BodyTooLarge: {
		"The body is too large",
		"`GET /v1/service` says how many bytes a body may have. No request of this service needs more.",
	},
	fault.UnsupportedMediaType: {
		"Send the body as application/json",
		"The body has another content type, or none. Send JSON in UTF-8 and say so in `Content-Type`.",
	},
	fault.ColumnFull: {
		"This column is full",
		"The column has no free field left. Play one of `legal_columns`.",
	},
	fault.ImpossibleMoves: {
		"No game can have these moves",
		"A move goes into a full column, or comes after a win. `errors` says which.",
	},
	fault.RuleNotChangeable: {
		"A host may not change this rule",
		"The service decides this rule for all tables. Leave it out.",
	},
	fault.OptionNotOffered: {
		"This option is not on offer",
		"The rule has other options. `detail` names them.",
	},
	fault.CPUTableNotRanked: {
		"A table against the CPU is not ranked",
		"Ranked games are between two people. Leave `ranked` out, or play a person.",
	},
	fault.InvalidRule: {
		"The rule cannot be like this",
		"A house rule needs at least one option on offer, options that the service knows, and a default among them. A version " +
			"from before can only be restored while that still holds. `detail` says what is wrong.",
	},
	fault.PreconditionFailed: {
		"Somebody has edited this meanwhile",
		"`If-Match` names another version than the rule has. The answer carries the rule as it is now; look at it and send the " +
			"edit again with its version.",
	},
	fault.VersionRequired: {
		"Say which version you edit",
		"An edit needs `If-Match` with the `ETag` of the rule it was made for, so that two admins do not overwrite one another.",
	},
	fault.RateLimited: {
		"Too many requests",
		"Wait `retry_after_ms` and send the request again. `RateLimit-Limit`, `RateLimit-Remaining` and " +
			"`RateLimit-Reset` on every answer help to stay below the limit.",
	},
	fault.Internal: {
		"Something went wrong on our side",
		"The fault is the service's. `request_id` finds it in the log of whoever runs the service.",
	},
	fault.Away: {
		"The service is not available right now",
		"The database does not answer, the service is about to stop, or too many ask for what takes long. Nothing was " +
			"done. Send the same request again after `retry_after_ms`.",
	},
	fault.OutcomeUnknown: {
		"It is not known whether this was done",
		"The connection to the database broke while the answer was awaited. Send the same request again: it is not " +
			"done twice.",
	},
}
