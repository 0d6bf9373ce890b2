package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
)

// operation is what the guard has to know about an operation of the contract.
type operation struct {
	id       string
	method   string
	path     string // as the contract writes it: /v1/games/{game_id}
	auth     auth
	takes    bodyRule
	body     *openapi3.Schema // nil: it takes none
	declared []param          // all its parameters
	params   []string         // names of its query parameters
	moments  []string         // those of them that are times
	lists    []string         // names of its header parameters, all of which hold lists
	answers  answerHeaders
	plain    bool // its answers aren't compressed: they hold a secret, or how slowly a client takes them is seen by what is written
	contract *routers.Route
}

// auth says whose token an operation takes.
type auth uint8

const (
	authIgnored  auth = iota // tokens are not looked at
	authOptional             // a right token or none
	authRequired
	authAdmin // an admin's token
)

// bodyRule says whether an operation reads a body.
type bodyRule uint8

const (
	bodyIgnored bodyRule = iota
	bodyOptional
	bodyRequired
)

// echoPath returns the path as Echo writes it: /v1/games/:game_id.
func (o operation) echoPath() string { return strings.NewReplacer("{", ":", "}", "").Replace(o.path) }

// schemaOf returns the schema of a query parameter that the operation has.
func (o operation) schemaOf(param string) *openapi3.Schema {
	return o.contract.Operation.Parameters.GetByInAndName(openapi3.ParameterInQuery, param).Schema.Value
}

// contractPath returns Echo's path as the contract writes it.
func contractPath(echoPath string) string {
	parts := strings.Split(echoPath, "/")
	for i, part := range parts {
		if name, isParam := strings.CutPrefix(part, ":"); isParam {
			parts[i] = "{" + name + "}"
		}
	}
	return strings.Join(parts, "/")
}

// operationsOf reads the operations of the contract.
func operationsOf(spec *openapi3.T) ([]operation, error) {
	var all []operation
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			if op.OperationID == "" {
				return nil, fmt.Errorf("%s %s has no operationId", method, path)
			}
			all = append(all, operationOf(spec, path, item, method, op))
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.id, b.id) })
	return all, nil
}

func operationOf(spec *openapi3.T, path string, item *openapi3.PathItem, method string, op *openapi3.Operation) operation {
	o := operation{
		id: op.OperationID, method: method, path: path, auth: authOf(spec, op), takes: bodyIgnored, body: nil, declared: paramsOf(item, op),
		params: nil, moments: nil, lists: nil, answers: answerHeaders{fixed: nil, speaks: false}, plain: carriesSecret(op) || op.OperationID == operationExportMe,
		contract: &routers.Route{Spec: spec, Server: nil, Path: path, PathItem: item, Method: method, Operation: op},
	}
	if op.RequestBody != nil {
		o.takes = bodyOptional
		o.body = op.RequestBody.Value.Content.Get(echo.MIMEApplicationJSON).Schema.Value
		if op.RequestBody.Value.Required {
			o.takes = bodyRequired
		}
	}
	for _, p := range op.Parameters {
		switch p.Value.In {
		case openapi3.ParameterInQuery:
			o.params = append(o.params, p.Value.Name)
			if p.Value.Schema.Value.Format == "date-time" {
				o.moments = append(o.moments, p.Value.Name)
			}
		case openapi3.ParameterInHeader:
			o.lists = append(o.lists, p.Value.Name)
		}
	}
	o.answers = answersOf(o, op)
	return o
}

// extensionCache is what the contract calls the Cache-Control of an operation whose answers nobody shall keep.
const extensionCache = "x-cache-control"

// answersOf returns the headers that follow from an operation of the contract: an answer depends on who asks where
// tokens are looked at, and holds texts where their language can be chosen.
func answersOf(o operation, op *openapi3.Operation) answerHeaders {
	a := answerHeaders{fixed: nil, speaks: slices.Contains(o.params, paramLang)}
	cache, found := op.Extensions[extensionCache].(string)
	if !found {
		cache = cacheAsk
	}
	a.fixed = append(a.fixed, fixed(echo.HeaderCacheControl, cache))
	switch {
	case a.speaks:
		a.fixed = append(a.fixed, fixed(echo.HeaderVary, varyByReader))
	case o.auth != authIgnored:
		a.fixed = append(a.fixed, fixed(echo.HeaderVary, varyByCaller))
	}
	return a
}

// adminScheme is what the contract calls the tokens of admins.
const adminScheme = "adminToken"

// authOf reads the security of an operation; that of the whole contract when it has none of its own.
func authOf(spec *openapi3.T, op *openapi3.Operation) auth {
	security := spec.Security
	if op.Security != nil {
		security = *op.Security
	}
	if len(security) == 0 {
		return authIgnored
	}
	for _, requirement := range security {
		if len(requirement) == 0 {
			return authOptional
		}
		if _, admins := requirement[adminScheme]; admins {
			return authAdmin
		}
	}
	return authRequired
}

// extensionCodes is what the contract calls the codes of the problems that an operation can answer with.
const extensionCodes = "x-problem-codes"

// codesOf returns the codes of the problems that an operation can answer with.
func codesOf(op *openapi3.Operation) []string {
	listed, _ := op.Extensions[extensionCodes].([]any)
	codes := make([]string, 0, len(listed))
	for _, code := range listed {
		codes = append(codes, fmt.Sprint(code))
	}
	return codes
}

// register connects the operations of the contract with their handlers and guards. The generated code looks the
// guards up by name and goes on without one when it finds none, so what it registers is checked here: every
// operation once, each with its guard, and no guard left over.
func register(e *echo.Echo, handlers api.ServerInterface, operations []operation, guards map[string][]echo.MiddlewareFunc) error {
	known := make(map[string]string, len(operations)) // id by method and path
	for _, o := range operations {
		known[o.method+" "+o.echoPath()] = o.id
		if len(guards[o.id]) == 0 {
			return fmt.Errorf("operation %s has no guard", o.id)
		}
	}
	for id := range guards {
		if !slices.ContainsFunc(operations, func(o operation) bool { return o.id == id }) {
			return fmt.Errorf("the guard of %s belongs to no operation", id)
		}
	}
	w := &watchedRouter{echo: e, guarded: make(map[string]int)}
	api.RegisterHandlersWithOptions(w, handlers, api.RegisterHandlersOptions{BaseURL: "", OperationMiddlewares: guards})
	for route, guarded := range w.guarded {
		switch id, found := known[route]; {
		case !found:
			return fmt.Errorf("%s is no operation of the contract", route)
		case guarded == 0:
			return fmt.Errorf("operation %s was registered without its guard", id)
		}
		delete(known, route)
	}
	for route, id := range known {
		return fmt.Errorf("operation %s was not registered at %s", id, route)
	}
	return nil
}
