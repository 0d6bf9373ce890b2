package service

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// A cursor is 4 bytes that name its list, 8 of a number and 16 of an id, in base64url.
const cursorBytes = 4 + 8 + 16

// listKey is a place in a list that is ordered by a number, and by ids where numbers are the same. The zero value is none.
type listKey struct {
	number int64
	id     string // a UUID; empty where numbers are enough
}

// formatKey returns the cursor of a place in a list.
func formatKey(list string, s listKey) string {
	var id uuid.UUID
	if s.id != "" {
		id = uuid.MustParse(s.id) // ours, from the store
	}
	raw := binary.BigEndian.AppendUint32(make([]byte, 0, cursorBytes), listMark(list))
	raw = binary.BigEndian.AppendUint64(raw, uint64(s.number)) //nolint:gosec // read the same way
	return base64.RawURLEncoding.EncodeToString(append(raw, id[:]...))
}

// parseKey returns the place a cursor names, and false for an empty one. The fault is invalid_request.
func parseKey(list, cursor string) (listKey, bool, error) {
	if cursor == "" {
		return listKey{}, false, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) != cursorBytes || binary.BigEndian.Uint32(raw) != listMark(list) {
		return listKey{}, false, fault.At("/query/cursor", fault.InvalidRequest, "this is no cursor of this list")
	}
	number := int64(binary.BigEndian.Uint64(raw[4:])) //nolint:gosec // written the same way
	return listKey{number: number, id: uuid.UUID(raw[12:]).String()}, true, nil
}

// Place is a place in a list that is ordered by time and id, newest first. The zero value is before its beginning.
type Place struct {
	At time.Time
	ID string
}

// formatCursor returns the cursor of a place in a list that is ordered by time.
func formatCursor(list string, p Place) string {
	return formatKey(list, listKey{number: p.At.UnixMicro(), id: p.ID})
}

// parseCursor returns the place a cursor names; none for an empty one. The fault is invalid_request.
func parseCursor(list, cursor string) (Place, error) {
	s, given, err := parseKey(list, cursor)
	if err != nil || !given {
		return Place{}, err
	}
	return Place{At: time.UnixMicro(s.number).UTC(), ID: s.id}, nil
}

func listMark(list string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(list)) // it never fails
	return h.Sum32()
}
