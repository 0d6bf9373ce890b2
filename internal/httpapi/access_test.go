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
	revoked int // with a token that opens nothing: made up, or of a device, a player or an admin who had one once
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

// accesses has a row for each operation of the contract, see seenByKind too. The table and the game are private and of
// two players, of whom one is "mine"; the game has not begun to be played.
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

// seen is what an operation answers about a table or a game to who may look at it.
type seen struct{ nobody, watcher, mine int }

// kindsOfGames are those that accesses, whose game is private, doesn't speak of.
var kindsOfGames = []struct {
	kind, table string
	finished    bool
}{{"public", public, false}, {"finished", public, true}, {"ranked", ranked, false}}

// seenByKind has a row for each operation that names a table or a game, with the kinds in the order of kindsOfGames.
var seenByKind = map[string][3]seen{
	"getTable":        {{200, 200, 200}, {200, 200, 200}, {200, 200, 200}},
	"updateTable":     {{401, 403, 409}, {401, 403, 200}, {401, 403, 409}},
	"setPresence":     {{401, 403, 200}, {401, 403, 200}, {401, 403, 200}},
	"agreeRematch":    {{401, 403, 409}, {401, 403, 200}, {401, 403, 409}},
	"withdrawRematch": {{401, 403, 409}, {401, 403, 200}, {401, 403, 409}},
	"takeSeat":        {{401, 409, 200}, {401, 409, 200}, {401, 409, 200}},
	"leaveSeat":       {{401, 403, 204}, {401, 403, 204}, {401, 403, 204}},
	"getGame":         {{200, 200, 200}, {200, 200, 200}, {200, 200, 200}},
	"listMoves":       {{200, 200, 200}, {200, 200, 200}, {200, 200, 200}},
	"playMove":        {{401, 403, 200}, {401, 403, 409}, {401, 403, 200}},
	"resignGame":      {{401, 403, 200}, {401, 403, 409}, {401, 403, 200}},
	"getPicture":      {{200, 200, 200}, {200, 200, 200}, {200, 200, 200}},
	"requestHint":     {{401, 403, 200}, {401, 403, 409}, {401, 403, 403}},
	"getAnalysis":     {{401, 409, 409}, {401, 200, 200}, {401, 409, 403}},
}

// house is what requests of the rows are about, and who sends them.
type house struct {
	m      match
	theirs player
	admin  chief
	wrong  map[string]string // tokens that open nothing, by what they are
}

func newHouse(t *testing.T, w *world, name string) house {
	t.Helper()
	lost, gone, left := w.guest(t, "Ida"), w.guest(t, "Eva"), w.admin(t, "left-"+name)
	require.Less(t, lost.revokes(t, lost.device(t, true).ID).status, 300)
	require.Less(t, gone.send(t, "DELETE", "/v1/me", "").status, 300)
	require.NoError(t, w.admins().Revoke(t.Context(), admin.Name(left.name)))
	h := house{
		m: w.match(t, private), theirs: w.guest(t, "Jan"), admin: w.admin(t, "ola-"+name),
		wrong: map[string]string{
			"garbage": "garbage", "a revoked device": lost.token, "a deleted player": gone.token, "a revoked admin": left.token,
		},
	}
	w.db.Clock.Advance(2 * time.Second) // the longest that a revoked device token works on any replica
	return h
}

// fill puts what is mine into a path or body.
func (h house) fill(t *testing.T, text string) string {
	t.Helper()
	if strings.Contains(text, "{device}") {
		text = strings.ReplaceAll(text, "{device}", h.m.red.device(t, true).ID.String())
	}
	if strings.Contains(text, "{invite}") {
		text = strings.ReplaceAll(text, "{invite}", *h.m.table.InviteCode)
	}
	return strings.NewReplacer("{profile}", h.m.red.id.String(), "{opponent}", h.m.yellow.id.String(),
		"{table}", h.m.table.ID.String(), "{game}", h.m.game.String(), "{code}", "7GQ2M9XKPA").Replace(text)
}

// answers sends an operation with every kind of token.
func (h house) answers(t *testing.T, w *world, o declared, kind string, row access) {
	t.Helper()
	path, body := h.fill(t, row.path), h.fill(t, row.body)
	expect := func(whose, token string, want int) {
		headers := row.headers
		if token != "" {
			headers = append([]header{bearer(token)}, headers...)
		}
		answered := w.send(t, row.method, path, body, headers...)
		assert.Equal(t, want, answered.status, "%s, %s: %s: %s", o.id, kind, whose, answered.body)
		assert.True(t, o.declares(answered.status), "%s, %s: %s: the contract does not say %d", o.id, kind, whose, answered.status)
	}
	for whose, token := range h.wrong {
		expect(whose, token, row.revoked)
	}
	expect("nobody's", "", row.nobody)
	expect("an admin", h.admin.token, row.admin)
	expect("another player", h.theirs.token, row.theirs)
	expect("mine", h.m.red.token, row.mine) // last, since it may change what the others see
}

// answersByKind asks an operation that names a table or a game about each kind of these.
func (h house) answersByKind(t *testing.T, w *world, o declared, row access) {
	t.Helper()
	rows, found := seenByKind[o.id]
	if !assert.True(t, found, "%s has no row: add one to seenByKind in access_test.go", o.id) {
		return
	}
	for i, kind := range kindsOfGames {
		h.m = w.match(t, kind.table)
		if kind.finished {
			require.Equal(t, 200, h.m.yellow.post(t, gamePath(h.m.game)+"/resignation", "").status)
		}
		row.nobody, row.theirs, row.mine = rows[i].nobody, rows[i].watcher, rows[i].mine
		h.answers(t, w, o, kind.kind, row)
	}
}

// Every operation against every kind of token, and where it names a table or a game, of every kind of these.
func TestEveryOperationOpensToWhoMayAndNobodyElse(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		all := operations(t)
		assert.GreaterOrEqual(t, len(all), len(accesses), "a row is of no operation")
		named := 0
		for _, o := range all {
			row, found := accesses[o.id]
			if !assert.True(t, found, "%s has no row: add one to accesses in access_test.go that says what it answers without a token, "+
				"to who it is about, and to another player (everybodys, players or admins)", o.id) {
				continue
			}
			h := newHouse(t, w, strings.ToLower(o.id))
			h.answers(t, w, o, "private", row)
			if !strings.Contains(o.pattern, "{table_id}") && !strings.Contains(o.pattern, "{game_id}") {
				continue
			}
			named++
			h.answersByKind(t, w, o, row)
		}
		assert.Len(t, seenByKind, named, "a row is of no operation")
	}, configured("RATE_LIMIT=off"))
}
