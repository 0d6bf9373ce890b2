package game

import "fmt"

// checkSides compares who plays with what may be played by them.
func (g Game) checkSides() []string {
	var wrong []string
	for _, p := range []Player{g.Red, g.Yellow} {
		switch {
		case p.Kind == CPU && (p.Profile != "" || p.Name != ""):
			wrong = append(wrong, fmt.Sprintf("has a CPU in seat %d with a profile or a name", p.Seat))
		case p.Kind == CPU && p.Presence != Here:
			wrong = append(wrong, fmt.Sprintf("has a CPU in seat %d that is away", p.Seat))
		case p.Kind == Human && p.Level != "":
			wrong = append(wrong, fmt.Sprintf("has a person in seat %d with level %q of the CPU", p.Seat, p.Level))
		}
	}
	if g.Red.Kind == CPU && g.Yellow.Kind == CPU {
		wrong = append(wrong, "is played by the CPU on both sides")
	}
	if g.Ranked && g.VersusCPU() {
		wrong = append(wrong, "is ranked, and played against the CPU")
	}
	if g.Ranked && g.Hinted != 0 {
		wrong = append(wrong, "is ranked, and has hints")
	}
	if g.Hinted>>(g.Ply()+1) != 0 {
		wrong = append(wrong, fmt.Sprintf("has hints for plies after ply %d", g.Ply()+1))
	}
	return wrong
}

// checkState compares whether the game is over with what only a running game has, or only one that is over.
func (g Game) checkState() []string {
	var wrong []string
	for _, only := range []struct {
		is   bool
		what string
	}{
		{g.Over() && !g.Deadline.IsZero(), "is over, and its clock runs until " + stamp(g.Deadline)},
		{g.Over() && g.TimedOut, "is over, and the CPU has to end a turn"},
		{g.Over() && g.Asleep(), "is over, and sleeps since " + stamp(g.AsleepSince)},
		{!g.Over() && !g.Finished.IsZero(), "runs, and ended at " + stamp(g.Finished)},
		{!g.Over() && (g.Next != "" || g.NextFirst != NoSeat), "runs, and says what follows it"},
		{!g.Over() && g.TableDone, "runs, and its table has closed"},
		{!g.Over() && g.Unattended, "runs, and the CPU has finished it"},
	} {
		if only.is {
			wrong = append(wrong, only.what)
		}
	}
	return wrong
}
