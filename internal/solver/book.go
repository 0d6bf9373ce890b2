package solver

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/fourinarow/fourinarow/internal/board"
)

// MaxBookPly is the latest ply a book can hold.
const MaxBookPly = 14

// A Book knows the exact score of every position of one ply. A search that comes from an earlier ply ends
// at it, so one ply is enough for all plies before.
//
// Packed it is a header, see bookHeader, and a deflated stream of scores, a byte each, in the order of
// the positions' numbers (see indexer). It says nothing about positions whose score is plain: those that
// are over, that can be won or must be lost at once, and mirror images. So ply 10 takes a third of a
// megabyte.
type Book struct {
	index  *indexer
	scores []int8 // by the position's number
}

// ErrBadBook says that data isn't a packed book, or a damaged one.
var ErrBadBook = errors.New("not a book")

// bookHeader precedes the deflated scores. All numbers are big-endian.
type bookHeader struct {
	Magic    [8]byte
	Ply      uint32
	Count    uint32 // stored scores
	Checksum uint32 // CRC-32 (IEEE) of the stored scores
}

var bookMagic = [8]byte{'4', 'r', 'o', 'w', 'b', 'k', '0', '1'}

// Ply is the ply whose positions the book knows.
func (b *Book) Ply() int { return b.index.ply }

// Score looks a position up. It is false for a position of another ply and one that is over.
func (b *Book) Score(p board.Position) (score int, ok bool) {
	current, mask := p.Bits()
	if plyOf(mask) != b.index.ply || over(current, mask) {
		return 0, false
	}
	return b.scoreOf(current, mask), true
}

// ScoreKey looks a position up by its key. It is false as for Score, and for what is no key.
func (b *Book) ScoreKey(key Key) (score int, ok bool) {
	if !key.valid(b.index.ply) {
		return 0, false
	}
	current, mask := key.position()
	if over(current, mask) {
		return 0, false
	}
	return b.scoreOf(current, mask), true
}

// scoreOf looks up a position of the book's ply that isn't over.
func (b *Book) scoreOf(current, mask uint64) int {
	return int(b.scores[b.index.index(current, mask)])
}

// walk visits every number in order. It gives the score where it is plain and 0 where there is no such
// position (mirror images included); it asks for the others.
func (x *indexer) walk(ask func(current, mask uint64) (int8, error)) ([]int8, error) {
	scores := make([]int8, x.size())
	number := 0
	for _, s := range x.shapes {
		mask, symmetric := s.mask(), s.symmetric()
		for _, colours := range x.colours {
			current := s.discs(uint64(colours))
			score, asked := x.plainScore(current, mask)
			switch {
			case !asked:
			case symmetric && mirror(current) < current:
				score = scores[x.index(mirror(current), mask)]
			default:
				var err error
				if score, err = ask(current, mask); err != nil {
					return nil, err
				}
			}
			scores[number] = score
			number++
		}
	}
	return scores, nil
}

// plainScore gives the score of a position that is over or plain, and tells whether it must be asked for.
func (*indexer) plainScore(current, mask uint64) (score int8, asked bool) {
	if hasFour(current) || hasFour(current^mask) {
		return 0, false
	}
	_, value, plain := start(current, mask)
	return int8(value), !plain
}

// ParseBook unpacks a book. Its errors wrap ErrBadBook.
func ParseBook(data []byte) (*Book, error) {
	var header bookHeader
	packed := bytes.NewReader(data)
	if err := binary.Read(packed, binary.BigEndian, &header); err != nil || header.Magic != bookMagic {
		return nil, fmt.Errorf("%w: no header", ErrBadBook)
	}
	if header.Ply > MaxBookPly {
		return nil, fmt.Errorf("%w: of ply %d", ErrBadBook, header.Ply)
	}
	index := newIndexer(int(header.Ply))
	stream := flate.NewReader(packed)
	stored, err := io.ReadAll(io.LimitReader(stream, int64(index.size())+1))
	if err = errors.Join(err, stream.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadBook, err)
	}
	if len(stored) != int(header.Count) || crc32.ChecksumIEEE(stored) != header.Checksum {
		return nil, fmt.Errorf("%w: the checksum is wrong", ErrBadBook)
	}
	scores, err := index.walk(func(uint64, uint64) (int8, error) {
		if len(stored) == 0 {
			return 0, fmt.Errorf("%w: scores are missing", ErrBadBook)
		}
		score := int8(stored[0])
		stored = stored[1:]
		if score < -maxScore || score > maxScore {
			return 0, fmt.Errorf("%w: a score of %d", ErrBadBook, score)
		}
		return score, nil
	})
	if err == nil && len(stored) > 0 {
		err = fmt.Errorf("%w: %d scores too many", ErrBadBook, len(stored))
	}
	if err != nil {
		return nil, err
	}
	return &Book{index: index, scores: scores}, nil
}

// PackBook packs the scores of all positions of a ply: keys as Keys(ply) lists them, and the score of
// each. It refuses scores that can't be right where that is plain to see.
func PackBook(ply int, keys []Key, scores []int) ([]byte, error) {
	if ply > MaxBookPly || len(keys) != len(scores) || !slices.IsSorted(keys) {
		return nil, fmt.Errorf("%w: ply %d with %d keys and %d scores", ErrBadBook, ply, len(keys), len(scores))
	}
	index := newIndexer(ply)
	var stored []byte
	filler := int8(0)
	all, err := index.walk(func(current, mask uint64) (int8, error) {
		if i, ok := slices.BinarySearch(keys, Key(canonical(keyOf(current, mask)))); ok {
			filler = int8(scores[i])
		} // else no order of moves leads there, and the score before it packs best
		stored = append(stored, byte(filler))
		return filler, nil
	})
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		current, mask := key.position()
		if !key.valid(ply) || over(current, mask) || int(all[index.index(current, mask)]) != scores[i] {
			return nil, fmt.Errorf("%w: position %013x has score %d", ErrBadBook, uint64(key), scores[i])
		}
	}
	return deflateBook(ply, stored)
}

func deflateBook(ply int, stored []byte) ([]byte, error) {
	var packed bytes.Buffer
	header := bookHeader{
		Magic: bookMagic, Ply: uint32(ply), Count: uint32(len(stored)), Checksum: crc32.ChecksumIEEE(stored),
	}
	if err := binary.Write(&packed, binary.BigEndian, header); err != nil {
		return nil, err
	}
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(stored)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
