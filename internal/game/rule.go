package game

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// rule is a house rule among the settings: how its field is read and written as the catalogue writes its options.
type rule struct {
	key  houserule.Key
	head string // what stands before its value in a document, after another rule
	get  func(*Settings) string
	set  func(*Settings, string) bool // false, and nothing is changed: the rule doesn't know the value
}

// toggle is a rule that is on or off.
func toggle(key houserule.Key, field func(*Settings) *bool) rule {
	return rule{
		key: key, head: head(key),
		get: func(s *Settings) string { return houserule.Switch(*field(s)) },
		set: func(s *Settings, value string) bool {
			if value != houserule.On && value != houserule.Off {
				return false
			}
			*field(s) = value == houserule.On
			return true
		},
	}
}

// choice is a rule whose options have names: those of the catalogue.
func choice(key houserule.Key, field func(*Settings) *string) rule {
	standard, _ := houserule.Standard().Rule(key) // one without options knows no value
	options := standard.Options
	return rule{
		key: key, head: head(key),
		get: func(s *Settings) string { return *field(s) },
		set: func(s *Settings, value string) bool {
			if !slices.Contains(options, value) {
				return false
			}
			*field(s) = value
			return true
		},
	}
}

// seconds is a rule whose options are whole seconds. A game can be played by any number that isn't below the least, also
// by one that the catalogue doesn't offer any more.
func seconds(key houserule.Key, least int, field func(*Settings) *time.Duration) rule {
	return rule{
		key: key, head: head(key),
		get: func(s *Settings) string { return strconv.Itoa(int(*field(s) / time.Second)) },
		set: func(s *Settings, value string) bool {
			n, err := strconv.Atoi(value)
			if err != nil || n < least || n > math.MaxInt32 || strconv.Itoa(n) != value {
				return false
			}
			*field(s) = time.Duration(n) * time.Second
			return true
		},
	}
}

func head(key houserule.Key) string { return `,"` + string(key) + `":"` }
