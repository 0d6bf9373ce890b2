package httpapi

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
)

// document is something that is served as it is.
type document struct{ content, tag string }

func documentOf(content string) document {
	return document{content: content, tag: tagOfBytes([]byte(content))}
}

// unchangedFor reports whether a client has the document already.
func (d document) unchangedFor(ifNoneMatch *string) bool {
	seen := seenTags(ifNoneMatch)
	return seen != nil && seen(d.tag)
}

// GetContract returns openapi.yaml.
func (s *server) GetContract(_ context.Context, r api.GetContractRequestObject) (api.GetContractResponseObject, error) {
	d := s.contract.yaml
	if d.unchangedFor(r.Params.IfNoneMatch) {
		return api.GetContract304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(d.tag)}}, nil
	}
	return api.GetContract200ApplicationYamlResponse{
		Body: strings.NewReader(d.content), Headers: api.GetContract200ResponseHeaders{ETag: etag(d.tag)}, ContentLength: int64(len(d.content)),
	}, nil
}

// GetContractJSON returns openapi.yaml as JSON.
func (s *server) GetContractJSON(_ context.Context, r api.GetContractJSONRequestObject) (api.GetContractJSONResponseObject, error) {
	d := s.contract.json
	if d.unchangedFor(r.Params.IfNoneMatch) {
		return api.GetContractJSON304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(d.tag)}}, nil
	}
	return contractInOrder(d), nil
}

// contractInOrder is the answer with the contract as JSON. The generated one is a map, which would lose its order.
type contractInOrder document

// VisitGetContractJSONResponse sends the answer.
func (d contractInOrder) VisitGetContractJSONResponse(w http.ResponseWriter) error {
	h := w.Header()
	h.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(d.content)))
	h.Set("ETag", etag(d.tag))
	w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(w, d.content)
	return err
}
