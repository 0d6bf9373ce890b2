package httpapi_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/testkit"
	"github.com/fourinarow/fourinarow/internal/testkit/kept"
)

// scene is a table of an older program's database, with those of its owners whose tokens are kept.
type scene struct {
	*world

	table, game uuid.UUID
	owners      [2]player
	levels      map[api.CPULevel]bool // of the CPU, that have moved
}

// goesOn lets everything go on that an older program has left.
func (w *world) goesOn(t *testing.T, scenes []kept.Scene) {
	t.Helper()
	seen, levels := map[kept.Kind]int{}, map[api.CPULevel]bool{}
	for _, one := range scenes {
		s := scene{world: w, table: uuid.MustParse(one.Table), levels: levels}
		if one.Game != "" {
			s.game = uuid.MustParse(one.Game)
		}
		for i, token := range one.Seats {
			s.owners[i] = player{world: w, token: token}
		}
		seen[one.Kind]++
		switch one.Kind {
		case kept.Running:
			s.moves(t)
		case kept.Covered:
			s.comesBack(t)
		case kept.Asleep:
			s.wakes(t)
		case kept.Quick:
			s.meets(t)
		case kept.Waiting:
			s.begins(t)
		case kept.Agreed:
			s.playsAgain(t)
		default:
			assert.Fail(t, "nobody knows how this goes on", one.Kind)
		}
	}
	for _, kind := range []kept.Kind{kept.Running, kept.Covered, kept.Asleep, kept.Quick, kept.Waiting, kept.Agreed} {
		assert.Positive(t, seen[kind], "%s", kind)
	}
	for _, level := range []api.CPULevel{"easy", "medium", "hard", "perfect"} {
		assert.True(t, levels[level], "the CPU has moved at level %s", level)
	}
}

// thinks gives the CPU time for a disc.
func (s scene) thinks(t *testing.T) {
	t.Helper()
	s.Pass(t, testkit.CPUPace+100*time.Millisecond)
}

// side is the side that moves.
func side(g api.Game) api.GameSide {
	if *g.Turn == api.SideRed {
		return g.Red
	}
	return g.Yellow
}

// moves lets the owner whose turn it is make the next move, and the CPU answer where it is next.
func (s scene) moves(t *testing.T) {
	t.Helper()
	for _, owner := range s.owners {
		if owner.token == "" {
			continue
		}
		if g := owner.reads(t, s.game); g.CanMove {
			s.movedBy(t, owner, g)
			return
		}
	}
	assert.Fail(t, "nobody can move in a running game", s.game)
}

// movedBy plays the first legal column.
func (s scene) movedBy(t *testing.T, owner player, g api.Game) {
	t.Helper()
	after := owner.plays(t, s.game, int(g.LegalColumns[0]), int(g.Ply)+1)
	assert.Equal(t, g.Ply+1, after.Ply)
	assert.Equal(t, g.Moves+strconv.Itoa(int(g.LegalColumns[0])), after.Moves)
	assert.Greater(t, after.Version, g.Version)
	if after.Turn == nil || *side(after).Controller != controllerCPU {
		return
	}
	s.thinks(t)
	answered := owner.reads(t, s.game)
	assert.Equal(t, after.Ply+1, answered.Ply)
	assert.Equal(t, after.Movers+"c", answered.Movers)
	if level := side(after).CPULevel; level != nil {
		s.levels[*level] = true
	}
}

// comesBack lets the CPU cover an owner who is away, and then the owner come back, unless it is gone for good.
func (s scene) comesBack(t *testing.T) {
	t.Helper()
	g := decode[api.Game](t, s.get(t, gamePath(s.game)), http.StatusOK)
	away, here := g.Red, g.Yellow
	if *here.Controller == controllerCPU {
		away, here = here, away
	}
	require.Equal(t, controllerCPU, *away.Controller)
	require.Equal(t, controllerPlayer, *here.Controller)
	s.movedBy(t, s.owners[here.Seat-1], s.owners[here.Seat-1].reads(t, s.game))
	back := s.owners[away.Seat-1]
	if back.token == "" {
		return
	}
	back.sits(t, s.table)
	g = back.reads(t, s.game)
	for _, side := range []api.GameSide{g.Red, g.Yellow} {
		assert.Equal(t, controllerPlayer, *side.Controller)
	}
}

// wakes lets an owner come back to a game in which nobody was.
func (s scene) wakes(t *testing.T) {
	t.Helper()
	owner := s.owners[0]
	asleep := s.get(t, gamePath(s.game))
	if asleep.status == http.StatusOK { // everybody may see it; who may not has to look as somebody who wakes it
		assert.True(t, decode[api.Game](t, asleep, http.StatusOK).Asleep)
	}
	owner.sits(t, s.table)
	g := owner.reads(t, s.game)
	assert.False(t, g.Asleep)
	if g.CanMove {
		s.movedBy(t, owner, g)
		return
	}
	s.thinks(t)
	assert.Equal(t, g.Ply+1, owner.reads(t, s.game).Ply, "the other side is covered")
}

// meets lets somebody come who wants the same quick match.
func (s scene) meets(t *testing.T) {
	t.Helper()
	waiting := s.owners[0].looks(t, s.table)
	assert.EqualValues(t, "waiting", waiting.Status)
	request := `{"ranked":` + strconv.FormatBool(waiting.Ranked) + `,"move_time_limit_seconds":` + strconv.Itoa(int(waiting.Settings.MoveTimeLimitSeconds)) + `}`
	met := decode[api.GameTable](t, s.guest(t, "Zoë").post(t, "/v1/quick-match", request), http.StatusOK)
	assert.Equal(t, s.table, met.ID)
	assert.EqualValues(t, "playing", met.Status)
}

// begins lets somebody take the free seat.
func (s scene) begins(t *testing.T) {
	t.Helper()
	waiting := s.owners[0].looks(t, s.table)
	assert.EqualValues(t, "waiting", waiting.Status)
	begun := s.guest(t, "Zoë").joins(t, waiting)
	assert.EqualValues(t, "playing", begun.Status)
	s.game = *begun.CurrentGameID
	if owner := s.owners[0]; owner.reads(t, s.game).CanMove {
		s.movedBy(t, owner, owner.reads(t, s.game))
	}
}

// playsAgain lets the other agree too.
func (s scene) playsAgain(t *testing.T) {
	t.Helper()
	for _, owner := range s.owners {
		owner.looks(t, s.table) // an agreement of one who is away doesn't count
	}
	between := s.owners[0].looks(t, s.table)
	require.EqualValues(t, "between_games", between.Status)
	agreed := 0
	for i, seat := range between.Seats {
		if *seat.WantsRematch {
			agreed++
			continue
		}
		body := `{"game_id":"` + s.game.String() + `"}`
		again := decode[api.GameTable](t, s.owners[i].send(t, http.MethodPut, tablePath(s.table)+"/rematch", body), http.StatusOK)
		assert.EqualValues(t, "playing", again.Status)
		assert.Equal(t, between.CurrentGame.Number+1, again.CurrentGame.Number)
	}
	assert.Equal(t, 1, agreed)
}
