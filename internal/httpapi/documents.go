package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/api"
)

// document is something that is served as it is, compressed once.
type document struct {
	content   []byte
	tag       string
	encodings []encoding
}

func documentOf(content string) (document, error) {
	encodings, err := encodingsOf(content)
	plain := []byte(content)
	return document{content: plain, tag: tagOfBytes(plain), encodings: encodings}, err
}

// unchangedFor reports whether a client has the document already.
func (d document) unchangedFor(ifNoneMatch *string) bool {
	seen := seenTags(ifNoneMatch)
	return seen != nil && seen(d.tag)
}

// GetContract returns openapi.yaml.
func (s *server) GetContract(ctx context.Context, r api.GetContractRequestObject) (api.GetContractResponseObject, error) {
	d := s.contract.yaml
	if d.unchangedFor(r.Params.IfNoneMatch) {
		return api.GetContract304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(d.tag)}}, nil
	}
	return sentDocument{d, "application/yaml", exchangeOf(ctx).asks}, nil
}

// GetContractJSON returns openapi.yaml as JSON.
func (s *server) GetContractJSON(ctx context.Context, r api.GetContractJSONRequestObject) (api.GetContractJSONResponseObject, error) {
	d := s.contract.json
	if d.unchangedFor(r.Params.IfNoneMatch) {
		return api.GetContractJSON304Response{Headers: api.NotModifiedResponseHeaders{ETag: etag(d.tag)}}, nil
	}
	return sentDocument{d, echo.MIMEApplicationJSON, exchangeOf(ctx).asks}, nil
}

// sentDocument is the answer with a document. The generated ones know nothing of encodings, and the contract as JSON is a map
// to them, which would lose its order.
type sentDocument struct {
	document

	contentType string
	asks        http.Header
}

// VisitGetContractResponse sends the answer.
func (d sentDocument) VisitGetContractResponse(w http.ResponseWriter) error { return d.send(w) }

// VisitGetContractJSONResponse sends the answer.
func (d sentDocument) VisitGetContractJSONResponse(w http.ResponseWriter) error { return d.send(w) }

func (d sentDocument) send(w http.ResponseWriter) error {
	h := w.Header()
	content := d.content
	if e := bestOf(d.encodings, d.asks); e != nil {
		content = e.content
		h.Set(echo.HeaderContentEncoding, e.name)
	}
	h.Set(echo.HeaderVary, echo.HeaderAcceptEncoding)
	h.Set(echo.HeaderContentType, d.contentType)
	h.Set(echo.HeaderContentLength, strconv.Itoa(len(content)))
	h.Set("ETag", etag(d.tag))
	w.WriteHeader(http.StatusOK)
	if _, err := w.Write(content); err != nil {
		return &unsentError{cause: err}
	}
	return nil
}
