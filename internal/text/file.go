package text

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

//go:embed languages/*.yaml
var files embed.FS

// bundleOf reads the files of all languages. The error means that the program was built wrongly.
func bundleOf() (*i18n.Bundle, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("yaml", yaml.Unmarshal)
	for _, l := range Languages() {
		name := fileOf(l)
		content, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the texts: %w", err)
		}
		if _, err = bundle.ParseMessageFileBytes(content, name); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return bundle, nil
}

// reader reads the texts of one language and notes what it was asked for, so that a test can tell what a file lacks
// and what nobody reads.
type reader struct {
	localizer *i18n.Localizer
	asked     map[string][]string // the names of the placeholders, by key
	errs      []error
}

func newReader(bundle *i18n.Bundle, l Language) *reader {
	return &reader{localizer: i18n.NewLocalizer(bundle, string(l)), asked: make(map[string][]string), errs: nil}
}

// text returns a text without placeholders. One that is missing is English, and noted.
func (r *reader) text(key string) string {
	said, err := r.message(key).localize(nil, nil)
	r.errs = append(r.errs, err)
	return said
}

// message returns a text with placeholders.
func (r *reader) message(key string, placeholders ...string) message {
	slices.Sort(placeholders)
	r.asked[key] = placeholders
	return message{localizer: r.localizer, key: key}
}

func (r *reader) err() error { return errors.Join(r.errs...) }

// message is a text with placeholders. The zero value says nothing.
type message struct {
	localizer *i18n.Localizer
	key       string
}

// countPlaceholder is the placeholder of a text that counts something.
const countPlaceholder = "Count"

// with fills the placeholders.
func (m message) with(values map[string]string) string {
	said, _ := m.localize(values, nil) // what is missing is said in English, as text does
	return said
}

// count fills in a number, in the form that goes with it.
func (m message) count(n int) string {
	return m.countWith(n, make(map[string]any))
}

// countWith fills in a number and other placeholders.
func (m message) countWith(n int, values map[string]any) string {
	values[countPlaceholder] = n
	said, _ := m.localize(values, n)
	return said
}

func (m message) localize(values, plural any) (string, error) {
	if m.localizer == nil {
		return "", nil
	}
	said, err := m.localizer.Localize(&i18n.LocalizeConfig{MessageID: m.key, TemplateData: values, PluralCount: plural})
	if err != nil {
		return said, fmt.Errorf("text %s: %w", m.key, err)
	}
	return said, nil
}
