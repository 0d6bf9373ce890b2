package solver

import "math/bits"

// A node is a position in the search. It isn't over, the side to move can't win at once, and moves holds
// the fields (at least one) it can take without letting the other side win at once.
type node struct {
	current, mask, moves uint64
	ply                  int
}

// A child is what one move of a node leads to.
type child struct {
	move    uint64 // the field taken
	threats uint64 // the mover's threats after it
	replies uint64 // what the other side can answer without losing at once, never nothing
}

// A fan is the children of a node that its static judgement left open.
type fan struct {
	children [columns]child
	// order holds rank<<orderShift | index into children; pruned for a child that is known not to help.
	order [columns]int
	slots [columns]pair // where the table would hold the children
	size  int
}

// fieldRank prefers the middle columns, and the left one of two alike.
var fieldRank = func() (rank [64]int) {
	for field := range columns * stride {
		rank[field] = [columns]int{1, 3, 5, 6, 4, 2, 0}[field/stride]
	}
	return rank
}()

const (
	orderShift = 3
	orderMask  = 1<<orderShift - 1
	pruned     = -1
)

// safeReplies gives the fields that a side can take without losing at once when the other side has these
// threats: it must block the playable one, can't block two, and mustn't play right below one.
func safeReplies(playable, threats uint64) uint64 {
	forced := threats & playable
	if forced&(forced-1) != 0 {
		return 0
	}
	allowed := forced | uint64(int64(forced-1)>>63) // everything when nothing is forced, without a branch
	return playable &^ (threats >> 1) & allowed
}

// judge looks one ply ahead at every move. It tells whether one of them wins, because the other side has
// no answer to its threats; then nothing else matters and the fan is unfinished.
//
// The rank of a move is the number of threats it makes. One that must be blocked at once counts little,
// one right above a playable field a little more: nobody will want to play below it. Early on, when there
// are hardly any threats, lines that may become some count too, this side's for and the other's against.
func (f *fan) judge(p node) bool {
	n := 0
	for moves := p.moves; moves != 0; moves &= moves - 1 {
		move := moves & -moves
		mask := p.mask | move
		discs := p.current | move
		// completing, written out to spare the call: this line is the most expensive of the package.
		lines := upward(discs) | along(discs, stride-1) | along(discs, stride) | along(discs, stride+1)
		threats := lines & (allFields &^ mask)
		next := playable(mask)
		replies := safeReplies(next, threats)
		if replies == 0 {
			return true
		}
		rank := 4*bits.OnesCount64(threats) - 3*bits.OnesCount64(threats&next) + bits.OnesCount64(threats&(next<<1))
		if p.ply < threatsPly {
			other := p.current ^ p.mask
			rank = 8*rank + prospects(discs, other) - prospects(other, discs) + prospectsLimit
		}
		f.children[n] = child{move: move, threats: threats, replies: replies}
		f.order[n] = (rank*8+fieldRank[bits.TrailingZeros64(move)&63])<<orderShift | n
		n++
	}
	f.size = n
	return false
}

// threatsPly is the first ply at which threats alone tell the good moves from the bad.
const threatsPly = 18

// prospectsLimit is more than prospects can give: there are 69 lines.
const prospectsLimit = 70

// prospects counts the lines with two or more of these discs and none of the other side's.
func prospects(discs, others uint64) int {
	count := 0
	open := allFields &^ others
	for _, step := range [...]int{1, stride - 1, stride, stride + 1} {
		line := open & (open >> step)
		line &= line >> (2 * step)
		second, third, fourth := discs>>step, discs>>(2*step), discs>>(3*step)
		line &= discs&second | third&fourth | (discs|second)&(third|fourth)
		count += bits.OnesCount64(line)
	}
	return count
}

// next takes the child with the highest rank out of the fan; there is none left when it tells so.
func (f *fan) next() (*child, bool) {
	best := pruned
	for _, o := range f.order[:f.size] {
		less := best - o
		best -= less & (less >> 63) // max(best, o) without a branch
	}
	if best == pruned {
		return nil, false
	}
	f.order[best&orderMask] = pruned
	return &f.children[best&orderMask], true
}

// after gives the node a child leads to.
func (p node) after(c *child) node {
	return node{current: p.current ^ p.mask, mask: p.mask | c.move, moves: c.replies, ply: p.ply + 1}
}

// The scores a ply allows. Playing disc ply+1 and winning with it is worth winAt(ply), winning with one's
// next disc one less, and so on; what the other side wins is negative.
func winAt(ply int) int { return (fields + 1 - ply) / 2 }
