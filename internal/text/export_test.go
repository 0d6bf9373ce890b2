package text

import (
	"fmt"
	"maps"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

// quotesKey is the key of what a language quotes with; only tests read it.
const quotesKey = "writing.quotes"

// Asked returns the keys that the program asks a language for, each with the names of its placeholders. The error says
// which of them its file lacks.
func Asked(l Language) (map[string][]string, error) {
	bundle, err := bundleOf()
	if err != nil {
		return nil, err
	}
	r := newReader(bundle, l)
	textsOf(r)
	r.text(quotesKey)
	return r.asked, r.err()
}

// Broken says which file can't be read.
func Broken() error {
	_, err := bundleOf()
	return err
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

// PluralForms returns the forms that a text has which counts something, each with a number that takes it.
func PluralForms(l Language) (map[string]int, error) {
	bundle := i18n.NewBundle(language.Make(string(l)))
	said := i18n.Message{ID: "form", Zero: "zero", One: "one", Two: "two", Few: "few", Many: "many", Other: "other"}
	if err := bundle.AddMessages(language.Make(string(l)), &said); err != nil {
		return nil, fmt.Errorf("forms of %s: %w", l, err)
	}
	forms := map[string]int{"other": 0}
	for n := range 1000 {
		form, err := message{localizer: i18n.NewLocalizer(bundle, string(l)), key: said.ID}.localize(nil, n)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(forms, func(known string, of int) bool { return known == form && of == 0 })
		if _, known := forms[form]; !known {
			forms[form] = n
		}
	}
	return forms, nil
}

// ChooseAmong chooses as Choose does, among other languages than those that have a file.
func ChooseAmong(among []Language, asked, accepted, own string) Language {
	return spoken(among).choose(asked, accepted, own)
}
