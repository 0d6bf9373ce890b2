// Command stage lets a program that uses an SDK play against the service over a bad network, and judges by what came over the wire.
//
//	stage [-binary bin/fourinarow] [-contract openapi.yaml] [-for 5m] -- PROGRAM [ARGUMENT...]
//
// It starts the service with a database and a port of its own. The program is told in its environment
//
//   - FOUR_URL: the service behind a network that cuts off every tenth answer after the service has acted;
//   - FOUR_LATER_URL: the same service behind a strange gateway (harness.Gateway);
//   - FOUR_STAGE: where it asks for what it can't do itself (control).
//
// The program has to end well, to have asked what expected says, to have sent every move again whose answer was cut off, and to
// print as its last line {"language":"…","generator":"…","operations":N} with all operations of the contract. It is ended when it
// takes longer than -for.
//
// stage prints one line: language; generator; operations; requests and repeats; seconds.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/fourinarow/fourinarow/.ci/harness"
)

type options struct {
	binary, contract string
	limit            time.Duration
	program          []string
}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "bin/fourinarow", "the service")
	flag.StringVar(&o.contract, "contract", "openapi.yaml", "the contract that the SDK was generated from")
	flag.DurationVar(&o.limit, "for", 5*time.Minute, "how long the program may take")
	flag.Parse()
	o.program = flag.Args()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

func run(o options) (err error) {
	if len(o.program) == 0 {
		return errors.New("it takes a program")
	}
	contract, err := openapi3.NewLoader().LoadFromFile(o.contract)
	if err != nil {
		return err
	}
	service, err := harness.Start(o.binary, settings...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Stop()) }()

	routes := harness.NewRoutes(contract)
	gateway := harness.NewGateway(service.URL(), routes, false)
	network, err := newNetwork(gateway)
	if err != nil {
		return err
	}
	defer network.close()
	strange := harness.NewGateway(service.URL(), routes, true)
	later := httptest.NewServer(strange)
	defer later.Close()
	asked := httptest.NewServer(newControl(service, network))
	defer asked.Close()

	began := time.Now()
	said, err := play(o, "FOUR_URL="+network.url(), "FOUR_LATER_URL="+later.URL, "FOUR_STAGE="+asked.URL)
	if err != nil {
		return fmt.Errorf("%w\nplain: %v\nlater: %v", err, gateway.Seen(), strange.Seen())
	}
	missing := append(gateway.Missing(expected), strange.Missing(expectedLater)...)
	missing = append(missing, network.unrepeated("playMove", routes)...)
	if network.repeats() == 0 {
		missing = append(missing, "anything again after its answer was cut off")
	}
	if len(missing) > 0 {
		return fmt.Errorf("the program ended well, but didn't ask for %s", strings.Join(missing, ", "))
	}
	if said.Operations != routes.Operations() {
		return fmt.Errorf("%d of %d operations were generated", said.Operations, routes.Operations())
	}
	fmt.Printf("%s; %s; %d of %d; %d requests, %d cut off, %d repeats; played; %.0f s\n", said.Language, said.Generator, said.Operations,
		routes.Operations(), gateway.Requests()+strange.Requests(), network.cuts(), network.repeats(), time.Since(began).Seconds())
	return nil
}

// saying is the last line of a program.
type saying struct {
	Language   string `json:"language"`
	Generator  string `json:"generator"`
	Operations int    `json:"operations"`
}

// play runs the program.
func play(o options, environment ...string) (said saying, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.limit)
	defer cancel()
	program := exec.CommandContext(ctx, o.program[0], o.program[1:]...)
	program.Env = append(os.Environ(), environment...)
	var printed bytes.Buffer
	program.Stdout, program.Stderr = io.MultiWriter(&printed, os.Stderr), os.Stderr
	if err := program.Run(); err != nil {
		return said, errors.Join(err, ctx.Err())
	}
	lines := strings.Split(strings.TrimSpace(printed.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &said); err != nil {
		return said, fmt.Errorf("the program's last line: %w", err)
	}
	return said, nil
}
