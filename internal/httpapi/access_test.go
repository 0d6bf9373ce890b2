package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/admin"
)

// access is what an operation answers to whom.
type access struct {
	method, path string // with what stands for what is mine, see house.fill
	body         string
	headers      []header

	nobody  int // without a token
	mine    int // with the token of who the request is about
	theirs  int // with the token of somebody else's device
	admin   int
	revoked int // with a device token and an admin token that were right
}

// The operations are of four kinds, which differ in whom they let in. What an operation then answers to players and to
// nobody is the row's.
func everybodys(path string, nobody, theirs int) access {
	return access{"GET", path, "", nil, nobody, 200, theirs, 403, 401}
}

func players(method, path, body string, mine, theirs int) access {
	return access{method, path, body, nil, 401, mine, theirs, 403, 401}
}

func admins(method, path, body string, headers ...header) access {
	return access{method, path, body, headers, 401, 403, 403, 200, 401}
}

// anyones are those that look at no token, not even at one that was right.
func anyones(method, path, body string, status int) access {
	return access{method, path, body, nil, status, status, status, status, status}
}

func anything(path string) access { return anyones("GET", path, "", 200) }

const ruleEdit = `{"default":"off","options":["on","off"],"changeable":true,"reason":"quiet"}`

// accesses has a row for each operation of the contract. The table and the game are private and of two players, of whom
// one is "mine"; the game has not begun to be played.
var accesses = map[string]access{
	"openProfile":           anyones("POST", "/v1/profiles", `{}`, 201),
	"getProfile":            everybodys("/v1/profiles/{profile}", 200, 200),
	"listProfileGames":      everybodys("/v1/profiles/{profile}/games", 200, 200),
	"listProfileRatings":    everybodys("/v1/profiles/{profile}/ratings", 200, 200),
	"getHeadToHead":         everybodys("/v1/profiles/{profile}/record?against={opponent}", 200, 200),
	"getLeaderboard":        everybodys("/v1/leaderboard", 200, 200),
	"getMe":                 players("GET", "/v1/me", "", 200, 200),
	"deleteMe":              players("DELETE", "/v1/me", "", 204, 204),
	"exportMe":              players("GET", "/v1/me/export", "", 200, 200),
	"updateMe":              players("PATCH", "/v1/me", `{"display_name":"Jan"}`, 200, 200),
	"listMyTables":          players("GET", "/v1/me/tables", "", 200, 200),
	"listDevices":           players("GET", "/v1/me/devices", "", 200, 200),
	"revokeDevices":         players("DELETE", "/v1/me/devices", "", 204, 204),
	"revokeDevice":          players("DELETE", "/v1/me/devices/{device}", "", 204, 404),
	"createDeviceCode":      players("POST", "/v1/me/device-codes", "", 201, 201),
	"createDeviceToken":     anyones("POST", "/v1/device-tokens", `{"code":"{code}"}`, 404),
	"openTable":             players("POST", "/v1/tables", `{}`, 201, 201),
	"listTables":            everybodys("/v1/tables", 200, 200),
	"getTable":              everybodys("/v1/tables/{table}", 404, 404),
	"updateTable":           players("PATCH", "/v1/tables/{table}", `{"settings_version":1,"ranked":true}`, 409, 404),
	"setPresence":           players("PUT", "/v1/tables/{table}/presence", `{"state":"here"}`, 200, 404),
	"agreeRematch":          players("PUT", "/v1/tables/{table}/rematch", `{"game_id":"{game}"}`, 409, 404),
	"withdrawRematch":       players("DELETE", "/v1/tables/{table}/rematch?game_id={game}", "", 409, 404),
	"getInvite":             everybodys("/v1/invites/{invite}", 404, 404),
	"takeSeat":              players("POST", "/v1/tables/{table}/seats", `{}`, 200, 404),
	"leaveSeat":             players("DELETE", "/v1/tables/{table}/seats/me", "", 204, 404),
	"startQuickMatch":       players("POST", "/v1/quick-match", `{}`, 200, 200),
	"stopQuickMatch":        players("DELETE", "/v1/quick-match", "", 204, 204),
	"getGame":               everybodys("/v1/games/{game}", 404, 404),
	"listMoves":             everybodys("/v1/games/{game}/moves", 404, 404),
	"playMove":              players("POST", "/v1/games/{game}/moves", `{"column":4,"ply":1}`, 200, 404),
	"resignGame":            players("POST", "/v1/games/{game}/resignation", "", 200, 404),
	"getPicture":            everybodys("/v1/games/{game}/board.svg", 404, 404),
	"requestHint":           players("POST", "/v1/games/{game}/hint", "", 200, 404),
	"getAnalysis":           players("GET", "/v1/games/{game}/analysis", "", 409, 404),
	"getPosition":           everybodys("/v1/positions/121212", 200, 200),
	"getRules":              everybodys("/v1/rules", 200, 200),
	"listHouseRules":        everybodys("/v1/house-rules", 200, 200),
	"getHouseRule":          admins("GET", "/v1/admin/house-rules/cpu_cover", ""),
	"editHouseRule":         admins("PUT", "/v1/admin/house-rules/cpu_cover", ruleEdit, ifMatch(`"1"`)),
	"listHouseRuleVersions": admins("GET", "/v1/admin/house-rules/cpu_cover/history", ""),
	"restoreHouseRule":      admins("POST", "/v1/admin/house-rules/cover_level/rollback", `{"version":1,"reason":"loud"}`, ifMatch(`"1"`)),
	"listAuditEntries":      admins("GET", "/v1/admin/audit", ""),
	"listProblems":          everybodys("/v1/problems", 200, 200),
	"getService":            everybodys("/v1/service", 200, 200),
	"getHealth":             anything("/healthz"),
	"getReadiness":          anything("/readyz"),
	"getContract":           anything("/openapi.yaml"),
	"getContractJson":       anything("/openapi.json"),
}

// house is what requests of the rows are about, and who sends them.
type house struct {
	m                           match
	theirs                      player
	admin                       chief
	revokedDevice, revokedAdmin string
}

func newHouse(t *testing.T, w *world, name string) house {
	t.Helper()
	h := house{m: w.match(t, private), theirs: w.guest(t, "Jan"), admin: w.admin(t, "ola-"+name), revokedDevice: "", revokedAdmin: ""}
	lost := w.guest(t, "Ida")
	require.Less(t, lost.revokes(t, lost.device(t, true).ID).status, 300)
	left := w.admin(t, "left-"+name)
	require.NoError(t, w.admins().Revoke(t.Context(), admin.Name(left.name)))
	h.revokedDevice, h.revokedAdmin = lost.token, left.token
	w.db.Clock.Advance(2 * time.Second) // the longest that a revoked device token works on any replica
	return h
}

// fill puts what is mine into a path or body.
func (h house) fill(t *testing.T, text string) string {
	t.Helper()
	if strings.Contains(text, "{device}") {
		text = strings.ReplaceAll(text, "{device}", h.m.red.device(t, true).ID.String())
	}
	return strings.NewReplacer("{profile}", h.m.red.id.String(), "{opponent}", h.m.yellow.id.String(), "{table}", h.m.table.ID.String(),
		"{game}", h.m.game.String(), "{invite}", *h.m.table.InviteCode, "{code}", "7GQ2M9XKPA").Replace(text)
}

// Every operation against every kind of token.
func TestEveryOperationOpensToWhoMayAndNobodyElse(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		all := operations(t)
		assert.GreaterOrEqual(t, len(all), len(accesses), "a row is of no operation")
		for _, o := range all {
			row, found := accesses[o.id]
			if !assert.True(t, found, "%s has no row: add one to accesses in access_test.go that says what it answers without a token, "+
				"to who it is about, and to another player (everybodys, players or admins)", o.id) {
				continue
			}
			h := newHouse(t, w, strings.ToLower(o.id))
			path, body := h.fill(t, row.path), h.fill(t, row.body)
			for _, try := range []struct {
				whose, token string
				want         int
			}{ // mine comes last, since it may change what the others see
				{"nobody's", "", row.nobody},
				{"a revoked device", h.revokedDevice, row.revoked},
				{"a revoked admin", h.revokedAdmin, row.revoked},
				{"an admin", h.admin.token, row.admin},
				{"another player", h.theirs.token, row.theirs},
				{"mine", h.m.red.token, row.mine},
			} {
				headers := row.headers
				if try.token != "" {
					headers = append([]header{bearer(try.token)}, headers...)
				}
				answered := w.send(t, row.method, path, body, headers...)
				assert.Equal(t, try.want, answered.status, "%s: %s: %s", o.id, try.whose, answered.body)
				assert.True(t, o.declares(answered.status), "%s: %s: the contract does not say %d", o.id, try.whose, answered.status)
			}
		}
	}, configured("RATE_LIMIT=off"))
}
