package httpapi

import (
	"strconv"
	"strings"
)

// etag returns a version as a weak entity tag: a proxy that compresses may not break it.
func etag(tag string) string { return `W/"` + tag + `"` }

// gzipSuffix is what some servers add to the tag of an answer they compress.
const gzipSuffix = "-gzip"

// seenTags reads If-None-Match and returns whether it names a version; nil for a request without it. Tags are
// compared weakly (RFC 9110, section 8.8.3.2).
func seenTags(header *string) func(tag string) bool {
	if header == nil {
		return nil
	}
	return func(tag string) bool { return namesTag(*header, tag) }
}

// namesTag reports whether a list of tags names one.
func namesTag(list, tag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "*" {
			return true
		}
		quoted := strings.TrimPrefix(item, "W/")
		if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
			continue
		}
		if strings.TrimSuffix(quoted[1:len(quoted)-1], gzipSuffix) == tag {
			return true
		}
	}
	return false
}

// ruleTag returns a version as a strong entity tag.
func ruleTag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// matchedVersion reads If-Match and returns the version it names; 0 when it names none, or not exactly one: `*` and lists
// would let an edit pass that was made for another version. A tag still names its version when a proxy that compresses
// has weakened it.
func matchedVersion(header *string) int64 {
	if header == nil {
		return 0
	}
	quoted := strings.TrimPrefix(strings.TrimSpace(*header), "W/")
	digits, opened := strings.CutPrefix(quoted, `"`)
	digits, closed := strings.CutSuffix(digits, `"`)
	digits = strings.TrimSuffix(digits, gzipSuffix)
	version, err := strconv.ParseInt(digits, 10, 64)
	if !opened || !closed || err != nil || version < 1 || strconv.FormatInt(version, 10) != digits {
		return 0
	}
	return version
}
