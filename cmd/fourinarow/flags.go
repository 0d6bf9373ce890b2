package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// errHelp says that the flags were asked for, and have been shown.
var errHelp = errors.New("help was asked for")

// parse reads the flags of a command, wherever among its arguments they stand, and returns the other arguments.
func (p program) parse(flags *flag.FlagSet, args []string) ([]string, error) {
	flags.SetOutput(io.Discard)
	var others []string
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(p.stdout)
			flags.Usage()
			return nil, errHelp
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flags.Name(), err)
		}
		if flags.NArg() == 0 {
			return others, nil
		}
		others, args = append(others, flags.Arg(0)), flags.Args()[1:]
	}
}

// listed names the values of a flag.
func listed[T ~string](values []T) string {
	names := make([]string, 0, len(values))
	for _, v := range values {
		names = append(names, string(v))
	}
	return strings.Join(names, ", ")
}
