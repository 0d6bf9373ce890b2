package kept

import (
	"encoding/json"
	"fmt"
)

// byTheClock are the fields that change with the moment in which an answer is given, and opaque ones whose text nobody
// promises to keep: for each what else is in its object, where the name alone doesn't tell.
var byTheClock = map[string]string{
	"server_time_ms": "", "remaining_ms": "", "poll_after_ms": "", "retry_after_ms": "", "exported_at": "",
	"expires_at":   "seats",     // that of a table begins anew whenever an owner is seen; that of a code doesn't
	"last_seen_at": "said_away", // of a seat, in the moment; that of a device is an hour
	"next_cursor":  "", "request_id": "",
	"state": "items", // of a list; a seat has one too
}

// Timeless returns an answer's body without what changes by the clock alone: such a field stays, but says nothing.
func Timeless(body []byte) (any, error) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}
	return blanked(value), nil
}

func blanked(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = blanked(inner)
			if beside, found := byTheClock[name]; found && (beside == "" || v[beside] != nil) {
				v[name] = "…"
			}
		}
	case []any:
		for i := range v {
			v[i] = blanked(v[i])
		}
	}
	return value
}
