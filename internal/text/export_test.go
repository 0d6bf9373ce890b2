package text

import (
	"fmt"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"go.yaml.in/yaml/v3"
)

// Asked returns the keys that the program asks a language for, each with the names of its placeholders.
func Asked(l Language) (map[string][]string, error) {
	bundle, err := bundleOf()
	if err != nil {
		return nil, err
	}
	r := newReader(bundle, l)
	textsOf(r)
	return r.asked, r.err()
}

// Written returns the messages of a language's file, by key.
func Written(l Language) (map[string]*i18n.Message, error) {
	content, err := files.ReadFile(fileOf(l))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", fileOf(l), err)
	}
	file, err := i18n.ParseMessageFileBytes(content, fileOf(l), map[string]i18n.UnmarshalFunc{"yaml": yaml.Unmarshal})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", fileOf(l), err)
	}
	written := make(map[string]*i18n.Message, len(file.Messages))
	for _, m := range file.Messages {
		written[m.ID] = m
	}
	return written, nil
}

// FileNames returns the names of all files with texts.
func FileNames() []string {
	entries, err := files.ReadDir("languages")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
