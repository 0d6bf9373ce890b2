package httpapi_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// change is a field that a later program answers otherwise, in the answers about the databases of a folder and of those
// before it.
type change struct {
	upTo   string         // the last folder whose answers it changes
	path   *regexp.Regexp // of what is asked for
	field  string         // names with dots between, * for each item of a list; "" is the whole answer, "status" its status too
	reason string
}

// intended are the changes that were made on purpose. One that changes nothing fails the test.
var intended = []change{
	{"0005", regexp.MustCompile(`/board\.svg\?.*lang=pl$`), "", "a disc is a krążek in Polish, and a row a rząd"},
	{"0005", regexp.MustCompile(`^/v1/tables/[0-9a-f-]+$`), "seats.*.rating", ratingsAtTables},
	{"0005", regexp.MustCompile(`^/v1/me/tables`), "items.*.seats.*.rating", ratingsAtTables},
	{"0005", regexp.MustCompile(`^/v1/me/export`), "tables.*.table.seats.*.rating", ratingsAtTables},
	{"0005", regexp.MustCompile(`^/v1/tables/[0-9a-f-]+$`), "version", ratingsAtTables},
	{"0005", regexp.MustCompile(`^/v1/me/tables`), "items.*.version", ratingsAtTables},
	{"0005", regexp.MustCompile(`^/v1/me/export`), "tables.*.table.version", ratingsAtTables},
}

const ratingsAtTables = "a seat shows the rating after the table's last game, and the version tells of it"

// texts are fields that say what the program says, not what is in the database.
var texts = []change{
	{path: regexp.MustCompile(`.`), field: "type"},
	{path: regexp.MustCompile(`.`), field: "title"},
	{path: regexp.MustCompile(`.`), field: "detail"},
	{path: regexp.MustCompile(`^/v1/house-rules`), field: "items.*.name"},
	{path: regexp.MustCompile(`^/v1/house-rules`), field: "items.*.description"},
	{path: regexp.MustCompile(`^/v1/admin/house-rules/[a-z_]+$`), field: "name"},
	{path: regexp.MustCompile(`^/v1/admin/house-rules/[a-z_]+$`), field: "description"},
}

// ofRules are the fields of the page of the rules that come from the database.
var ofRules = []string{"defaults", "house_rules", "open_table"}

// What an older program has left in a database is there under today's, answered as then, and goes on. The soak asks for
// everything that was answered.
func TestWhatOlderProgramsHaveLeftIsCarriedOver(t *testing.T) {
	t.Parallel()
	carryAllOver(t, 5)
}

// carryAllOver carries every database over that is kept, and asks for one in so many of the answers of each kind.
func carryAllOver(t *testing.T, oneIn int) {
	t.Helper()
	folders, err := kept.Folders(filepath.Join("..", "..", "migrations", "testdata"))
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, folder := range folders {
		for dialect, files := range map[string][2]string{
			"sqlite": {kept.SQLite, kept.SQLiteAnswers}, "postgres": {kept.Postgres, kept.PostgresAnswers},
		} {
			t.Run(filepath.Base(folder)+" "+dialect, func(t *testing.T) {
				t.Parallel()
				content, err := kept.Unpack(filepath.Join(folder, files[0]))
				require.NoError(t, err)
				record, err := kept.Read(filepath.Join(folder, files[1]))
				require.NoError(t, err)
				restored := testkit.RestoredSQLite
				if dialect == "postgres" {
					restored = testkit.RestoredPostgres
				}
				record.Answers = sample(record.Answers, oneIn)
				carriesOver(t, restored(t, content), record, filepath.Base(folder))
			})
		}
	}
}

// anyID is an id of anything.
var anyID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// sample is the first answer of each kind, and one in so many of those after it.
func sample(answers []kept.Answer, oneIn int) (some []kept.Answer) {
	seen := map[string]int{}
	for _, one := range answers {
		kind := fmt.Sprint(one.Status, anyID.ReplaceAllString(one.Path, ""), one.Token == "")
		if seen[kind]%oneIn == 0 {
			some = append(some, one)
		}
		seen[kind]++
	}
	return some
}

func carriesOver(t *testing.T, db *testkit.Database, record kept.Record, folder string) {
	t.Helper()
	db.Clock.Advance(record.Moment.Sub(db.Clock.Now()))
	before := countRows(t, db)
	require.NoError(t, db.Store.Migrate(t.Context()))
	require.NoError(t, db.Store.CheckSchema(t.Context()))
	after := countRows(t, db)
	for table, rows := range before {
		assert.Equal(t, rows, after[table], "rows of %s", table)
		assert.Positive(t, rows, "there is something in %s", table)
	}
	verifies(t, db, before["games"], before["profiles"])

	w := serve(t, db, configured(append([]string{"RATE_LIMIT=off"}, record.Settings...)...), standingStill)
	w.answersAsBefore(t, record.Answers, folder)
	w.goesOn(t, record.Scenes)
	verifies(t, db, before["games"], before["profiles"])
	assert.Equal(t, before["outages"], countRows(t, db)["outages"], "the service wasn't down since")
}

// countRows counts the rows of every table but the migrator's own.
func countRows(t *testing.T, db *testkit.Database) map[string]int {
	t.Helper()
	list := `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'goose_db_version'`
	if db.Config.URL.Dialect() == config.SQLite {
		list = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('goose_db_version', 'sqlite_sequence')`
	}
	around := db.SQL(t)
	counts := map[string]int{}
	for _, table := range column(t, around, list) {
		var rows int
		require.NoError(t, around.QueryRowContext(t.Context(), `SELECT count(*) FROM "`+table+`"`).Scan(&rows))
		counts[table] = rows
	}
	require.Contains(t, counts, "games")
	return counts
}

// column reads the only column of a query.
func column(t *testing.T, around *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := around.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var one string
		require.NoError(t, rows.Scan(&one))
		all = append(all, one)
	}
	require.NoError(t, rows.Err())
	return all
}

// verifies recomputes everything, as `fourinarow verify` does.
func verifies(t *testing.T, db *testkit.Database, games, players int) {
	t.Helper()
	seen, err := service.NewVerifier(db.Store, func(d service.Difference) { assert.Fail(t, d.String()) }, unread(t), func(service.Verified) {}).Run(t.Context())
	require.NoError(t, err)
	assert.GreaterOrEqual(t, seen.Games, games)
	assert.GreaterOrEqual(t, seen.Players, players)
}

// answersAsBefore asks everything again that was asked then, and wants the same answers.
func (w *world) answersAsBefore(t *testing.T, answers []kept.Answer, folder string) {
	t.Helper()
	require.NotEmpty(t, answers)
	made := map[int]bool{} // which of the intended changes were seen
	for _, then := range answers {
		var headers []header
		if then.Token != "" {
			headers = append(headers, bearer(then.Token))
		}
		now := w.get(t, then.Path, headers...)
		want, got := promised(t, then.Path, then.Status, then.Body), promised(t, then.Path, now.status, quoted(now.body))
		for i, x := range intended {
			if folder <= x.upTo && !cmp.Equal(take(want, x, then.Path), take(got, x, then.Path)) {
				made[i] = true
			}
		}
		if !reflect.DeepEqual(want, got) { // much sooner known than in what they differ
			assert.Fail(t, cmp.Diff(want, got), "GET %s (-then +now)", then.Path)
		}
	}
	for i, x := range intended {
		assert.True(t, made[i] || folder > x.upTo, "nothing was changed: %s", x.reason)
	}
}

// promised is what stays of an answer to a path, whatever the program says in words.
func promised(t *testing.T, path string, status int, body []byte) map[string]any {
	t.Helper()
	answer := answerOf(t, status, body)
	for _, x := range texts {
		take(answer, x, path)
	}
	if strings.HasPrefix(path, "/v1/rules") {
		leave(answer, ofRules)
	}
	return answer
}

// quoted is a body as it is kept: a string where it isn't JSON.
func quoted(body []byte) []byte {
	if json.Valid(body) {
		return body
	}
	quoted, _ := json.Marshal(string(body)) // a string always can be
	return quoted
}

// answerOf is an answer to be compared: without what changes by the clock.
func answerOf(t *testing.T, status int, body []byte) map[string]any {
	t.Helper()
	value, err := kept.Timeless(body)
	require.NoError(t, err)
	return map[string]any{"status": status, "body": value}
}

// take removes a field from an answer and returns what was there.
func take(answer map[string]any, x change, path string) []any {
	switch {
	case !x.path.MatchString(path):
		return nil
	case x.field == "":
		was := []any{answer["status"], answer["body"]}
		clear(answer)
		return was
	case x.field == "status":
		was := []any{answer["status"]}
		delete(answer, "status")
		return was
	default:
		return takeField(answer["body"], strings.Split(x.field, "."))
	}
}

func takeField(value any, field []string) (was []any) {
	switch v := value.(type) {
	case map[string]any:
		inner, there := v[field[0]]
		if !there {
			return nil
		}
		if len(field) > 1 {
			return takeField(inner, field[1:])
		}
		delete(v, field[0])
		return []any{inner}
	case []any:
		if field[0] == "*" && len(field) > 1 {
			for _, item := range v {
				was = append(was, takeField(item, field[1:]))
			}
		}
	}
	return was
}

// leave removes all fields of an answer but some.
func leave(answer map[string]any, fields []string) {
	if body, is := answer["body"].(map[string]any); is && answer["status"] == http.StatusOK {
		maps.DeleteFunc(body, func(name string, _ any) bool { return !slices.Contains(fields, name) })
	}
}

// A field that was changed on purpose is left out of a comparison, and nothing else is.
func TestAnIntendedChangeLeavesOutOneField(t *testing.T) {
	t.Parallel()
	const tables = `{"items":[{"id":"a","seats":[{"rating":1,"seat":1},{"seat":2}]},{"id":"b","rating":7}]}`
	for field, left := range map[string]string{
		"items.*.seats.*.rating": `{"items":[{"id":"a","seats":[{"seat":1},{"seat":2}]},{"id":"b","rating":7}]}`,
		"items.*.rating":         `{"items":[{"id":"a","seats":[{"rating":1,"seat":1},{"seat":2}]},{"id":"b"}]}`,
		"rating":                 tables,
		"items":                  `{}`,
	} {
		answer := answerOf(t, http.StatusOK, []byte(tables))
		x := change{path: regexp.MustCompile(`^/v1/tables`), field: field}
		assert.Nil(t, take(answer, x, "/v1/me"))
		assert.Equal(t, answerOf(t, http.StatusOK, []byte(tables)), answer)
		take(answer, x, "/v1/tables?status=waiting")
		assert.Equal(t, answerOf(t, http.StatusOK, []byte(left)), answer, field)
	}
}
