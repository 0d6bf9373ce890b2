package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fourinarow/fourinarow/internal/houserule"
)

// Scene is what a picture of a game shows, for whoever has to put it into words. Sides are "red", "yellow" or, for
// neither, empty.
type Scene struct {
	Palette string // "classic" or "pink"
	Red     Participant
	Yellow  Participant
	Columns [7]string      // the discs of each column from the bottom, 'r' or 'y' each
	Ply     int            // discs on the board
	Last    PictureField   // of the disc played last; zero: none
	Winning []PictureField // the fields that have won
	Turn    string         // whose turn it is; empty when the game is over
	Winner  string         // empty for a draw and while the game runs
	EndedBy string         // "line", "resignation" or "timeout"; empty for a draw and while the game runs
}

// Participant is one of the two who play.
type Participant struct {
	Name  string // of a human; empty: one whose name is gone
	Level string // of a CPU; empty for a human
}

// PictureField is a field by its column and row, from 1.
type PictureField struct{ Column, Row int }

// Picture is a scene in words.
type Picture struct {
	Heading     string // the name of the game
	Title       string // who plays and how it stands
	Description string // where every disc lies
	Red, Yellow PicturePlayer
	Status      string // how it stands, in a few words
	Progress    string // how many discs there are of how many fields
}

// PicturePlayer is what stands beside a disc: a name, and what there is to say about it.
type PicturePlayer struct{ Name, Badge string }

// pictureWording is how pictures are put into words in one language.
type pictureWording struct {
	cpu                                    message
	nobody                                 string
	colours                                map[string]map[string]string // by palette and side
	move                                   message
	turn, winner                           string            // badges
	endings                                map[string]string // by what ended the game; "" is a draw
	title, titleTurn, titleWin             message
	discs, column, lastDisc, winningFields message
	columns, empty                         string
}

func picturesOf(r *reader) pictureWording {
	w := pictureWording{
		cpu: r.message("picture.cpu", "Level"), nobody: r.text("picture.nobody"), colours: make(map[string]map[string]string),
		move: r.message("picture.move", "Number"), turn: r.text("picture.turn"), winner: r.text("picture.winner"),
		endings:   map[string]string{"": r.text("picture.ended.draw")},
		title:     r.message("picture.title.any", "Game", "Red", "Yellow", "State"),
		titleTurn: r.message("picture.title.turn", "Move", "Name"), titleWin: r.message("picture.title.win", "Name", "How"),
		discs:   r.message("picture.board.discs", "Red", "RedColour", "Yellow", "YellowColour"),
		columns: r.text("picture.board.columns"), column: r.message("picture.board.column", "Number", "Discs"),
		empty: r.text("picture.board.empty"), lastDisc: r.message("picture.board.last", "Column", "Row"),
		winningFields: r.message("picture.board.winning", "Fields"),
	}
	for _, palette := range []string{"classic", "pink"} {
		w.colours[palette] = map[string]string{
			"red": r.text("picture.colour." + palette + ".red"), "yellow": r.text("picture.colour." + palette + ".yellow"),
		}
	}
	for _, ended := range []string{"line", "resignation", "timeout"} {
		w.endings[ended] = r.text("picture.ended." + ended)
	}
	return w
}

// PictureOf puts a scene into words.
func PictureOf(s Scene, l Language) Picture {
	w := in(l).pictures
	red, yellow := w.nameOf(s.Red, l), w.nameOf(s.Yellow, l)
	p := Picture{
		Heading: GameName(l), Title: "", Description: w.describe(s, red, yellow),
		Red: PicturePlayer{Name: red, Badge: w.badgeOf(s, "red")}, Yellow: PicturePlayer{Name: yellow, Badge: w.badgeOf(s, "yellow")},
		Status: w.endings[s.EndedBy], Progress: fmt.Sprintf("%d / 42", s.Ply),
	}
	state := p.Status
	named := map[string]string{"red": red, "yellow": yellow}
	switch {
	case s.Turn != "":
		p.Status = w.move.with(map[string]string{"Number": strconv.Itoa(s.Ply + 1)})
		state = w.titleTurn.with(map[string]string{"Move": p.Status, "Name": named[s.Turn]})
	case s.Winner != "":
		state = w.titleWin.with(map[string]string{"Name": named[s.Winner], "How": p.Status})
	}
	p.Title = w.title.with(map[string]string{"Game": p.Heading, "Red": red, "Yellow": yellow, "State": state})
	return p
}

func (w pictureWording) nameOf(p Participant, l Language) string {
	switch {
	case p.Level != "":
		return w.cpu.with(map[string]string{"Level": OptionOf(houserule.CoverLevel, p.Level, l)})
	case p.Name == "":
		return w.nobody
	default:
		return p.Name
	}
}

func (w pictureWording) badgeOf(s Scene, side string) string {
	switch side {
	case s.Turn:
		return w.turn
	case s.Winner:
		return w.winner
	default:
		return ""
	}
}

// describe says where every disc lies.
func (w pictureWording) describe(s Scene, red, yellow string) string {
	colours := w.colours[s.Palette]
	said := []string{
		w.discs.with(map[string]string{"Red": red, "RedColour": colours["red"], "Yellow": yellow, "YellowColour": colours["yellow"]}),
		w.columns,
	}
	for i, discs := range s.Columns {
		said = append(said, w.column.with(map[string]string{"Number": strconv.Itoa(i + 1), "Discs": w.discsIn(discs, colours)}))
	}
	if s.Last != (PictureField{}) {
		said = append(said, w.lastDisc.with(map[string]string{"Column": strconv.Itoa(s.Last.Column), "Row": strconv.Itoa(s.Last.Row)}))
	}
	if len(s.Winning) > 0 {
		fields := make([]string, len(s.Winning))
		for i, f := range s.Winning {
			fields[i] = fmt.Sprintf("%d/%d", f.Column, f.Row)
		}
		said = append(said, w.winningFields.with(map[string]string{"Fields": strings.Join(fields, ", ")}))
	}
	return strings.Join(said, " ")
}

// discsIn lists the discs of a column.
func (w pictureWording) discsIn(discs string, colours map[string]string) string {
	if discs == "" {
		return w.empty
	}
	named := make([]string, 0, len(discs))
	for _, disc := range discs {
		if disc == 'r' {
			named = append(named, colours["red"])
		} else {
			named = append(named, colours["yellow"])
		}
	}
	return strings.Join(named, ", ")
}
