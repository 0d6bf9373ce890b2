package solver

import "math/bits"

// An indexer numbers the positions of one ply without gaps worth mentioning, so that a book needs no
// keys: the shape of the piles (how many discs each column holds) times the colours of the discs, read
// column by column from the bottom. Of two mirrored shapes only one has a number; a shape that is its
// own mirror image keeps both colourings.
type indexer struct {
	ply      int
	before   [columns][]rankRow // before[c][left][h]: shapes that agree up to column c and have less than h there
	shapeIDs []int32            // by rank: the shape's number, or -1 for the mirror of another
	shapes   []shape            // by number
	ranks    []uint16           // by colours: their number among those with as many ones
	colours  []uint16           // by number
}

type (
	rankRow [rows + 1]int32
	shape   [columns]uint8
)

func newIndexer(ply int) *indexer {
	x := &indexer{ply: ply, ranks: make([]uint16, 1<<ply)}
	for c := range columns {
		x.before[c] = make([]rankRow, ply+1)
		for left := range ply + 1 {
			for h := 1; h <= rows; h++ {
				x.before[c][left][h] = x.before[c][left][h-1] + ways(columns-1-c, left-h+1)
			}
		}
	}
	x.addShapes(shape{}, 0, ply)
	for colours := range 1 << ply {
		if bits.OnesCount(uint(colours)) == ply/2 {
			x.ranks[colours] = uint16(len(x.colours))
			x.colours = append(x.colours, uint16(colours))
		}
	}
	return x
}

// ways counts the shapes of some columns with that many discs.
func ways(columns, discs int) int32 {
	switch {
	case discs < 0:
		return 0
	case columns == 0 && discs == 0:
		return 1
	case columns == 0:
		return 0
	}
	sum := int32(0)
	for h := range rows + 1 {
		sum += ways(columns-1, discs-h)
	}
	return sum
}

// addShapes numbers the shapes that begin with the columns before c, in the order of their ranks.
func (x *indexer) addShapes(s shape, c, left int) {
	if c == columns {
		if left > 0 {
			return
		}
		id := int32(-1)
		if !s.turned() {
			id = int32(len(x.shapes))
			x.shapes = append(x.shapes, s)
		}
		x.shapeIDs = append(x.shapeIDs, id)
		return
	}
	for h := range min(rows, left) + 1 {
		s[c] = uint8(h)
		x.addShapes(s, c+1, left-h)
	}
}

// turned tells whether the mirror image of the shape comes first.
func (s shape) turned() bool {
	for c := range columns / 2 {
		if s[c] != s[columns-1-c] {
			return s[c] > s[columns-1-c]
		}
	}
	return false
}

// symmetric tells whether the shape is its own mirror image.
func (s shape) symmetric() bool {
	for c := range columns / 2 {
		if s[c] != s[columns-1-c] {
			return false
		}
	}
	return true
}

// shapeOf reads the shape of the discs.
func shapeOf(mask uint64) (s shape) {
	for c := range columns {
		s[c] = uint8(bits.Len64(mask >> (c * stride) & (1<<rows - 1)))
	}
	return s
}

// size is how many numbers there are.
func (x *indexer) size() int { return len(x.shapes) * len(x.colours) }

// index gives the number of a position of this ply.
func (x *indexer) index(current, mask uint64) int {
	s := shapeOf(mask)
	if s.turned() {
		current, mask = mirror(current), mirror(mask)
		s = shapeOf(mask)
	}
	rank, left := int32(0), x.ply
	colours, used := uint64(0), 0
	for c, h := range s {
		rank += x.before[c][left][h]
		left -= int(h)
		colours |= current >> (c * stride) & (1<<h - 1) << used
		used += int(h)
	}
	return int(x.shapeIDs[rank])*len(x.colours) + int(x.ranks[colours])
}

// discs gives the discs of the side to move for a shape and colours.
func (s shape) discs(colours uint64) uint64 {
	current := uint64(0)
	for c, h := range s {
		current |= colours & (1<<h - 1) << (c * stride)
		colours >>= h
	}
	return current
}

// mask gives all discs of a shape.
func (s shape) mask() uint64 {
	mask := uint64(0)
	for c, h := range s {
		mask |= (1<<h - 1) << (c * stride)
	}
	return mask
}
