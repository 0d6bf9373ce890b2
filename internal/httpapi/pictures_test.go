package httpapi_test

import (
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/testkit"
)

// svg is a picture, as far as these tests look at it.
type svg struct {
	Lang  string `xml:"lang,attr"`
	Title string `xml:"title"`
	Desc  string `xml:"desc"`
	Discs []struct {
		Class  string `xml:"class,attr"`
		Column int    `xml:"data-column,attr"`
		Row    int    `xml:"data-row,attr"`
	} `xml:"g"`
	Circles []struct {
		Class string `xml:"class,attr"`
	} `xml:"circle"`
}

// count counts the discs and marks of a class.
func (s svg) count(class string) int {
	n := 0
	for _, g := range s.Discs {
		if g.Class == class {
			n++
		}
	}
	for _, c := range s.Circles {
		if c.Class == class {
			n++
		}
	}
	return n
}

// picture reads a picture.
func (a answer) picture(t *testing.T) svg {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	assert.Equal(t, "image/svg+xml", a.header.Get("Content-Type"))
	var s svg
	require.NoError(t, xml.Unmarshal(a.body, &s), "%s", a.body)
	return s
}

const versusOla = "Four in a Row: Ola against Иван. "

func TestAGameIsDrawnAsItStands(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		path := gamePath(m.game) + "/board.svg"
		begun := w.get(t, path).picture(t)
		assert.Equal(t, versusOla+"Move 1: Ola to move.", begun.Title)
		assert.Equal(t, []int{0, 0, 0, 42}, []int{begun.count("disc red"), begun.count("disc yellow"), begun.count("last"), begun.count("hole")})

		m.play(t, "121314")
		assert.Equal(t, versusOla+"Move 7: Ola to move.", w.get(t, path).picture(t).Title)
		m.red.plays(t, m.game, 1, 7)
		won := w.get(t, path).picture(t)
		assert.Equal(t, versusOla+"Ola wins: Four in a row!", won.Title)
		assert.Equal(t, "en", won.Lang)
		assert.Equal(t, "Ola has the discs with a ring (red), Иван those with a diamond (yellow). "+
			"The columns from left to right, each from the bottom up. Column 1: red, red, red, red. Column 2: yellow. Column 3: yellow. "+
			"Column 4: yellow. Column 5: empty. Column 6: empty. Column 7: empty. Last disc: column 1, row 4. Winning fields (column/row): 1/1, 1/2, 1/3, 1/4.", won.Desc)
		assert.Equal(t, []int{4, 3, 1, 35, 4},
			[]int{won.count("disc red"), won.count("disc yellow"), won.count("last"), won.count("hole"), won.count("winning")})
		assert.Contains(t, w.get(t, path+"?palette=pink").picture(t).Desc, "Ola has the discs with a ring (pink), Иван those with a diamond (violet-blue).")
		assert.Equal(t, w.get(t, path).body, w.get(t, path+"?palette=classic").body)
	})
}

func TestAGameIsDrawnAsItStoodAfterAnyOfItsPlies(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "1213141")
		path := gamePath(m.game) + "/board.svg?ply="
		for ply := range 7 {
			drawn := w.get(t, path+strconv.Itoa(ply)).picture(t)
			assert.Equal(t, ply, drawn.count("disc red")+drawn.count("disc yellow"))
			assert.Contains(t, drawn.Title, "to move.", "nobody has won yet after ply %d", ply)
		}
		assert.Equal(t, w.get(t, gamePath(m.game)+"/board.svg").body, w.get(t, path+"7").body)

		for _, ahead := range []string{"8", "42"} {
			refused := w.get(t, path+ahead)
			assert.Equal(t, http.StatusConflict, refused.status)
			assert.Equal(t, "stale_ply", refused.problem(t).Code)
			assert.Equal(t, "the last ply is 7, not "+ahead, refused.problem(t).Detail)
			assert.EqualValues(t, 7, refused.problem(t).Game.Ply)
		}
		for _, wrong := range []string{"43", "-1", "1.5", "x", "", "1e0", "99999999999999999999"} {
			refused := w.get(t, path+wrong)
			assert.Equal(t, http.StatusBadRequest, refused.status, wrong)
			assert.Equal(t, []string{"/query/ply"}, pointersOf(refused.problem(t)), wrong)
		}
	})
}

func TestAPaletteThereIsntIsRefused(t *testing.T) {
	t.Parallel()
	w := serve(t, testkit.SQLite(t))
	m := w.match(t, public)
	for _, wrong := range []string{"", "Pink", "dark", strings.Repeat("x", 41)} {
		refused := w.get(t, gamePath(m.game)+"/board.svg?palette="+wrong)
		assert.Equal(t, http.StatusBadRequest, refused.status, wrong)
		assert.Equal(t, []string{"/query/palette"}, pointersOf(refused.problem(t)), wrong)
	}
}

func TestAPrivateGameIsDrawnForItsSeatsOnly(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, private)
		path := gamePath(m.game) + "/board.svg"
		m.red.get(t, path).picture(t)
		m.yellow.get(t, path).picture(t)
		stranger := w.guest(t, "Zofia")
		for _, suffix := range []string{"", "?ply=0", "?ply=42", "?palette=pink"} {
			for _, refused := range []answer{w.get(t, path+suffix), stranger.get(t, path+suffix)} {
				assert.Equal(t, http.StatusNotFound, refused.status, suffix)
				assert.Equal(t, "not_found", refused.problem(t).Code, suffix)
				assert.Nil(t, refused.problem(t).Game, suffix)
			}
		}
	})
}

func TestAnUnchangedPictureIsNotSentAgain(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.play(t, "44")
		path := gamePath(m.game) + "/board.svg"
		first := w.get(t, path)
		tag := first.header.Get("ETag")
		assert.Regexp(t, `^W/"[0-9a-f]{16}"$`, tag)
		assert.Equal(t, "private, no-cache", first.header.Get("Cache-Control"))
		assert.Contains(t, first.header.Get("Content-Security-Policy"), "default-src 'none'")
		assert.Equal(t, "nosniff", first.header.Get("X-Content-Type-Options"))

		m.yellow.says(t, m.table.ID, api.PresenceChoiceAway) // a new version of the game, but not of its picture
		same := w.get(t, path, ifNoneMatch(tag)...)
		assert.Equal(t, http.StatusNotModified, same.status)
		assert.Equal(t, tag, same.header.Get("ETag"))
		assert.Empty(t, same.body)
		assert.Equal(t, http.StatusOK, w.get(t, path+"?palette=pink", ifNoneMatch(tag)...).status)
		m.red.plays(t, m.game, 4, 3)
		assert.Equal(t, http.StatusOK, w.get(t, path, ifNoneMatch(tag)...).status)
		assert.Equal(t, http.StatusNotModified, w.get(t, path+"?ply=2", ifNoneMatch(w.get(t, path+"?ply=2").header.Get("ETag"))...).status)
		assert.Equal(t, http.StatusNotModified, w.get(t, path, ifNoneMatch("*")...).status)
		assert.Empty(t, w.send(t, http.MethodHead, path, "").body)
	})
}

func TestAPictureSpeaksTheLanguageOfItsReader(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		path := gamePath(m.game) + "/board.svg"
		tags := map[string]bool{}
		for language, title := range map[string]string{
			"en": "Four in a Row: Ola against Иван. Move 1: Ola to move.",
			"de": "Vier in einer Reihe: Ola gegen Иван. Zug 1: Ola ist am Zug.",
			"pl": "Cztery w rzędzie: Ola – Иван. Ruch 1: gra Ola.",
			"ru": "Четыре в ряд. Играют Ola и Иван. Ход 1: ходит Ola.",
		} {
			drawn := w.get(t, path, header{"Accept-Language", language})
			assert.Equal(t, title, drawn.picture(t).Title)
			assert.Equal(t, language, drawn.picture(t).Lang)
			assert.Equal(t, language, drawn.header.Get("Content-Language"))
			assert.Equal(t, "Authorization, Accept-Language, Accept-Encoding", drawn.header.Get("Vary"))
			assert.Equal(t, drawn.body, w.get(t, path+"?lang="+language).body)
			same := w.get(t, path, header{"Accept-Language", language}, header{"If-None-Match", drawn.header.Get("ETag")})
			assert.Equal(t, http.StatusNotModified, same.status)
			assert.Equal(t, "Authorization, Accept-Language, Accept-Encoding", same.header.Get("Vary"))
			tags[drawn.header.Get("ETag")] = true
		}
		assert.Len(t, tags, 4, "each has a tag of its own")
	})
}

func TestPicturesSayHowAGameEnded(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		title := func(m match) string { return w.get(t, gamePath(m.game)+"/board.svg").picture(t).Title }
		resigned, drawn := w.match(t, public), w.match(t, public)
		resigned.play(t, "44")
		resigned.red.post(t, gamePath(resigned.game)+"/resignation", "")
		assert.Equal(t, versusOla+"Иван wins: Resignation", title(resigned))
		assert.Equal(t, versusOla+"Move 2: Иван to move.", w.get(t, gamePath(resigned.game)+"/board.svg?ply=1").picture(t).Title)
		drawn.play(t, "7764264462462224664277153153311355")
		assert.Equal(t, versusOla+"Draw", title(drawn))

		versus := resigned.red.opens(t, `{"opponent":"cpu","visibility":"public"}`)
		assert.Equal(t, "Four in a Row: Ola against CPU (medium). Move 1: Ola to move.",
			w.get(t, gamePath(*versus.CurrentGameID)+"/board.svg").picture(t).Title)
	}, configured("RATE_LIMIT=off"))
}

func TestANameIsOnlyTextInAPicture(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		const name = `</text><script>&"'<!--]]>`
		red, yellow := w.guest(t, name), w.guest(t, "%s%n李雷")
		table := yellow.joins(t, red.opens(t, public))
		answered := w.get(t, gamePath(*table.CurrentGameID)+"/board.svg")
		assert.Equal(t, "Four in a Row: "+name+" against %s%n李雷. Move 1: "+name+" to move.", answered.picture(t).Title)
		assert.NotContains(t, string(answered.body), "<script")
	})
}

// The clock stands still, so the token is known from the request before and not looked up again.
func TestAPictureIsOneVersionCheckAtMost(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		m := w.match(t, public)
		m.red.get(t, "/v1/me")
		w.db.Statements.Reset()
		m.red.get(t, gamePath(m.game)+"/board.svg")
		assert.Equal(t, testkit.Counts{Reads: w.versionChecks()}, w.db.Statements.Reset()) //nolint:exhaustruct // nothing else
	}, standingStill)
}
