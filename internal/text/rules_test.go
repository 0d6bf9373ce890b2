package text_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/cpu/level"
	"github.com/fourinarow/fourinarow/internal/houserule"
	"github.com/fourinarow/fourinarow/internal/text"
)

// exampleOf returns an example of the page and the positions before and after it.
func exampleOf(t *testing.T, id string) (e text.RuleExample, before, after board.Position) {
	t.Helper()
	for _, section := range text.RulesOf(text.English, houserule.Standard()).Sections {
		for _, e := range section.Examples {
			if e.ID == id {
				return e, parsed(t, e.Before), parsed(t, e.After)
			}
		}
	}
	require.Fail(t, "no such example", id)
	return e, before, after
}

func parsed(t *testing.T, moves string) board.Position {
	t.Helper()
	p, err := board.Parse(moves)
	require.NoError(t, err, moves)
	return p
}

func fields(e text.RuleExample) []board.Field {
	var all []board.Field
	for _, f := range e.Fields {
		all = append(all, board.Field{Column: board.Column(f.Column), Row: f.Row})
	}
	return all
}

// lastField is where the last disc of a game lies.
func lastField(t *testing.T, moves string) board.Field {
	t.Helper()
	top, found := parsed(t, moves).Top(board.Column(moves[len(moves)-1] - '0'))
	require.True(t, found)
	return top
}

func TestEveryExampleIsOneMoveOfAGame(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, section := range text.RulesOf(text.English, houserule.Standard()).Sections {
		for _, e := range section.Examples {
			shown++
			assert.Len(t, e.After, len(e.Before)+1, e.ID)
			assert.True(t, strings.HasPrefix(e.After, e.Before), e.ID)
			assert.False(t, parsed(t, e.Before).Over(), e.ID)
			parsed(t, e.After)
		}
	}
	assert.GreaterOrEqual(t, shown, 12)
}

func TestExamplesOfDroppingShowWhereTheDiscStops(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"first_disc", "on_top", "full_column", "block", "full_board", "dead"} {
		e, _, _ := exampleOf(t, id)
		assert.Equal(t, []board.Field{lastField(t, e.After)}, fields(e), id)
	}
	_, before, after := exampleOf(t, "full_column")
	assert.True(t, before.CanPlay(4))
	assert.False(t, after.CanPlay(4))
}

func TestExamplesOfWinningShowTheFourDirections(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		winner        board.Side
		columns, rows int // from one winning field to the next
	}{
		"horizontal": {board.Red, 1, 0},
		"vertical":   {board.Yellow, 0, 1},
		"rising":     {board.Red, 1, 1},
		"falling":    {board.Red, 1, -1},
		"five":       {board.Red, 1, 0},
	} {
		e, _, after := exampleOf(t, id)
		won := fields(e)
		assert.ElementsMatch(t, after.WinningFields(), won, id)
		assert.Equal(t, want.winner, after.Winner(), id)
		for i, f := range won[1:] {
			assert.Equal(t, want.columns, int(f.Column-won[i].Column), id)
			assert.Equal(t, want.rows, f.Row-won[i].Row, id)
		}
	}
	five, _, _ := exampleOf(t, "five")
	assert.Len(t, five.Fields, 5)
	assert.NotEqual(t, fields(five)[0], lastField(t, five.After), "it closes a gap")
	assert.NotEqual(t, fields(five)[4], lastField(t, five.After), "it closes a gap")
}

func TestExamplesOfThreatsShowThreats(t *testing.T) {
	t.Parallel()
	block, before, after := exampleOf(t, "block")
	assert.Equal(t, fields(block), playable(before))
	assert.Empty(t, playable(after), "it is blocked")
	assert.Equal(t, board.Red, after.Turn())
	two, before, after := exampleOf(t, "two_threats")
	assert.Empty(t, playable(before))
	assert.ElementsMatch(t, fields(two), playable(after))
	assert.Len(t, two.Fields, 2)
	assert.Equal(t, board.Yellow, after.Turn(), "yellow can block one of them")
}

// playable returns where red threatens to win with its next disc.
func playable(p board.Position) []board.Field {
	var all []board.Field
	for _, threat := range p.Threats(board.Red) {
		if threat.Playable {
			all = append(all, threat.Field)
		}
	}
	return all
}

func TestExamplesOfDrawsAreDraws(t *testing.T) {
	t.Parallel()
	_, _, full := exampleOf(t, "full_board")
	assert.True(t, full.Full())
	assert.Equal(t, board.NoSide, full.Winner())
	_, before, dead := exampleOf(t, "dead")
	assert.False(t, before.Dead())
	assert.True(t, dead.Dead())
	assert.Equal(t, board.NoSide, dead.Winner())
	assert.Equal(t, 34, dead.Ply(), "no earlier, as the section says")
	assert.Equal(t, 8, board.Columns*board.Rows-dead.Ply(), "as its caption says")
}

func TestTheNumbersAreThoseOfTheBoard(t *testing.T) {
	t.Parallel()
	counted := map[string]int{
		"columns": board.Columns, "rows": board.Rows, "fields": board.Columns * board.Rows, "lines": board.LineCount,
		"discs": board.Columns * board.Rows / 2, "horizontal": 0, "vertical": 0, "diagonal": 0,
	}
	for _, line := range board.Lines() {
		switch {
		case line[0].Row == line[3].Row:
			counted["horizontal"]++
		case line[0].Column == line[3].Column:
			counted["vertical"]++
		default:
			counted["diagonal"]++
		}
	}
	numbers := text.RulesOf(text.English, houserule.Standard()).Numbers
	assert.Len(t, numbers, len(counted))
	for _, n := range numbers {
		assert.Equal(t, counted[n.ID], n.Value, n.ID)
	}
	for language, want := range map[text.Language]string{
		text.English: "7 columns, 6 rows, 42 fields, 69 lines of four fields, 24 of them horizontal, 21 of them vertical, 24 of them diagonal, 21 discs for each player",
		german:       "7 Spalten, 6 Reihen, 42 Felder, 69 mögliche Viererreihen, 24 davon waagerecht, 21 davon senkrecht, 24 davon schräg, 21 Steine für jede Seite",
		polish:       "7 kolumn, 6 rzędów, 42 pola, 69 linii po cztery pola, 24 z nich poziome, 21 z nich pionowych, 24 z nich ukośne, 21 krążków dla każdej strony",
		russian:      "7 столбцов, 6 рядов, 42 клетки, 69 линий по четыре клетки, 24 из них горизонтальные, 21 из них вертикальная, 24 из них диагональные, 21 фишка у каждой стороны",
	} {
		var said []string
		for _, n := range text.RulesOf(language, houserule.Standard()).Numbers {
			said = append(said, n.Text)
		}
		assert.Equal(t, want, strings.Join(said, ", "))
	}
}

func TestThePageIsWholeInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, l := range text.Languages() {
		page := text.RulesOf(l, houserule.Standard())
		sections := make(map[string]bool)
		for _, s := range page.Sections {
			sections[s.ID] = true
			assert.NotEmpty(t, s.Paragraphs)
			for _, p := range append(s.Paragraphs, s.Title) {
				assert.NotEmpty(t, p, "%s in %s", s.ID, l)
				assert.LessOrEqual(t, len([]rune(p)), 1024)
			}
		}
		assert.Len(t, page.FirstGame, 4)
		for _, m := range page.Mistakes {
			assert.True(t, sections[m.Section], "%s leads to %s", m.ID, m.Section)
		}
		assert.Equal(t, text.GameName(l), page.Name)
		assert.Contains(t, page.AtAGlance, "2 ")
		assert.Contains(t, page.AtAGlance, " 5 ")
		assert.Len(t, page.Terms, 8)
		assert.Len(t, page.Defaults, 4+len(houserule.Standard().Rules())-1)
		for _, d := range page.Defaults {
			assert.NotEmpty(t, d.Name, "%s in %s", d.ID, l)
			assert.NotEmpty(t, d.Text, "%s in %s", d.ID, l)
			assert.NotContains(t, d.Text, "{{")
			assert.NotContains(t, d.Text, "<no value>")
		}
		for _, rule := range page.House {
			assert.NotEmpty(t, rule.OriginText, "%s in %s", rule.Rule.Key, l)
			assert.Equal(t, rule.Rule.Key == houserule.EndDeadPositions, rule.Reason != "", "%s in %s", rule.Rule.Key, l)
			assert.Len(t, rule.Options, len(rule.Rule.Options))
		}
		assert.Equal(t, 2026, page.Updated.Year())
	}
}

func TestTheDefaultsAreThoseOfTheCatalogue(t *testing.T) {
	t.Parallel()
	edited := houserule.Standard()
	at := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	for key, value := range map[houserule.Key]string{
		houserule.MoveTimeLimit: "60", houserule.CoverGrace: "120", houserule.CoverLevel: level.Hard,
	} {
		rule, err := edited.Rule(key)
		require.NoError(t, err)
		rule.Default, rule.Version, rule.Updated = value, 2, at
		edited = edited.With(rule)
	}
	said := make(map[string]string)
	page := text.RulesOf(polish, edited)
	for _, d := range page.Defaults {
		said[d.ID] = d.Text
	}
	assert.Equal(t, "60 sekund", said["time_for_a_move"])
	assert.Equal(t, "120 sekund", said["cover_grace_seconds"])
	assert.Equal(t, "trudny", said["cover_level"])
	assert.Contains(t, said["leaving"], "po 120 sekundach ciszy")
	assert.Contains(t, said["leaving"], "(poziom: trudny)")
	assert.Equal(t, at, page.Updated)

	rule, err := edited.Rule(houserule.CPUCover)
	require.NoError(t, err)
	rule.Default, rule.Version = houserule.Off, 2
	for _, d := range text.RulesOf(polish, edited.With(rule)).Defaults {
		if d.ID == "leaving" {
			assert.Contains(t, d.Text, "nikt go nie zastępuje")
		}
	}
}
