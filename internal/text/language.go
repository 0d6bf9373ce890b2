package text

import (
	"slices"
	"strings"
)

// Language is a language people can read the service in: a tag of BCP 47.
type Language string

// English is the language of everything that has not been translated. The others are those that have a file.
const English Language = "en"

const (
	folder    = "languages"
	extension = ".yaml"
)

// languages are the languages that have a file, English first.
var languages = func() []Language {
	entries, _ := files.ReadDir(folder) // it is part of the program
	all := []Language{English}
	for _, entry := range entries {
		if l := Language(strings.TrimSuffix(entry.Name(), extension)); l != English {
			all = append(all, l)
		}
	}
	return all
}()

// Languages returns the languages there are, English first.
func Languages() []Language { return slices.Clone(languages) }

func fileOf(l Language) string { return folder + "/" + string(l) + extension }
