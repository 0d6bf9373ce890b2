//go:build unix

package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is whom the server runs as. The zero account is whoever runs the tests.
type account struct {
	credential *syscall.Credential
}

// unprivileged is the account for the server: PostgreSQL refuses root, so root lends it a lesser one.
func unprivileged() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(found.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(found.Gid, 10, 32)
		if uidErr != nil || gidErr != nil || uid == 0 {
			continue
		}
		return account{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return account{}, errors.New("root can't run PostgreSQL, and there is neither a user postgres nor nobody to run it: run the tests as another user")
}

// directory makes an empty directory that belongs to the account and that it can reach: in memory for what is thrown away,
// where there is room, since making a database is making some three hundred files.
func (a account) directory(durability Durability) (string, error) {
	parents := []string{os.TempDir(), "/tmp", "/var/tmp"}
	if durability == Disposable {
		parents = append(inMemory(), parents...)
	}
	for _, parent := range parents {
		if !a.reaches(parent) {
			continue
		}
		directory, err := os.MkdirTemp(parent, "fourinarow-postgres-")
		if err != nil {
			continue
		}
		if err := a.own(directory); err != nil {
			return "", errors.Join(err, os.RemoveAll(directory))
		}
		return directory, nil
	}
	return "", fmt.Errorf("no temporary directory for PostgreSQL: %s is not writable, or not reachable for an unprivileged user: set TMPDIR to one that is", os.TempDir())
}

// own hands a file to the account.
func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(path, int(a.credential.Uid), int(a.credential.Gid))
}

// reaches tells whether the account can pass through a directory and all above it.
func (a account) reaches(directory string) bool {
	if a.credential == nil {
		return true
	}
	path, err := filepath.EvalSymlinks(directory)
	if err != nil {
		return false
	}
	const othersPass = 0o001
	for ; ; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&othersPass == 0 {
			return false
		}
		if path == filepath.Dir(path) {
			return true
		}
	}
}
