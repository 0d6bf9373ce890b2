package text_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// brands are names of boxed editions of the game and of those who sell them, without spaces and capitals. They are
// written backwards, so that this file doesn't hold them either.
var brands = backwards(
	"4tcennoc", "ruoftcennoc", "tnniweg4", "tnniwegreiv",
	"4ecnassiup", "ertauqecnassiup", "4azrof", "orttauqazrof",
	"4atcenoc", "ortaucatcenoc", "ruoferocs", "4zcąłop",
	"yretzczcąłop", "4иребос", "ерытечиребос", "orbsah",
	"yeldarbnotlim",
)

func backwards(names ...string) []string {
	for i, name := range names {
		letters := []rune(name)
		slices.Reverse(letters)
		names[i] = string(letters)
	}
	return names
}

// brandIn returns a brand that a text holds, however it is spelt; empty if there is none.
func brandIn(said string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, said)
	for _, brand := range brands {
		if strings.Contains(letters, brand) {
			return brand
		}
	}
	return ""
}

func TestTheBrandsAreFound(t *testing.T) {
	t.Parallel()
	for _, name := range backwards("4tcennoc", "ruoF-tcennoC", "tnniweG reiV", "tnniweg 4", "ORBSAH") {
		assert.NotEmpty(t, brandIn("play "+name+" here"), name)
	}
	for _, name := range []string{"Four in a Row", "Vier in einer Reihe", "Cztery w rzędzie", "Четыре в ряд", "connect to 4 hosts", "score 4"} {
		assert.Empty(t, brandIn(name), name)
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
		assert.Empty(t, brandIn(entry.Name()), "the name of %s", path)
		if !entry.Type().IsRegular() || strings.HasSuffix(path, ".gen.go") { // that comes from openapi.yaml
			return nil
		}
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		if bytes.ContainsRune(content, 0) || !utf8.Valid(content) {
			return nil // no text
		}
		searched++
		assert.Empty(t, brandIn(string(content)), "a boxed edition is named in %s", path)
		return nil
	}))
	assert.Greater(t, searched, 100, "the whole tree is searched")
}

// elsewhere tells folders that are not of this project: its history, tools, what others wrote.
func elsewhere(name string) bool {
	return strings.HasPrefix(name, ".git") || name == "node_modules" || name == "bin" || name == ".cache"
}
