package store

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/game"
)

// settingsRow is the house rules in a row of tables or games.
type settingsRow struct {
	AlternateFirstMove bool   `gorm:"column:alternate_first_move"`
	FirstPlayer        string `gorm:"column:first_player"`
	MoveTimeLimit      int64  `gorm:"column:move_time_limit_seconds"`
	EndDeadPositions   bool   `gorm:"column:end_dead_positions"`
	OnTimeout          string `gorm:"column:on_timeout"`
	CPUCover           bool   `gorm:"column:cpu_cover"`
	CoverGrace         int64  `gorm:"column:cover_grace_seconds"`
	CoverLevel         string `gorm:"column:cover_level"`
}

var settingsColumns = []string{
	"alternate_first_move", "first_player", "move_time_limit_seconds", "end_dead_positions", "on_timeout", "cpu_cover",
	"cover_grace_seconds", "cover_level",
}

func newSettingsRow(s game.Settings) settingsRow {
	return settingsRow{
		AlternateFirstMove: s.AlternateFirstMove, FirstPlayer: s.FirstPlayer, MoveTimeLimit: int64(s.MoveTimeLimit / time.Second),
		EndDeadPositions: s.EndDeadPositions, OnTimeout: s.OnTimeout, CPUCover: s.CPUCover,
		CoverGrace: int64(s.CoverGrace / time.Second), CoverLevel: s.CoverLevel,
	}
}

func (r settingsRow) settings() game.Settings {
	return game.Settings{
		AlternateFirstMove: r.AlternateFirstMove, FirstPlayer: r.FirstPlayer,
		MoveTimeLimit: time.Duration(r.MoveTimeLimit) * time.Second, EndDeadPositions: r.EndDeadPositions, OnTimeout: r.OnTimeout,
		CPUCover: r.CPUCover, CoverGrace: time.Duration(r.CoverGrace) * time.Second, CoverLevel: r.CoverLevel,
	}
}

func (r settingsRow) cells() []cell {
	return []cell{
		{"alternate_first_move", r.AlternateFirstMove},
		{"first_player", r.FirstPlayer},
		{"move_time_limit_seconds", r.MoveTimeLimit},
		{"end_dead_positions", r.EndDeadPositions},
		{"on_timeout", r.OnTimeout},
		{"cpu_cover", r.CPUCover},
		{"cover_grace_seconds", r.CoverGrace},
		{"cover_level", r.CoverLevel},
	}
}
