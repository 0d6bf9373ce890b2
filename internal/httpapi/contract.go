package httpapi

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/fourinarow/fourinarow/api"
)

// contract is openapi.yaml as it was when the program was built, and what is made of it once. It is never changed.
type contract struct {
	operations []operation
	yaml       []byte
	page       []byte // for people
}

// embeddedContract returns the contract. The error means that the program was built wrongly.
var embeddedContract = sync.OnceValues(func() (*contract, error) {
	spec, err := api.GetSpec()
	if err != nil {
		return nil, fmt.Errorf("read the embedded contract: %w", err)
	}
	c := &contract{operations: nil, yaml: nil, page: nil}
	if c.operations, err = operationsOf(spec); err != nil {
		return nil, err
	}
	if c.yaml, err = contractYAML(); err != nil {
		return nil, err
	}
	if c.page, err = documentation(spec); err != nil {
		return nil, err
	}
	return c, nil
})

// contractYAML returns the embedded contract as YAML. It is embedded as JSON, which is YAML on one line; here it
// gets the form people read.
func contractYAML() ([]byte, error) {
	embedded, err := api.GetSpecJSON()
	if err != nil {
		return nil, fmt.Errorf("read the embedded contract: %w", err)
	}
	var document yaml.Node
	if err = yaml.Unmarshal(embedded, &document); err != nil {
		return nil, fmt.Errorf("read the embedded contract: %w", err)
	}
	unfold(&document)
	arrange(document.Content[0])
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err = encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("write the contract as YAML: %w", err)
	}
	return out.Bytes(), nil
}

// unfold writes what stood on one line, in braces and quotes, in the block form of YAML.
func unfold(node *yaml.Node) {
	node.Style = 0
	for _, child := range node.Content {
		unfold(child)
	}
}

// arrange puts the parts of the contract in the order they are read in.
func arrange(contract *yaml.Node) {
	parts := make(map[string][]*yaml.Node, len(contract.Content)/2)
	for pair := range slices.Chunk(contract.Content, 2) {
		parts[pair[0].Value] = pair
	}
	arranged := make([]*yaml.Node, 0, len(contract.Content))
	for _, name := range []string{"openapi", "info", "servers", "tags", "paths", "components"} {
		arranged = append(arranged, parts[name]...)
		delete(parts, name)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		arranged = append(arranged, parts[name]...)
	}
	contract.Content = arranged
}
