package kept

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// The files of a folder: the databases, and what was answered about each.
const (
	SQLite          = "sqlite.db.gz"
	SQLiteAnswers   = "sqlite.json.gz"
	Postgres        = "postgres.sql.gz"
	PostgresAnswers = "postgres.json.gz"
)

// Record is what is kept beside a database.
type Record struct {
	Program  string    `json:"program"`  // which filled it
	Moment   time.Time `json:"moment"`   // in which it was kept; what a clock has to show for the answers to be true
	Settings []string  `json:"settings"` // of the environment, that the answers depend on
	Answers  []Answer  `json:"answers"`  // in the order in which they were asked for
	Scenes   []Scene   `json:"scenes"`
}

// Answer is what the program answered to a GET.
type Answer struct {
	Token  string          `json:"token,omitempty"` // with which it was asked; it opens nothing but this database
	Path   string          `json:"path"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"` // a string where it isn't JSON
}

// Kind is a situation at a table that can go on.
type Kind string

// The kinds of scenes.
const (
	Running Kind = "running" // somebody whose token is kept can move
	Covered Kind = "covered" // the CPU plays for one who is away, the other can move
	Asleep  Kind = "asleep"  // nobody is there
	Quick   Kind = "quick"   // somebody waits for a quick match
	Waiting Kind = "waiting" // a seat is free
	Agreed  Kind = "agreed"  // one has agreed to another game
)

// Scene is a table at which something can go on.
type Scene struct {
	Kind  Kind      `json:"kind"`
	Table string    `json:"table"`
	Game  string    `json:"game,omitempty"`
	Seats [2]string `json:"seats"` // the tokens; none for a free seat, the CPU and who has left for good
}

// Folders returns the folders of migrations/testdata, which lies at a path.
func Folders(testdata string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(testdata, "*", SQLite))
	if err != nil {
		return nil, fmt.Errorf("look for databases: %w", err)
	}
	folders := make([]string, 0, len(found))
	for _, file := range found {
		folders = append(folders, filepath.Dir(file))
	}
	return folders, nil
}

// Unpack returns what is in a compressed file.
func Unpack(path string) (content []byte, err error) {
	file, err := os.Open(path) //nolint:gosec // the caller names one of ours
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	content, err = io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	return content, nil
}

// Pack writes a compressed file. The same content makes the same file.
func Pack(path string, content []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	_, err = w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("pack %s: %w", path, err)
	}
	return os.WriteFile(path, packed.Bytes(), 0o644) //nolint:gosec // it is published
}

// Read reads what is kept beside a database.
func Read(path string) (Record, error) {
	content, err := Unpack(path)
	if err != nil {
		return Record{}, err
	}
	var r Record
	if err = json.Unmarshal(content, &r); err != nil {
		return Record{}, fmt.Errorf("read %s: %w", path, err)
	}
	return r, nil
}

// Write writes what is kept beside a database.
func (r Record) Write(path string) error {
	content, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return Pack(path, content)
}
