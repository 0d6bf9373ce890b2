package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"unicode"
)

// Reader makes keys of what is read: every letter that is no space is one, so that lines do as well as single keys.
// It is for one goroutine.
type Reader struct {
	in      *bufio.Reader
	pending chan press // of the read that runs; nil: none does
}

type press struct {
	key rune
	err error
}

// NewReader reads keys from in, no sooner than they are asked for.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReader(in), pending: nil} }

// Next gives the next key. When ctx ends first, it gives the context's error, and a later call the key.
func (r *Reader) Next(ctx context.Context) (rune, error) {
	if r.pending == nil {
		pending := make(chan press, 1)
		r.pending = pending
		go func() { pending <- r.read() }()
	}
	select {
	case p := <-r.pending:
		r.pending = nil
		return p.key, p.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// escape begins what a terminal sends for keys without a letter, like \x1b[3~ for Delete.
const escape = '\x1b'

func (r *Reader) read() press {
	for {
		key, _, err := r.in.ReadRune()
		switch {
		case err != nil:
			return press{key: 0, err: fmt.Errorf("read: %w", err)}
		case key == escape:
			r.skipSequence()
		case !unicode.IsSpace(key):
			return press{key: key, err: nil}
		}
	}
}

// skipSequence passes over what follows an escape, as far as it came with it (ECMA-48, section 5.4): "[", then letters
// up to one from "@" on; or "O" and one letter.
func (r *Reader) skipSequence() {
	for i := 0; r.in.Buffered() > 0; i++ {
		letter, err := r.in.ReadByte()
		introduces := i == 0 && (letter == '[' || letter == 'O')
		if err != nil || letter >= '@' && !introduces {
			return
		}
	}
}
