// Command pack makes of this module what a module proxy serves of it, so that a program elsewhere can require it.
//
//	pack [-replace PATH=FILE] FOLDER MODULE VERSION < PATHS
//
// Standard input names the module's files, each ended by a zero byte; PATH is taken from another FILE. FOLDER can then stand in
// GOPROXY as file://FOLDER. It prints the path of the archive.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

type file struct{ path, source string }

func (f file) Path() string                 { return f.path }
func (f file) Lstat() (fs.FileInfo, error)  { return os.Lstat(f.source) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.source) }

func main() {
	replace := flag.String("replace", "", "PATH=FILE")
	flag.Parse()
	if err := pack(*replace, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(replace string, args []string) error {
	if len(args) != 3 {
		return errors.New("it takes a folder, the module and its version")
	}
	of := module.Version{Path: args[1], Version: args[2]}
	paths, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	replaced, by, _ := strings.Cut(replace, "=")
	var files []zip.File
	for path := range strings.SplitSeq(strings.TrimSuffix(string(paths), "\x00"), "\x00") {
		f := file{path: path, source: path}
		if path == replaced {
			f.source = by
		}
		if _, err := f.Lstat(); errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		files = append(files, f)
	}

	folder := filepath.Join(args[0], of.Path, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list": of.Version + "\n", of.Version + ".info": fmt.Sprintf("{\"Version\":%q}\n", of.Version), of.Version + ".mod": string(mod),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(folder, of.Version+".zip"))
	if err != nil {
		return err
	}
	fmt.Println(archive.Name())
	return errors.Join(zip.Create(archive, of, files), archive.Close())
}
