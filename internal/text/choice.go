package text

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// Choose returns the language of an answer: the one that was asked for, else the best that is accepted, else the
// reader's own, else English. asked and own are single tags, accepted is written as in Accept-Language (RFC 9110,
// section 12.5.4). Whatever is malformed or not spoken here is passed over.
func Choose(asked, accepted, own string) Language {
	return spoken(languages).choose(asked, accepted, own)
}

// spoken are the languages to choose among, that of everything untranslated first.
type spoken []Language

func (s spoken) choose(asked, accepted, own string) Language {
	if chosen, found := s.of(asked); found {
		return chosen
	}
	accepts := rangesOf(accepted)
	if chosen, found := s.best(accepts, own); found {
		return chosen
	}
	return s.fallback(own, accepts)
}

// languageRange is one entry of Accept-Language.
type languageRange struct {
	tag    string  // "*" is any language
	weight float64 // 0: not this one
}

// rangesAtMost is how many entries are looked at; people read fewer languages.
const rangesAtMost = 32

// rangesOf returns the entries of a header, the heaviest first; those that cannot be read are left out.
func rangesOf(header string) []languageRange {
	var ranges []languageRange
	for entry := range strings.SplitSeq(header, ",") {
		if len(ranges) == rangesAtMost {
			break
		}
		tag, params, weighted := strings.Cut(entry, ";")
		weight := 1.0
		if weighted {
			var readable bool
			if weight, readable = weightOf(params); !readable {
				continue
			}
		}
		if tag = strings.TrimSpace(tag); tag != "" {
			ranges = append(ranges, languageRange{tag: tag, weight: weight})
		}
	}
	slices.SortStableFunc(ranges, func(a, b languageRange) int { return cmp.Compare(b.weight, a.weight) })
	return ranges
}

// weightOf reads "q=0.5", a number from 0 to 1.
func weightOf(param string) (float64, bool) {
	name, value, _ := strings.Cut(param, "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 0, false
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return weight, err == nil && weight >= 0 && weight <= 1
}

// best returns the language of the heaviest range that is spoken here. "*" stands for the reader's own language, or
// English, or whatever is left.
func (s spoken) best(ranges []languageRange, own string) (Language, bool) {
	for _, r := range ranges {
		if r.weight == 0 {
			break // they come last
		}
		if r.tag == "*" {
			return s.fallback(own, ranges), true
		}
		if chosen, found := s.of(r.tag); found {
			return chosen, true
		}
	}
	return "", false
}

// fallback returns the reader's own language, or English; but none that is ruled out while another is left.
func (s spoken) fallback(own string, ranges []languageRange) Language {
	candidates := slices.Clone(s)
	if chosen, found := s.of(own); found {
		candidates = slices.Insert(candidates, 0, chosen)
	}
	for _, candidate := range candidates {
		if !ruledOut(candidate, ranges) {
			return candidate
		}
	}
	return s[0]
}

// ruledOut reports whether a language has the weight 0. A variant of it ("de-AT;q=0") rules out no more than itself.
func ruledOut(candidate Language, ranges []languageRange) bool {
	return slices.ContainsFunc(ranges, func(r languageRange) bool {
		return r.weight == 0 && strings.EqualFold(r.tag, string(candidate))
	})
}

// of returns the language of a tag: "de" for "de-AT" and "deu". That somebody is likely to understand another one (as
// Unicode's data says of neighbours) does not make it theirs.
func (s spoken) of(tag string) (Language, bool) {
	parsed, err := language.Parse(tag)
	if err != nil {
		return "", false
	}
	base, confidence := parsed.Base()
	l := Language(base.String())
	return l, confidence == language.Exact && slices.Contains(s, l)
}
