package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/profile"
	"github.com/fourinarow/fourinarow/internal/solver"
)

// playsRanked looks at the few open tables of a profile, by two indexes, one for each seat.
const playsRanked = `SELECT count(*) AS n FROM tables t JOIN games g ON g.id = t.game_id
WHERE t.status <> 'closed' AND (t.seat1_profile = ? OR t.seat2_profile = ?) AND g.ranked AND g.status = 'in_progress'`

// PlaysRanked is that of service.InsightStore.
func (s *Store) PlaysRanked(ctx context.Context, who profile.ID) (bool, error) {
	counted, err := read[countRow](ctx, s, playsRanked, string(who), string(who))
	if err != nil {
		return false, err
	}
	return counted[0].N > 0, nil
}

// analysisRow is what is kept of a computed analysis.
type analysisRow struct {
	Scores string `gorm:"column:scores"`
}

// Analysis is that of service.InsightStore. A table of analyses that was dropped is an empty one.
func (s *Store) Analysis(ctx context.Context, id game.ID) ([][]solver.ColumnScore, bool, error) {
	found, err := read[analysisRow](ctx, s, "SELECT scores FROM analyses WHERE game_id = ?", string(id))
	switch {
	case s.dialect.noTable(err), err == nil && len(found) == 0:
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	columns, err := parseScores(found[0].Scores)
	if err != nil {
		return nil, false, fmt.Errorf("read the analysis of game %s: %w", id, err)
	}
	return columns, true, nil
}

// KeepAnalysis is that of service.InsightStore.
func (s *Store) KeepAnalysis(ctx context.Context, id game.ID, columns [][]solver.ColumnScore, at time.Time) error {
	const keep = "INSERT INTO analyses (game_id, scores, computed) VALUES (?, ?, ?) ON CONFLICT (game_id) DO NOTHING"
	err := s.write(ctx, func(db *gorm.DB) error {
		_, err := affected(db, keep, string(id), formatScores(columns), micros(at))
		return err
	})
	if s.dialect.noTable(err) {
		return nil
	}
	return err
}

// formatScores writes exact scores: seven a ply, with commas between, empty for a full column, a semicolon after each
// ply.
func formatScores(columns [][]solver.ColumnScore) string {
	var kept strings.Builder
	for _, ply := range columns {
		var cells [board.Columns]string
		for _, c := range ply {
			cells[c.Column-1] = strconv.Itoa(c.Lower)
		}
		kept.WriteString(strings.Join(cells[:], ",") + ";")
	}
	return kept.String()
}

// parseScores reads what formatScores wrote.
func parseScores(kept string) ([][]solver.ColumnScore, error) {
	var columns [][]solver.ColumnScore
	for kept != "" {
		ply, rest, _ := strings.Cut(kept, ";")
		kept = rest
		cells := strings.Split(ply, ",")
		if len(cells) != board.Columns {
			return nil, fmt.Errorf("a ply of %d columns", len(cells))
		}
		scores := make([]solver.ColumnScore, 0, board.Columns)
		for i, cell := range cells {
			if cell == "" {
				continue
			}
			score, err := strconv.Atoi(cell)
			if err != nil {
				return nil, fmt.Errorf("a score: %w", err)
			}
			known := solver.Result{Lower: score, Upper: score, Nodes: 0}
			scores = append(scores, solver.ColumnScore{Column: board.Column(i + 1), Result: known})
		}
		columns = append(columns, scores)
	}
	return columns, nil
}
