package text_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/text"
)

// begun is a game between Ola and a CPU in which nothing has happened.
func begun() text.Scene {
	return text.Scene{Palette: "classic", Red: text.Participant{Name: "Ola"}, Yellow: text.Participant{Level: "hard"}, Turn: "red"}
}

func TestEveryLanguageHasWordsForEveryPicture(t *testing.T) {
	t.Parallel()
	scenes := map[string]text.Scene{"begun": begun()}
	for _, palette := range []string{"classic", "pink"} {
		for _, ended := range []string{"", "line", "resignation", "timeout"} {
			over := begun()
			over.Palette, over.EndedBy, over.Turn = palette, ended, ""
			if ended != "" {
				over.Winner = "yellow"
			}
			over.Ply, over.Columns, over.Last = 2, [7]string{3: "ry"}, text.PictureField{Column: 4, Row: 2}
			over.Winning = []text.PictureField{{Column: 4, Row: 2}}
			scenes[palette+" "+ended] = over
		}
	}
	for _, name := range level.Names() {
		versus := begun()
		versus.Yellow.Level = name
		scenes[name] = versus
	}
	nobody := begun()
	nobody.Red.Name = ""
	scenes["nobody"] = nobody
	for _, language := range text.Languages() {
		for name, scene := range scenes {
			p := text.PictureOf(scene, language)
			for _, said := range []string{p.Heading, p.Title, p.Description, p.Red.Name, p.Yellow.Name, p.Status, p.Progress} {
				assert.NotEmpty(t, said, "%s in %s", name, language)
				assert.NotContains(t, said, "%!", "%s in %s", name, language)
				assert.NotContains(t, said, "()", "%s in %s", name, language)
			}
			assert.Equal(t, scene.Turn == "red", p.Red.Badge != "", "%s in %s", name, language)
			assert.Equal(t, scene.Winner == "yellow", p.Yellow.Badge != "", "%s in %s", name, language)
		}
	}
}

func TestNamesAreNoFormats(t *testing.T) {
	t.Parallel()
	scene := begun()
	scene.Red.Name = "%d%s%!"
	assert.Equal(t, "Four in a Row: %d%s%! against CPU (hard). Move 1: %d%s%! to move.", text.PictureOf(scene, text.English).Title)
}
