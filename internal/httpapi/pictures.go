package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/board"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/picture"
	"github.com/fourinarow/fourinarow/internal/text"
)

// GetPicture draws a game as it stood after a ply.
func (s *server) GetPicture(ctx context.Context, r api.GetPictureRequestObject) (api.GetPictureResponseObject, error) {
	name, palette, err := paletteOf(r.Params.Palette)
	if err != nil {
		return nil, err
	}
	var ply *int
	if r.Params.Ply != nil {
		ply = new(int(*r.Params.Ply))
	}
	scene, err := s.games.Scene(ctx, callerOf(ctx), game.ID(r.GameID.String()), ply)
	if err != nil {
		return nil, err
	}
	language := languageOf(ctx)
	svg := toPicture(scene, name, palette, language).SVG()
	tag := tagOfBytes(svg)
	if seen := seenTags(r.Params.IfNoneMatch); seen != nil && seen(tag) {
		return api.GetPicture304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(tag)}}, nil
	}
	return api.GetPicture200ImageSvgXMLResponse{
		Body: bytes.NewReader(svg), Headers: api.GetPicture200ResponseHeaders{ETag: etag(tag)}, ContentLength: int64(len(svg)),
	}, nil
}

// tagOfBytes names an answer by what it says: what changes elsewhere in a game leaves its picture as it is.
func tagOfBytes(answer []byte) string {
	sum := sha256.Sum256(answer)
	return hex.EncodeToString(sum[:8])
}

// The names of the palettes in the contract.
const (
	paletteClassic = "classic"
	palettePink    = "pink"
)

// paletteOf reads a palette; nil is the classic one. The fault is invalid_request for one there isn't.
func paletteOf(request *api.PaletteChoice) (string, picture.Palette, error) {
	switch {
	case request == nil, *request == paletteClassic:
		return paletteClassic, picture.Classic(), nil
	case *request == palettePink:
		return palettePink, picture.Pink(), nil
	default:
		return "", picture.Palette{}, invalid([]wrongPart{{"/query/palette", "want one of " + paletteClassic + ", " + palettePink}})
	}
}

// toPicture converts a scene.
func toPicture(s game.Scene, paletteName string, palette picture.Palette, language text.Language) picture.Picture {
	said := text.PictureOf(toTextScene(s, paletteName), language)
	return picture.Picture{
		Position: s.Position, Last: s.Last, Palette: palette,
		Language: string(language), Title: said.Title, Description: said.Description, Heading: said.Heading,
		Red:    picture.Player{Name: said.Red.Name, Badge: said.Red.Badge},
		Yellow: picture.Player{Name: said.Yellow.Name, Badge: said.Yellow.Badge},
		Status: said.Status, Progress: said.Progress,
	}
}

// toTextScene converts a scene for whoever puts it into words.
func toTextScene(s game.Scene, palette string) text.Scene {
	shown := text.Scene{
		Palette: palette, Red: toParticipant(s.Game.Red), Yellow: toParticipant(s.Game.Yellow),
		Columns: [board.Columns]string{}, Ply: s.Ply, Last: toPictureField(s.Last), Winning: nil,
		Turn: s.Turn.String(), Winner: s.Result.Winner.String(), EndedBy: string(s.Result.EndedBy),
	}
	for _, f := range s.Position.WinningFields() {
		shown.Winning = append(shown.Winning, toPictureField(f))
	}
	for column := range shown.Columns {
		for row := 1; row <= board.Rows; row++ {
			switch s.Position.Disc(board.Field{Column: board.Column(column + 1), Row: row}) {
			case board.Red:
				shown.Columns[column] += "r"
			case board.Yellow:
				shown.Columns[column] += "y"
			case board.NoSide:
			}
		}
	}
	return shown
}

func toParticipant(p game.Player) text.Participant {
	return text.Participant{Name: string(p.Name), Level: p.Level}
}

func toPictureField(f board.Field) text.PictureField {
	return text.PictureField{Column: int(f.Column), Row: f.Row}
}
