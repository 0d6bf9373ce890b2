// Command play shows that the SDK plays over a bad network. The stage (.ci/sdk/stage) starts it and says where.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/fourinarow/fourinarow/api/client"
	fourinarow "github.com/fourinarow/fourinarow/sdk/go"
)

// world is where the program plays.
type world struct {
	url, later, stage string
	folder            string // for tokens
}

func main() {
	folder, err := os.MkdirTemp("", "play-")
	check(err)
	w := world{url: os.Getenv("FOUR_URL"), later: os.Getenv("FOUR_LATER_URL"), stage: os.Getenv("FOUR_STAGE"), folder: folder}
	parts := []func(context.Context, world){friends, away, lostClock, alone, strangers, devices, admin, later}
	var all sync.WaitGroup
	for _, part := range parts {
		all.Go(func() { part(context.Background(), w) })
	}
	all.Wait()
	check(os.RemoveAll(folder))
	said, err := json.Marshal(map[string]any{"language": "Go", "generator": os.Getenv("GENERATOR"), "operations": operations()})
	check(err)
	fmt.Println(string(said))
}

// operations counts what was generated.
func operations() (n int) {
	generated := reflect.TypeFor[*client.ClientWithResponses]()
	for method := range generated.Methods() {
		if strings.HasSuffix(method.Name, "WithResponse") && !strings.HasSuffix(method.Name, "WithBodyWithResponse") {
			n++
		}
	}
	return n
}

// guest is a new player, whose token is kept in a file.
func (w world) guest(ctx context.Context, name string) *fourinarow.Client {
	four := w.client(w.url, name)
	me := must(four.SignIn(ctx, fourinarow.Guest{DisplayName: name}))
	want(me.DisplayName == name, "the name of", name)
	return four
}

// client is one of a player on a device; the second of the same is that device after a restart.
func (w world) client(url, device string) *fourinarow.Client {
	return must(fourinarow.New(url, fourinarow.Tokens(fourinarow.FileTokens(filepath.Join(w.folder, device)))))
}

// ask asks the stage for something, and reads its answer.
func (w world) ask(ctx context.Context, path string) map[string]string {
	answer, err := http.DefaultClient.Do(must(http.NewRequestWithContext(ctx, http.MethodPost, w.stage+path, nil)))
	check(err)
	want(answer.StatusCode == http.StatusOK, path, answer.Status)
	var said map[string]string
	check(json.NewDecoder(answer.Body).Decode(&said))
	check(answer.Body.Close())
	return said
}

// refuse wants a call to be refused.
func refuse(status int, code string, err error) {
	_ = problem(status, code, err) // it is checked
}

// problem is what a call was refused with.
func problem(status int, code string, err error) *fourinarow.Problem {
	p, ok := errors.AsType[*fourinarow.Problem](err)
	want(ok && p.Status == status && p.Code == code && p.RequestID != "", "a", status, code, "but", err)
	return p
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func want(ok bool, what ...any) {
	if !ok {
		panic(fmt.Sprintln(what...))
	}
}
