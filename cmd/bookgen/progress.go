package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// A progress shows how far the work is and how long it will still take: a bar that redraws itself on a
// terminal, a line now and then elsewhere.
type progress struct {
	mu       sync.Mutex
	out      *os.File
	terminal bool
	total    int
	done     int
	began    time.Time
	drawn    time.Time
}

func newProgress(out *os.File, total int) *progress {
	info, err := out.Stat()
	return &progress{
		out:      out,
		terminal: err == nil && info.Mode()&os.ModeCharDevice != 0,
		total:    total,
		began:    time.Now(),
	}
}

// add counts positions as solved and redraws when it is time to.
func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	every := time.Minute
	if p.terminal {
		every = time.Second / 4
	}
	if time.Since(p.drawn) >= every {
		p.draw()
	}
}

// finish draws the last state and leaves the line.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total == 0 {
		return
	}
	p.draw()
	if p.terminal {
		fmt.Fprintln(p.out)
	}
}

func (p *progress) draw() {
	const width = 30
	p.drawn = time.Now()
	share := float64(p.done) / float64(p.total)
	filled := int(share * width)
	elapsed := p.drawn.Sub(p.began)
	left := "?"
	if p.done > 0 {
		left = (time.Duration(float64(elapsed)/share) - elapsed).Round(time.Second).String()
	}
	line := fmt.Sprintf("[%s%s] %5.1f %%  %d of %d  %.0f/s  %s left",
		strings.Repeat("#", filled), strings.Repeat(".", width-filled),
		100*share, p.done, p.total, float64(p.done)/elapsed.Seconds(), left)
	if p.terminal {
		fmt.Fprintf(p.out, "\r%s\x1b[K", line)
		return
	}
	fmt.Fprintln(p.out, line)
}
