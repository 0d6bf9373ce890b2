package httpapi

import (
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
)

// WalkJSON is walkJSON, with the pointers to what is wrong.
func WalkJSON(body []byte) (wrong []string, err error) {
	parts, err := walkJSON(body)
	for _, part := range parts {
		wrong = append(wrong, part.pointer)
	}
	return wrong, err
}

// JSONDepth is how deep a body may be nested.
const JSONDepth = jsonDepth

// RegisterGuarded registers the operations of the contract with guards that let everything pass: one under each of
// the names.
func RegisterGuarded(names []string) error {
	c, err := embeddedContract()
	if err != nil {
		return err
	}
	guards := make(map[string][]echo.MiddlewareFunc, len(names))
	for _, name := range names {
		guards[name] = []echo.MiddlewareFunc{func(next echo.HandlerFunc) echo.HandlerFunc { return next }}
	}
	return register(echo.New(), api.NewStrictHandler(nil, nil), c.operations, guards)
}

// RefuseNothing is refuseNothing.
var RefuseNothing api.StrictMiddlewareFunc = refuseNothing

// WithoutNulls is withoutNulls.
var WithoutNulls = withoutNulls

// JSONOf is jsonOf.
var JSONOf = jsonOf

// StatusOf is statusOf.
var StatusOf = statusOf
