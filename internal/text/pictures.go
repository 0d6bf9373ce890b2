package text

import (
	"fmt"
	"strings"
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

// pictureWording is how pictures are put into words in one language. Verbs stand with %s where a name goes.
type pictureWording struct {
	game               string
	cpu                string // with its level
	levels             map[string]string
	nobody             string               // whose name is gone
	colours            map[string][2]string // by palette: of red and of yellow
	move               string               // with its number
	turn, wins         string               // badges
	endings            map[string]string    // by what ended the game; "" is a draw
	title              string               // the game, red, yellow, how it stands
	titleTurn          string               // the next move and who makes it
	titleWin           string               // who wins and by what
	owners             string               // who has which discs: red's name and colour, then yellow's
	columns            string               // before the columns
	column, emptyWord  string
	last, winningWords string
}

// PictureOf puts a scene into words. A language without a translation is answered in English.
func PictureOf(s Scene, language Language) Picture {
	w, translated := pictures[language]
	if !translated {
		w = pictures[English]
	}
	red, yellow := w.nameOf(s.Red), w.nameOf(s.Yellow)
	p := Picture{
		Heading: w.game, Title: "", Description: w.describe(s, red, yellow),
		Red: PicturePlayer{Name: red, Badge: w.badgeOf(s, "red")}, Yellow: PicturePlayer{Name: yellow, Badge: w.badgeOf(s, "yellow")},
		Status: w.endings[s.EndedBy], Progress: fmt.Sprintf("%d / 42", s.Ply),
	}
	how := p.Status
	named := map[string]string{"red": red, "yellow": yellow}
	switch {
	case s.Turn != "":
		p.Status = fmt.Sprintf(w.move, s.Ply+1)
		how = fmt.Sprintf(w.titleTurn, p.Status, named[s.Turn])
	case s.Winner != "":
		how = fmt.Sprintf(w.titleWin, named[s.Winner], p.Status)
	}
	p.Title = fmt.Sprintf(w.title, w.game, red, yellow, how)
	return p
}

func (w pictureWording) nameOf(p Participant) string {
	switch {
	case p.Level != "":
		return fmt.Sprintf(w.cpu, w.levels[p.Level])
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
		return w.wins
	default:
		return ""
	}
}

// describe says where every disc lies.
func (w pictureWording) describe(s Scene, red, yellow string) string {
	colours := w.colours[s.Palette]
	said := []string{fmt.Sprintf(w.owners, red, colours[0], yellow, colours[1]), w.columns}
	for i, discs := range s.Columns {
		named := make([]string, 0, len(discs))
		for _, disc := range discs {
			if disc == 'r' {
				named = append(named, colours[0])
			} else {
				named = append(named, colours[1])
			}
		}
		if len(named) == 0 {
			named = append(named, w.emptyWord)
		}
		said = append(said, fmt.Sprintf(w.column, i+1, strings.Join(named, ", ")))
	}
	if s.Last != (PictureField{}) {
		said = append(said, fmt.Sprintf(w.last, s.Last.Column, s.Last.Row))
	}
	if len(s.Winning) > 0 {
		fields := make([]string, len(s.Winning))
		for i, f := range s.Winning {
			fields[i] = fmt.Sprintf("%d/%d", f.Column, f.Row)
		}
		said = append(said, fmt.Sprintf(w.winningWords, strings.Join(fields, ", ")))
	}
	return strings.Join(said, " ")
}

var pictures = map[Language]pictureWording{English: picturesInEnglish}
