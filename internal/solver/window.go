package solver

// start judges a position that isn't over: its score when that is plain to see, else the node to search.
func start(current, mask uint64) (p node, score int, plain bool) {
	ply := plyOf(mask)
	next := playable(mask)
	if completing(current)&next != 0 {
		return node{}, winAt(ply), true
	}
	moves := safeReplies(next, completing(current^mask)&(allFields&^mask))
	switch {
	case moves == 0:
		return node{}, -winAt(ply + 1), true
	case ply >= fields-2:
		return node{}, 0, true
	}
	return node{current: current, mask: mask, moves: moves, ply: ply}, 0, false
}

// noGuess says that nothing is known about a score.
const noGuess = 2 * maxScore

// solve finds the score of a position that isn't over within a window. A guess, the score of a position
// much like it, is tested first and stepped from: that is MTD(f).
func (s *search) solve(current, mask uint64, lo, hi, guess int) Result {
	p, score, plain := start(current, mask)
	if plain {
		return Result{Lower: score, Upper: score}
	}
	r := Result{Lower: -winAt(p.ply + 3), Upper: winAt(p.ply + 2)}
	halving := guess == noGuess && p.ply < stepPly
	if guess == noGuess {
		guess = 0
	}
	for r.Lower < r.Upper && r.Upper > lo && r.Lower < hi {
		beta := nextBeta(halving, max(r.Lower, lo), min(r.Upper, hi), guess)
		v := s.test(p, beta)
		if s.stopped {
			return r
		}
		if v >= beta {
			r.Lower, guess = max(r.Lower, v), v+1
		} else {
			r.Upper, guess = min(r.Upper, v), v
		}
	}
	return r
}

const (
	// stepPly is the first ply at which a score nothing is known about is stepped towards from 0.
	stepPly = 16
	// quickWin is the score from which on a win or loss counts as quick.
	quickWin = 6
)

// nextBeta chooses the bound to test next, with lower < beta <= upper. Early positions without a guess are
// first asked for quick wins and losses, halving the range: such questions are cheap, and where the answer
// is yes the dear ones about slow wins needn't be asked.
func nextBeta(halving bool, lower, upper, guess int) int {
	if halving {
		if upper >= quickWin && upper > 2*max(lower, 0) {
			return upper/2 + 1
		}
		if lower <= -quickWin && -lower > 2*max(-upper, 0) {
			return lower / 2
		}
	}
	return max(lower+1, min(guess, upper))
}
