package httpapi

import (
	"fmt"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/fourinarow/fourinarow/api"
)

// contract is openapi.yaml as it was when the program was built, and what is made of it once. It is never changed.
type contract struct {
	operations []operation
	yaml, json document
	page       document // for people
}

// embeddedContract returns the contract. The error means that the program was built wrongly.
var embeddedContract = sync.OnceValues(func() (*contract, error) {
	asJSON, err := jsonOf([]byte(api.Contract))
	if err != nil {
		return nil, fmt.Errorf("write the contract as JSON: %w", err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(asJSON)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	c := &contract{operations: nil, yaml: documentOf(api.Contract), json: documentOf(string(asJSON)), page: document{content: "", tag: ""}}
	if c.operations, err = operationsOf(spec); err != nil {
		return nil, err
	}
	page, err := documentation(spec)
	if err != nil {
		return nil, err
	}
	c.page = documentOf(string(page))
	return c, nil
})
