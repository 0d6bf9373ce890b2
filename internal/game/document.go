package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Document returns the settings as they are stored: a JSON object of the rules' values by their keys, in the order of
// the catalogue, and then what another release has left there, as it was.
func (s Settings) Document() string {
	written := make([]byte, 0, documentSize)
	for _, r := range rules {
		if _, foreign := s.foreignValue(r.key); !foreign {
			written = append(append(append(written, r.head...), r.get(&s)...), '"') // options are plain words
		}
	}
	if s.foreign != "" {
		written = append(append(written, ','), s.foreign...)
	}
	written[0] = '{' // instead of a comma
	return string(append(written, '}'))
}

// documentSize is enough for the settings of a game that nothing foreign is in.
const documentSize = 512

// SettingsFrom reads what Document wrote, in this release or in another. A rule that isn't there has its standard
// default. What this release doesn't know is kept: see ForeignRules and ForeignValues. The error says that the document
// is no JSON object.
func SettingsFrom(document string) (Settings, error) {
	if s, own := readOwn(document); own {
		return s, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &members); err != nil {
		return Settings{}, fmt.Errorf("read settings: %w", err)
	}
	if members == nil {
		return Settings{}, fmt.Errorf("read settings: they are %s", document)
	}
	s := standard
	for _, r := range rules {
		value, there := members[string(r.key)]
		if text, isText := textOf(value); there && isText && r.set(&s, text) {
			delete(members, string(r.key))
		}
	}
	return s.withForeign(members)
}

// readOwn reads a document as this release writes it, which nearly all are, without taking JSON apart.
func readOwn(document string) (s Settings, own bool) {
	rest, own := strings.CutPrefix(document, "{")
	for i, r := range rules {
		head := r.head
		if i == 0 {
			head = head[1:]
		}
		var value string
		if rest, own = strings.CutPrefix(rest, head); !own {
			return Settings{}, false
		}
		if value, rest, own = strings.Cut(rest, `"`); !own || !r.set(&s, value) {
			return Settings{}, false
		}
	}
	return s, own && rest == "}"
}

// ForeignRules returns the keys of rules that this release doesn't know, in their order. A game is played without them.
func (s Settings) ForeignRules() []string {
	return slices.DeleteFunc(s.foreignKeys(), func(key string) bool {
		_, known := ruleOf(houserule.Key(key))
		return known
	})
}

// ForeignValues returns the known rules whose values this release doesn't know, in the order of their keys. A game with
// one can be shown, and nothing of it may change here.
func (s Settings) ForeignValues() []houserule.Key {
	var keys []houserule.Key
	for _, key := range s.foreignKeys() {
		if _, known := ruleOf(houserule.Key(key)); known {
			keys = append(keys, houserule.Key(key))
		}
	}
	return keys
}

// Understood reports whether this release knows all values of its rules.
func (s Settings) Understood() bool { return s.foreign == "" || len(s.ForeignValues()) == 0 }

// Check makes sure that the settings are understood. The fault is unavailable.
func (s Settings) Check() error {
	if values := s.ForeignValues(); len(values) > 0 {
		return fault.New(fault.Away, "another release has set the house rule %s to %q, which this one doesn't know", values[0], s.Value(values[0]))
	}
	return nil
}

// Keeping returns the settings with the rules of another release that are in other ones.
func (s Settings) Keeping(other Settings) Settings {
	if other.foreign == s.foreign {
		return s
	}
	members, kept := s.foreignMembers(), other.foreignMembers()
	if members == nil {
		members = make(map[string]json.RawMessage)
	}
	for _, key := range other.ForeignRules() {
		members[key] = kept[key]
	}
	s, _ = s.withForeign(members) // they have been read before
	return s
}

// withForeign keeps members that this release doesn't know.
func (s Settings) withForeign(members map[string]json.RawMessage) (Settings, error) {
	var kept []byte
	for _, key := range slices.Sorted(maps.Keys(members)) {
		var compact bytes.Buffer
		if err := json.Compact(&compact, members[key]); err != nil {
			return Settings{}, fmt.Errorf("read settings: %w", err)
		}
		kept = appendMember(kept, key, compact.Bytes())
	}
	s.foreign = string(kept)
	return s, nil
}

// withoutForeign drops what is kept of a rule.
func (s Settings) withoutForeign(key houserule.Key) Settings {
	members := s.foreignMembers()
	if _, there := members[string(key)]; !there {
		return s
	}
	delete(members, string(key))
	s, _ = s.withForeign(members) // they have been read before
	return s
}

// foreignMembers are what this release doesn't know, by key.
func (s Settings) foreignMembers() map[string]json.RawMessage {
	if s.foreign == "" {
		return nil
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte("{"+s.foreign+"}"), &members) // withForeign wrote it
	return members
}

func (s Settings) foreignKeys() []string { return slices.Sorted(maps.Keys(s.foreignMembers())) }

// foreignValue returns what is stored of a rule, when this release doesn't know it: text, or else its JSON.
func (s Settings) foreignValue(key houserule.Key) (string, bool) {
	if s.foreign == "" {
		return "", false
	}
	value, there := s.foreignMembers()[string(key)]
	if text, isText := textOf(value); isText {
		return text, there
	}
	return string(value), there
}

func textOf(value json.RawMessage) (string, bool) {
	var text *string
	if len(value) == 0 || json.Unmarshal(value, &text) != nil || text == nil {
		return "", false
	}
	return *text, true
}

func appendMember(members []byte, key string, value []byte) []byte {
	if len(members) > 0 {
		members = append(members, ',')
	}
	return append(append(append(members, quoted(key)...), ':'), value...)
}

func quoted(text string) []byte {
	written, _ := json.Marshal(text) // text can always be written
	return written
}
