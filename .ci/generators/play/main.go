// Command play lets a program that uses a generated client play against the service, and judges by what came over the wire.
//
//	play [-skip invalid,unchanged] BINARY CONTRACT PROGRAM [ARGUMENT...]
//
// It starts the service with a database and a port of its own, and two gateways before it. PLAIN_URL passes everything on.
// STRANGE_URL does what gateways and later versions do: it adds a header of a form that nobody declared and fields that nobody
// knows, puts an unknown value in place of every one of a set that may grow, and answers getService with a gateway's HTML and
// 502. The program is told both in its environment, and has to end well and to have asked what expected says.
//
// It prints one line: what was asked, and whether anything came unchanged (304).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// expected is how often each answer has to come, at least, through each of the gateways.
var expected = map[string]map[string]int{
	"plain": {
		"openProfile 201":      2,
		"openTable 201":        1,
		"getInvite 200":        1,
		"takeSeat 200":         1,
		"playMove 200":         12, // eleven, and one of them again
		"playMove 409":         1,
		"playMove 422":         1,
		"playMove 400":         1,
		"getGame 200":          1,
		"getGame 304":          1,
		"getPicture 200":       1,
		"listProfileGames 200": 1,
		"listProblems 200":     1,
		"getMe 401":            1,
		"leaveSeat 204":        1,
	},
	"strange": {
		"openProfile 201":      2,
		"openTable 201":        1,
		"takeSeat 200":         1,
		"playMove 200":         1,
		"playMove 409":         1,
		"getGame 200":          1,
		"resignGame 200":       1,
		"getAnalysis 200":      1,
		"listProfileGames 200": 1,
		"listProblems 200":     1,
		"getMe 401":            1,
		"leaveSeat 204":        1,
		"getTable 200":         1,
		"getService 502":       1,
	},
}

// skippable names what a client may be unable to ask, by the word for -skip.
var skippable = map[string]string{
	"invalid":   "playMove 400", // it checks before it sends
	"unchanged": "getGame 304",
}

const (
	readyWithin  = 20 * time.Second
	playedWithin = 3 * time.Minute
	stopsWithin  = 10 * time.Second

	unknownField = "added_later"
	unknownValue = "of_tomorrow"
)

func main() {
	skip := flag.String("skip", "", "what the client can't ask, with commas between: invalid, unchanged")
	flag.Parse()
	if err := run(*skip, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

func run(skip string, args []string) error {
	if len(args) < 3 {
		return errors.New("it takes the service's binary, the contract and a program")
	}
	skipped := map[string]bool{}
	for word := range strings.SplitSeq(skip, ",") {
		if answer, ok := skippable[word]; ok {
			skipped[answer] = true
		} else if word != "" {
			return fmt.Errorf("-skip doesn't know %q", word)
		}
	}
	contract, err := openapi3.NewLoader().LoadFromFile(args[1])
	if err != nil {
		return err
	}
	routes := newRoutes(contract)
	service, stop, err := start(args[0])
	if err != nil {
		return err
	}
	defer stop()

	plain := newGateway(service, routes, false)
	defer plain.server.Close()
	strange := newGateway(service, routes, true)
	defer strange.server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), playedWithin)
	defer cancel()
	program := exec.CommandContext(ctx, args[2], args[3:]...)
	program.Env = append(os.Environ(), "PLAIN_URL="+plain.server.URL, "STRANGE_URL="+strange.server.URL)
	program.Stdout, program.Stderr = os.Stderr, os.Stderr
	if err := program.Run(); err != nil {
		return fmt.Errorf("%w\nplain: %v\nstrange: %v", err, plain.seen, strange.seen)
	}

	missing := append(plain.missing("plain", skipped), strange.missing("strange", skipped)...)
	if len(missing) > 0 {
		return fmt.Errorf("the program ended well, but didn't ask for %s", strings.Join(missing, ", "))
	}
	fmt.Printf("%d requests", plain.requests()+strange.requests())
	if plain.seen["getGame 304"] > 0 {
		fmt.Print(", 304")
	}
	fmt.Println()
	return nil
}

// start starts the service, and says where it listens and how to end it.
func start(binary string) (*url.URL, func(), error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "play-")
	if err != nil {
		return nil, nil, err
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return nil, nil, err
	}
	service := exec.Command(binary)
	service.Dir = folder
	service.Env = append(os.Environ(), "LISTEN_ADDR=127.0.0.1:0", "DATABASE_URL=sqlite://"+filepath.Join(folder, "fourinarow.db"),
		"RATE_MOVES_PER_SECOND=1000", "RATE_INSIGHTS_PER_SECOND=1000") // a program plays faster than people
	service.Stdout, service.Stderr = log, log
	if err := service.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		_ = service.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(stopsWithin, func() { _ = service.Process.Kill() })
		_ = service.Wait()
		killer.Stop()
		_ = log.Close()
		_ = os.RemoveAll(folder)
	}

	listens := regexp.MustCompile(`127\.0\.0\.1:[1-9][0-9]*`)
	for end := time.Now().Add(readyWithin); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			break
		}
		host := listens.FindString(string(text))
		if host == "" {
			continue
		}
		answer, err := http.Get("http://" + host + "/readyz")
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return &url.URL{Scheme: "http", Host: host}, stop, nil
		}
	}
	text, _ := os.ReadFile(log.Name())
	stop()
	return nil, nil, fmt.Errorf("the service doesn't become ready: %s", text)
}
