package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is the unit of processor times in /proc, on every Linux: USER_HZ is 100.
const tick = 10 * time.Millisecond

// stat is what is read of /proc/PID/stat. Ended children are those it has waited for.
type stat struct {
	parent        int
	own, children time.Duration // processor time, in user mode and in the kernel
}

func readStat(pid string) (stat, error) {
	line, err := os.ReadFile(filepath.Join("/proc", pid, "stat")) //nolint:gosec // a process id
	if err != nil {
		return stat{}, fmt.Errorf("read the processor time of a process: %w", err)
	}
	// The name, in parentheses, may hold anything; what follows it begins with field 3.
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 15 {
		return stat{}, fmt.Errorf("read the processor time of a process: /proc/%s/stat is %q", pid, line)
	}
	at := func(n int) time.Duration { return time.Duration(number(fields[n-3])) * tick }
	return stat{parent: number(fields[4-3]), own: at(14) + at(15), children: at(16) + at(17)}, nil
}

// processTime is the processor time of a process, without its children. The pid "self" is this one.
func processTime(pid string) (time.Duration, error) {
	s, err := readStat(pid)
	return s.own, err
}

// A family is a process and its children.
type family struct {
	children int           // that live
	time     time.Duration // processor time of all, those that have ended too
}

func readFamily(pid int) (family, error) {
	parent, err := readStat(strconv.Itoa(pid))
	if err != nil {
		return family{}, err
	}
	f := family{children: 0, time: parent.own + parent.children}
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return family{}, err
	}
	for _, directory := range all {
		// One that can't be read has ended meanwhile.
		if s, err := readStat(filepath.Base(directory)); err == nil && s.parent == pid {
			f.children++
			f.time += s.own + s.children
		}
	}
	return f, nil
}
