package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
)

// WalkJSON is walkJSON, with the pointers to what is wrong.
func WalkJSON(body []byte) (wrong []string, err error) {
	_, parts, err := walkJSON(body)
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

// WithoutNulls returns a body as dropNulls leaves it.
func WithoutNulls(body []byte, schema *openapi3.Schema) ([]byte, error) {
	document, _, err := walkJSON(body)
	if err != nil {
		return nil, err
	}
	dropNulls(document, schema)
	return json.Marshal(document)
}

// JSONOf is jsonOf.
var JSONOf = jsonOf

// Compressing is compressing.
func Compressing(next http.Handler) (http.Handler, error) { return compressing(true, next) }

// BreakOff is breakOff.
var BreakOff = breakOff

// StatusOf is statusOf.
var StatusOf = statusOf

// FitsWrongly returns how many parameters a value fits by a short check, and which of these the validator refuses it for.
func FitsWrongly(value string) (fits int, wrong []string, err error) {
	c, err := embeddedContract()
	if err != nil {
		return 0, nil, err
	}
	for _, o := range c.operations {
		for _, p := range o.declared {
			if !p.fits(value) {
				continue
			}
			fits++
			r := &http.Request{Method: o.method, URL: &url.URL{Path: o.path}, Header: http.Header{p.header: {value}}}
			e := echo.New().NewContext(r, nil)
			e.SetParamNames(p.contract.Name)
			e.SetParamValues(value)
			input, err := validation(e, o, url.Values{p.contract.Name: {value}})
			if err != nil {
				return 0, nil, err
			}
			if err = openapi3filter.ValidateParameter(context.Background(), input, p.contract); err != nil {
				wrong = append(wrong, o.id+" "+p.contract.Name)
			}
		}
	}
	return fits, wrong, nil
}
