package fourinarow

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
)

// TokenStore keeps tokens by key, which is the base URL and the name of the profile if it has one. A token is the player: keep
// it like a password. Goroutines may share a store.
type TokenStore interface {
	Get(key string) (token string, err error) // "" if there is none
	Set(key, token string) error
	Clear(key string) error
}

// MemoryTokens keeps tokens as long as the program runs.
func MemoryTokens() TokenStore {
	return &tokens{load: func() (map[string]string, error) { return map[string]string{}, nil }, save: func(map[string]string) error { return nil }}
}

// FileTokens keeps tokens in a file that its owner alone can read. It is replaced whole, so that a crash leaves the old one or
// the new one. One process at a time writes to it.
func FileTokens(path string) TokenStore {
	return &tokens{load: func() (map[string]string, error) { return readTokens(path) }, save: func(all map[string]string) error {
		return writeTokens(path, all)
	}}
}

type tokens struct {
	load func() (map[string]string, error)
	save func(map[string]string) error

	mu  sync.Mutex
	all map[string]string // nil until it is loaded
}

func (t *tokens) Get(key string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.loaded()
	return t.all[key], err
}

func (t *tokens) Set(key, token string) error {
	return t.change(func(all map[string]string) { all[key] = token })
}

func (t *tokens) Clear(key string) error {
	return t.change(func(all map[string]string) { delete(all, key) })
}

func (t *tokens) change(do func(map[string]string)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.loaded(); err != nil {
		return err
	}
	all := maps.Clone(t.all)
	do(all)
	if err := t.save(all); err != nil {
		return err
	}
	t.all = all
	return nil
}

func (t *tokens) loaded() (err error) {
	if t.all == nil {
		t.all, err = t.load()
	}
	return err
}

func readTokens(path string) (map[string]string, error) {
	all := map[string]string{}
	text, err := os.ReadFile(path) //nolint:gosec // the program's own file
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

func writeTokens(path string, all map[string]string) (err error) {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".tokens-*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
