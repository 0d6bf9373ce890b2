package service

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"github.com/fourinarow/fourinarow/internal/fault"
)

// A cursor is 4 bytes that name its list, 8 of microseconds and 16 of an id, in base64url.
const cursorBytes = 4 + 8 + 16

// formatCursor returns the cursor of a place in a list.
func formatCursor(list string, p Place) string {
	id := uuid.MustParse(p.ID) // ours, from the store
	raw := binary.BigEndian.AppendUint32(make([]byte, 0, cursorBytes), listMark(list))
	raw = binary.BigEndian.AppendUint64(raw, uint64(p.At.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(raw, id[:]...))
}

// parseCursor returns the place a cursor names; none for an empty one. The fault is invalid_request.
func parseCursor(list, cursor string) (Place, error) {
	if cursor == "" {
		return Place{}, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) != cursorBytes || binary.BigEndian.Uint32(raw) != listMark(list) {
		return Place{}, fault.At("/query/cursor", fault.Invalid, fault.InvalidRequest, "this is no cursor of this list")
	}
	at := int64(binary.BigEndian.Uint64(raw[4:])) //nolint:gosec // written the same way
	return Place{At: time.UnixMicro(at).UTC(), ID: uuid.UUID(raw[12:]).String()}, nil
}

func listMark(list string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(list)) // it never fails
	return h.Sum32()
}
