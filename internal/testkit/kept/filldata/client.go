package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// doc is a JSON object. The filler knows no types of the contract, which later programs change.
type doc = map[string]any

// at returns what lies in nested objects, nil where there is nothing.
func at(d doc, names ...string) any {
	var value any = d
	for _, name := range names {
		object, _ := value.(doc)
		value = object[name]
	}
	return value
}

func text(d doc, names ...string) string {
	s, _ := at(d, names...).(string)
	return s
}

func number(d doc, names ...string) int {
	n, _ := at(d, names...).(float64)
	return int(n)
}

// filler fills one database through the service that runs over it. After the first error it does nothing any more, and
// only its end looks at it.
type filler struct {
	ctx     context.Context //nolint:containedctx // of the one thing it does
	base    string
	err     error
	people  []*player
	rooms   []*room
	admins  []string // their tokens
	touched time.Time
}

// fail keeps the first error.
func (f *filler) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// exchange sends a request and returns what came back.
func (f *filler) exchange(method, token, path string, body doc, headers ...string) (status int, answer []byte, err error) {
	var reader io.Reader = http.NoBody
	if body != nil {
		content, err := json.Marshal(body)
		if err != nil {
			return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		reader = strings.NewReader(string(content))
	}
	request, err := http.NewRequestWithContext(f.ctx, method, f.base+path, reader)
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, errors.Join(err, response.Body.Close())
}

// send sends a request that has to succeed, and returns its answer.
func (f *filler) send(method, token, path string, body doc, headers ...string) doc {
	f.touch()
	if f.err != nil {
		return doc{}
	}
	status, answer, err := f.exchange(method, token, path, body, headers...)
	switch {
	case err != nil:
		f.fail("%s %s: %w", method, path, err)
		return doc{}
	case status >= http.StatusMultipleChoices:
		f.fail("%s %s: %d %s", method, path, status, answer)
		return doc{}
	case len(answer) == 0:
		return doc{}
	}
	var d doc
	if err = json.Unmarshal(answer, &d); err != nil {
		f.fail("%s %s: %w", method, path, err)
	}
	return d
}

// How often it is looked whether something has come about, how long at most, and how often those who stay are seen.
const (
	lookEvery  = 200 * time.Millisecond
	lookAtMost = 3 * time.Minute
	touchEvery = 4 * time.Second
)

// until waits for something to come about.
func (f *filler) until(what string, come func() bool) {
	for end := time.Now().Add(lookAtMost); f.err == nil && !come(); {
		if time.Now().After(end) {
			f.fail("waited in vain until %s", what)
			return
		}
		time.Sleep(lookEvery)
	}
}

// touch lets those who stay at their tables be seen, now and again.
func (f *filler) touch() {
	if time.Since(f.touched) < touchEvery {
		return
	}
	f.touched = time.Now()
	for _, r := range f.rooms {
		for i, p := range r.seats {
			if r.stay[i] && p != nil {
				p.send(http.MethodGet, "/v1/tables/"+r.id, nil)
			}
		}
	}
}
