package testkit

import (
	"bufio"
	"compress/gzip"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/solver"
)

// PublishedBook is an opening book of the published scores of ply 8, so that tests know perfect play from the first
// disc on, whatever book the binary carries. For packages right below internal/.
func PublishedBook(tb testing.TB) *solver.Book {
	tb.Helper()
	book, err := publishedBook()
	require.NoError(tb, err)
	return book
}

var publishedBook = sync.OnceValues(func() (*solver.Book, error) {
	const published, ply = "../solver/testdata/exact_scores_ply_le8.tsv.gz", 8
	f, err := os.Open(published)
	if err != nil {
		return nil, err
	}
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	var (
		keys   []solver.Key
		scores []int
	)
	for lines := bufio.NewScanner(unzipped); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if columns[0] != strconv.Itoa(ply) {
			continue
		}
		key, keyErr := strconv.ParseUint(columns[1], 10, 64)
		score, scoreErr := strconv.Atoi(columns[2])
		if err = errors.Join(keyErr, scoreErr); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		keys, scores = append(keys, solver.Key(key)), append(scores, score)
	}
	packed, err := solver.PackBook(ply, keys, scores)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return solver.ParseBook(packed)
})
