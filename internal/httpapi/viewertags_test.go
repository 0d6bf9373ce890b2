package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
)

// viewer is somebody who looks at a table and its game, and what both are called for them.
type viewer struct {
	who         string
	headers     []header
	game, table string
}

func viewersOf(m match, stranger player) []viewer {
	return []viewer{
		{"nobody", nil, "1", "2.1"},
		{"a stranger", []header{bearer(stranger.token)}, "1", "2.1"},
		{"red", []header{bearer(m.red.token)}, "1-r", "2.1-1"},
		{"yellow", []header{bearer(m.yellow.token)}, "1-y", "2.1-2"},
	}
}

// finds checks that a path has a tag for the viewer, and that of all tags it is the only one that spares the body.
func (v viewer) finds(t *testing.T, w *world, path, tag string, all []string) {
	t.Helper()
	ask := func(tags string) answer { return w.get(t, path, append(ifNoneMatch(tags), v.headers...)...) }
	assert.Equal(t, `W/"`+tag+`"`, w.get(t, path, v.headers...).header.Get("ETag"), "%s: %s", v.who, path)
	for _, mine := range []string{`W/"` + tag + `"`, `"` + tag + `"`, `W/"` + tag + `-gzip"`, `"x", W/"` + tag + `","y"`, "*"} {
		unchanged := ask(mine)
		assert.Equal(t, http.StatusNotModified, unchanged.status, "%s: %s", v.who, mine)
		assert.Equal(t, `W/"`+tag+`"`, unchanged.header.Get("ETag"), "%s: %s", v.who, mine)
	}
	for _, theirs := range all {
		if theirs != tag {
			assert.Equal(t, http.StatusOK, ask(`W/"`+theirs+`"`).status, "%s with the tag %s", v.who, theirs)
		}
	}
}

func TestATagNamesWhatItsViewerSees(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		all := viewersOf(m, w.guest(t, "Jan"))
		var tags []string
		for _, v := range all {
			tags = append(tags, v.game, v.table)
		}
		for _, v := range all {
			v.finds(t, w, gamePath(m.game), v.game, tags)
			v.finds(t, w, tablePath(m.table.ID), v.table, tags)
		}
	}, configured("RATE_LIMIT=off"))
}

// Who watched, and signs in with the tag of before, is not told that nothing has changed: now the game is theirs.
func TestWhoSignsInWhileFollowingIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		watched := w.get(t, gamePath(m.game)).header.Get("ETag")
		g := decode[api.Game](t, m.red.get(t, gamePath(m.game)+"?wait=3600", ifNoneMatch(watched)...), http.StatusOK)
		assert.Equal(t, api.SideRed, *g.MySide)
		assert.True(t, g.CanMove)
		seen := w.get(t, tablePath(m.table.ID)).header.Get("ETag")
		assert.EqualValues(t, 2, *decode[api.GameTable](t, m.yellow.get(t, tablePath(m.table.ID)+"?wait=3600", ifNoneMatch(seen)...), http.StatusOK).MySeat)

		moved := m.red.post(t, gamePath(m.game)+"/moves", `{"column":4,"ply":1}`)
		assert.Equal(t, `W/"2-r"`, moved.header.Get("ETag"), "what answers a move can be followed from")
		follow := later(t, w, func() answer {
			return m.red.get(t, gamePath(m.game)+"?wait=25", ifNoneMatch(moved.header.Get("ETag"))...)
		})
		m.yellow.plays(t, m.game, 4, 2)
		assert.Equal(t, `W/"3-r"`, within(t, follow).header.Get("ETag"))
	})
}

// A picture shows everybody the same, so its tag is that of its bytes.
func TestAPictureHasTheSameTagForAllWhoSeeTheSame(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		path := gamePath(m.game) + "/board.svg"
		drawn := w.get(t, path)
		for _, v := range viewersOf(m, w.guest(t, "Jan")) {
			same := w.get(t, path, v.headers...)
			assert.Equal(t, drawn.header.Get("ETag"), same.header.Get("ETag"), v.who)
			assert.Equal(t, string(drawn.body), string(same.body), v.who)
		}
		m.play(t, "4")
		assert.NotEqual(t, drawn.header.Get("ETag"), w.get(t, path).header.Get("ETag"))
		assert.False(t, strings.HasSuffix(drawn.header.Get("ETag"), `-r"`))
	})
}
