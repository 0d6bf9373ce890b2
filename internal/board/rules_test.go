package board_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/board"
)

// ruling is a game and what a service that applies the house rule end_dead_positions must say of it.
type ruling struct {
	Name             string         `json:"name"`
	Moves            string         `json:"moves"`
	EndDeadPositions *bool          `json:"end_dead_positions"` // on when absent
	Status           string         `json:"status"`
	Winner           string         `json:"winner"`
	Fields           [][2]int       `json:"fields"`
	LegalColumns     []board.Column `json:"legal_columns"`
}

func (r ruling) over(p board.Position) bool {
	return p.Over() || (r.EndDeadPositions == nil || *r.EndDeadPositions) && p.Dead()
}

func TestRulings(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/rules.json")
	require.NoError(t, err)
	var rulings []ruling
	require.NoError(t, json.Unmarshal(data, &rulings))
	require.NotEmpty(t, rulings)
	for _, r := range rulings {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			for ply := range len(r.Moves) {
				assert.False(t, r.over(after(t, r.Moves[:ply])), "over at ply %d already", ply)
			}
			p := after(t, r.Moves)
			assert.Equal(t, r.Status == "finished", r.over(p))
			assert.Equal(t, r.Winner, p.Winner().String())
			assert.Equal(t, fields(r.Fields...), p.WinningFields())
			if !p.Dead() {
				assert.Equal(t, r.LegalColumns, p.LegalColumns())
			}
		})
	}
}
