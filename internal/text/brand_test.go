package text_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// brands finds the names of boxed editions of the game and of those who sell them. They are put together from parts, so
// that this file doesn't hold them either.
var brands = func() *regexp.Regexp {
	gap := `[\s\p{P}]*`
	names := []string{
		"con" + "nect" + gap + "(4|fo" + "ur)",
		"(4|vi" + "er)" + gap + "gew" + "innt",
		"puis" + "sance" + gap + "(4|qu" + "atre)",
		"for" + "za" + gap + "(4|qu" + "attro)",
		"cone" + "cta" + gap + "(4|cu" + "atro)",
		"sco" + "re" + gap + "fo" + "ur",
		"po" + "łącz" + gap + "(4|czt" + "ery)",
		"со" + "бери" + gap + "(4|чет" + "ыре)",
		"has" + "bro", "mil" + "ton" + gap + "brad" + "ley",
	}
	return regexp.MustCompile(`(?i)(` + strings.Join(names, "|") + `)`)
}()

func TestTheBrandsAreFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"con" + "nect4", "Con" + "nect-Fo" + "ur", "Vi" + "er Gew" + "innt", "4 gew" + "innt", "HAS" + "BRO"} {
		assert.Regexp(t, brands, name)
	}
	for _, name := range []string{"Four in a Row", "Vier in einer Reihe", "Cztery w rzędzie", "Четыре в ряд", "connect to 4 hosts", "score 4"} {
		assert.NotRegexp(t, brands, name)
	}
}

// The tree is searched, not only the texts: names of files too.
func TestNoBoxedEditionIsNamedAnywhere(t *testing.T) {
	t.Parallel()
	const top = "../.."
	searched := 0
	require.NoError(t, filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		if entry.IsDir() {
			if elsewhere(entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		assert.NotRegexp(t, brands, entry.Name())
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		if bytes.ContainsRune(content, 0) || !utf8.Valid(content) {
			return nil // no text
		}
		searched++
		if found := brands.Find(content); found != nil {
			assert.Fail(t, "a boxed edition is named", "%s: %s", path, found)
		}
		return nil
	}))
	assert.Greater(t, searched, 100, "the whole tree is searched")
}

// elsewhere tells folders that are not of this project: its history, tools, what others wrote.
func elsewhere(name string) bool {
	return strings.HasPrefix(name, ".git") || name == "node_modules" || name == "bin" || name == ".cache"
}
