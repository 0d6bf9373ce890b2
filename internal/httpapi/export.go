package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/game"
	"github.com/fourinarow/fourinarow/internal/service"
	"github.com/fourinarow/fourinarow/internal/table"
)

// ExportMe returns everything that is stored about the caller, as it is read.
func (s *server) ExportMe(ctx context.Context, _ api.ExportMeRequestObject) (api.ExportMeResponseObject, error) {
	c := callerOf(ctx)
	all, err := s.leaving.Export(ctx, c)
	if err != nil {
		return nil, err
	}
	return streamedExport(func(w http.ResponseWriter) error {
		w.Header().Set("Content-Type", "application/json")
		out := bufio.NewWriterSize(newPacedWriter(w), pieceBytes)
		if err := writeExport(ctx, out, all, c); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("send an export: %w", err)
		}
		return nil
	}), nil
}

// streamedExport is an answer that writes itself. Until it is longer than a piece nothing of it is sent.
type streamedExport func(w http.ResponseWriter) error

// VisitExportMeResponse writes the answer.
func (write streamedExport) VisitExportMeResponse(w http.ResponseWriter) error { return write(w) }

// writeExport writes an export as one api.PlayerExport, whose long lists are read while they are written.
func writeExport(ctx context.Context, out *bufio.Writer, all *service.Export, c service.Caller) error {
	short, err := json.Marshal(toShortExport(all, c))
	if err != nil {
		return fmt.Errorf("encode an export: %w", err)
	}
	for _, list := range []struct {
		name  string
		write func(context.Context, *listWriter, *service.Export) error
	}{ // in the order of the document
		{"games", writeGames},
		{"moves", writeMoves},
		{"tables", writeTables},
	} {
		// Within a text its quotes would be escaped, so this is the list itself.
		before, after, found := bytes.Cut(short, []byte(`"`+list.name+`":[]`))
		if !found {
			return fmt.Errorf("an export has no list of %s where it should be", list.name)
		}
		if _, err = fmt.Fprintf(out, `%s"%s":[`, before, list.name); err != nil {
			return fmt.Errorf("send an export: %w", err)
		}
		if err = list.write(ctx, &listWriter{out: out, begun: false}, all); err != nil {
			return err
		}
		short = append([]byte("]"), after...)
	}
	if _, err = out.Write(append(short, '\n')); err != nil {
		return fmt.Errorf("send an export: %w", err)
	}
	return nil
}

// toShortExport converts what there is little of.
func toShortExport(all *service.Export, c service.Caller) api.PlayerExport {
	shown := api.PlayerExport{
		ExportedAt: timeOf(all.At), Profile: toOwnProfile(all.Profile), Devices: make([]api.PlayerDevice, 0, len(all.Devices)),
		DeviceCodes: make([]api.ExportedCode, 0, len(all.Codes)), Tables: []api.ExportedTable{},
		Games: []api.Game{}, Moves: []api.ExportedMoves{},
	}
	for _, d := range all.Devices {
		shown.Devices = append(shown.Devices, toDevice(d, c.Device))
	}
	for _, expires := range all.Codes {
		shown.DeviceCodes = append(shown.DeviceCodes, api.ExportedCode{ExpiresAt: timeOf(expires)})
	}
	return shown
}

func writeGames(ctx context.Context, out *listWriter, all *service.Export) error {
	return writeList(out, all.Games(ctx), toGame)
}

func writeMoves(ctx context.Context, out *listWriter, all *service.Export) error {
	return writeList(out, all.Games(ctx), func(v service.GameView) api.ExportedMoves {
		return api.ExportedMoves{GameID: idOf(v.Game.ID), Items: toMoves(v.Game.Played())}
	})
}

func writeTables(ctx context.Context, out *listWriter, all *service.Export) error {
	return writeList(out, all.Tables(ctx), toExportedTable)
}

// listWriter writes the items of a JSON array.
type listWriter struct {
	out   *bufio.Writer
	begun bool // something stands in the array
}

// writeList writes the items of pages.
func writeList[V, W any](l *listWriter, pages iter.Seq2[[]V, error], convert func(V) W) error {
	for page, err := range pages {
		if err != nil {
			return err
		}
		for _, v := range page {
			item, err := json.Marshal(convert(v))
			if err != nil {
				return fmt.Errorf("encode an export: %w", err)
			}
			if err = l.write(item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *listWriter) write(item []byte) error {
	if l.begun {
		item = append([]byte{','}, item...)
	}
	l.begun = true
	if _, err := l.out.Write(item); err != nil {
		return fmt.Errorf("send an export: %w", err)
	}
	return nil
}

// toExportedTable converts a table with what is stored of its owner's presence there.
func toExportedTable(v service.TableView) api.ExportedTable {
	seat := v.Table.Seats[v.MySeat-1]
	shown := api.ExportedTable{Table: toTable(v), LastSeenAt: nil, SaidAway: seat.SaidAway, ClientRef: nil}
	if !seat.Seen.IsZero() {
		shown.LastSeenAt = new(timeOf(seat.Seen))
	}
	if v.Table.ClientRef != "" && v.MySeat == game.HostSeat {
		shown.ClientRef = new(idOf(table.ID(v.Table.ClientRef)))
	}
	return shown
}
