package solver

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"
)

//go:embed bookdata
var bookdata embed.FS

// EmbeddedBook gives the book of the latest ply that this binary carries, nil when it carries none. It is
// unpacked once, on first use. An error means that a book was damaged when the binary was built.
var EmbeddedBook = sync.OnceValues(func() (*Book, error) { return latestBook(bookdata) })

// latestBook unpacks bookdata/plyN.book with the largest N there is.
func latestBook(files fs.FS) (*Book, error) {
	for ply := MaxBookPly; ply > 0; ply-- {
		name := fmt.Sprintf("bookdata/ply%d.book", ply)
		data, err := fs.ReadFile(files, name)
		if err != nil {
			continue
		}
		book, err := ParseBook(data)
		if err == nil && book.Ply() != ply {
			err = fmt.Errorf("%w: it is of ply %d", ErrBadBook, book.Ply())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return book, nil
	}
	return nil, nil //nolint:nilnil // no book is a normal state, and a Solver takes nil for it
}
