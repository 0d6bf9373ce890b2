package solver

// search is the state of one searcher: its tables, which stay warm, and its budget.
type search struct {
	// Two tables: a small one that stays in the processor's second-level cache for the many late
	// positions, and a large one for the few early and dear ones.
	late, early *table

	fans [fields]fan // a ply's node at a time: cheaper than one in every call of test

	book    *Book
	bookPly int // the ply whose positions the book knows, -1 for none

	nodes   uint64      // positions visited so far
	pauseAt uint64      // when nodes reach this, ask pause
	pause   func() bool // whether to stop; sets the next pauseAt
	stopped bool        // pause said so: what test returns now is worthless
}

// latePly is the first ply whose positions go to the small table.
const latePly = 20

// tableFor gives the table that holds the positions of a ply.
func (s *search) tableFor(ply int) *table {
	if ply >= latePly {
		return s.late
	}
	return s.early
}

// test answers whether the side to move reaches beta: a result of beta or more is a lower bound of its
// score, a smaller one an upper bound. It is negamax with an empty window.
func (s *search) test(p node, beta int) int {
	s.nodes++
	if s.nodes >= s.pauseAt && s.pause() {
		s.stopped = true
	}
	if s.stopped {
		return 0
	}
	if least := -winAt(p.ply + 3); least >= beta {
		return least // the other side can't win with its next disc
	}
	if most := winAt(p.ply + 2); most < beta {
		return most // nor this one with its
	}
	if p.ply == s.bookPly {
		return s.book.scoreOf(p.current, p.mask)
	}
	if p.moves&(p.moves-1) == 0 {
		return s.testOnly(p, beta)
	}
	key := keyOf(p.current, p.mask)
	lower, upper := s.tableFor(p.ply).bounds(key)
	if lower >= beta {
		return lower
	}
	if upper < beta {
		return upper
	}
	f := &s.fans[p.ply]
	if f.judge(p) {
		return winAt(p.ply + 2)
	}
	if p.ply >= fields-3 {
		return 0 // nobody wins with the last three discs
	}
	upper = min(upper, winAt(p.ply+4))
	if upper < beta {
		return upper
	}
	if v, holds := f.holds(p, beta); holds {
		return v
	}
	best := s.recall(p, f, beta)
	if best >= beta {
		return best
	}
	return s.testChildren(p, f, known{key: key, lower: lower, upper: upper, best: best}, beta)
}

// known is what is known of a node's score before its children are searched: from the table (lower,
// upper) and from the children the table settled (best).
type known struct {
	key                uint64
	lower, upper, best int
}

// testOnly is test for a node with one move that doesn't lose at once. It takes no slot in the tables:
// what follows is found as quickly as the node itself.
func (s *search) testOnly(p node, beta int) int {
	mask := p.mask | p.moves
	threats := completing(p.current|p.moves) & (allFields &^ mask)
	next := playable(mask)
	replies := safeReplies(next, threats)
	if replies == 0 {
		return winAt(p.ply + 2)
	}
	if p.ply >= fields-3 {
		return 0
	}
	if most := winAt(p.ply + 4); most < beta {
		return most
	}
	only := child{move: p.moves, threats: threats, replies: replies}
	if v, holds := only.holds(p, beta); holds {
		return v
	}
	return -s.test(p.after(&only), 1-beta)
}

// recall asks the table about the children before any is searched (enhanced transposition cut-off). It
// returns beta or more when one of them is known to reach it; else it prunes those known not to and
// returns the best of them, or the least score of all.
func (s *search) recall(p node, f *fan, beta int) int {
	best := -winAt(p.ply + 3)
	t := s.tableFor(p.ply + 1)
	without := keyOf(p.current^p.mask, p.mask)
	// All slots are read before any is looked at, so that the processor waits for them together.
	for i := range f.children[:f.size] {
		f.slots[i] = t.slot(without + f.children[i].move)
	}
	for i := range f.children[:f.size] {
		e := f.slots[i].entry(without + f.children[i].move)
		if e == 0 {
			continue
		}
		if v := -upperOf(e); v >= beta {
			return v
		}
		if v := -lowerOf(e); v < beta {
			best = max(best, v)
			f.order[i] = pruned
		}
	}
	return best
}

// testChildren searches what is left of the fan, best rank first, and stores what it learns.
func (s *search) testChildren(p node, f *fan, b known, beta int) int {
	began := s.nodes
	t := s.tableFor(p.ply)
	for {
		c, ok := f.next()
		if !ok {
			break
		}
		v := -s.test(p.after(c), 1-beta)
		if s.stopped {
			return 0
		}
		if v >= beta {
			t.store(b.key, max(b.lower, v), b.upper, s.nodes-began)
			return v
		}
		b.best = max(b.best, v)
	}
	t.store(b.key, b.lower, min(b.upper, b.best), s.nodes-began)
	return b.best
}
