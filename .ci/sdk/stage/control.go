package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fourinarow/fourinarow/.ci/harness"
)

// control does for a program what no client can do:
//
//	POST /restart           kills the service and starts it again; answers when it is ready
//	POST /admin-token       hands out an admin's token: {"token":"…"}
//	POST /offline?ms=3000   ends all connections of FOUR_URL and refuses new ones for that long; answers at once
type control struct {
	service *harness.Service
	network *network

	mu     sync.Mutex
	admins int
}

func newControl(service *harness.Service, network *network) http.Handler {
	c := &control{service: service, network: network}
	mux := http.NewServeMux()
	for path, do := range map[string]func(*http.Request) (any, error){
		"POST /restart": c.restart, "POST /admin-token": c.adminToken, "POST /offline": c.offline,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			c.mu.Lock()
			defer c.mu.Unlock()
			answer, err := do(r)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(answer) // the program may have gone
		})
	}
	return mux
}

func (c *control) restart(*http.Request) (any, error) {
	return struct{}{}, c.service.Restart()
}

func (c *control) adminToken(*http.Request) (any, error) {
	c.admins++
	command := c.service.Command("admin-token", "create", fmt.Sprintf("stage-%d", c.admins))
	command.Stderr = os.Stderr
	token, err := command.Output()
	return map[string]string{"token": strings.TrimSpace(string(token))}, err
}

func (c *control) offline(r *http.Request) (any, error) {
	ms, err := strconv.Atoi(r.FormValue("ms"))
	if err != nil {
		return nil, err
	}
	return struct{}{}, c.network.off(time.Duration(ms)*time.Millisecond, func(err error) {
		fmt.Fprintln(os.Stderr, "stage: the network doesn't come back:", err)
	})
}
