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
	c := &contract{}
	if c.operations, err = operationsOf(spec); err != nil {
		return nil, err
	}
	page, err := documentation(spec)
	if err != nil {
		return nil, err
	}
	for _, kept := range []struct {
		as      *document
		content string
	}{{&c.yaml, api.Contract}, {&c.json, string(asJSON)}, {&c.page, string(page)}} {
		if *kept.as, err = documentOf(kept.content); err != nil {
			return nil, err
		}
	}
	return c, nil
})
