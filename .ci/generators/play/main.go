// Command play lets a program that uses a generated client play against the service, and judges by what came over the wire.
//
//	play [-skip invalid,unchanged] BINARY CONTRACT PROGRAM [ARGUMENT...]
//
// It starts the service with a database and a port of its own, and two gateways before it. PLAIN_URL passes everything on,
// STRANGE_URL does what gateways and later versions do (harness.Gateway). The program is told both in its environment, and has to end well and to have asked what expected says.
//
// It prints one line: what was asked, and whether anything came unchanged (304).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/fourinarow/fourinarow/.ci/harness"
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

const playedWithin = 3 * time.Minute

func main() {
	skip := flag.String("skip", "", "what the client can't ask, with commas between: invalid, unchanged")
	flag.Parse()
	if err := run(*skip, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

func run(skip string, args []string) (err error) {
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
	routes := harness.NewRoutes(contract)
	// A program plays faster than people.
	service, err := harness.Start(args[0], "RATE_MOVES_PER_SECOND=1000", "RATE_INSIGHTS_PER_SECOND=1000")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Stop()) }()

	gateways := map[string]*harness.Gateway{}
	urls := map[string]string{}
	for name := range expected {
		gateways[name] = harness.NewGateway(service.URL(), routes, name == "strange")
		server := httptest.NewServer(gateways[name])
		defer server.Close()
		urls[name] = server.URL
	}

	ctx, cancel := context.WithTimeout(context.Background(), playedWithin)
	defer cancel()
	program := exec.CommandContext(ctx, args[2], args[3:]...)
	program.Env = append(os.Environ(), "PLAIN_URL="+urls["plain"], "STRANGE_URL="+urls["strange"])
	program.Stdout, program.Stderr = os.Stderr, os.Stderr
	if err := program.Run(); err != nil {
		return fmt.Errorf("%w\nplain: %v\nstrange: %v", err, gateways["plain"].Seen(), gateways["strange"].Seen())
	}

	var missing []string
	for name, gateway := range gateways {
		wanted := maps.Clone(expected[name])
		maps.DeleteFunc(wanted, func(answer string, _ int) bool { return skipped[answer] })
		for _, answer := range gateway.Missing(wanted) {
			missing = append(missing, name+" "+answer)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the program ended well, but didn't ask for %s", strings.Join(missing, ", "))
	}
	fmt.Printf("%d requests", gateways["plain"].Requests()+gateways["strange"].Requests())
	if gateways["plain"].Seen()["getGame 304"] > 0 {
		fmt.Print(", 304")
	}
	fmt.Println()
	return nil
}
