package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// jsonOf writes YAML as JSON, with the fields of its objects in their order.
func jsonOf(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	var w jsonWriter
	if err := w.write(&root); err != nil {
		return nil, err
	}
	w.out.WriteByte('\n')
	return w.out.Bytes(), nil
}

// jsonWriter is the JSON so far.
type jsonWriter struct{ out bytes.Buffer }

func (w *jsonWriter) write(node *yaml.Node) error {
	switch node.Kind {
	case yaml.DocumentNode:
		return w.write(node.Content[0])
	case yaml.AliasNode:
		return w.write(node.Alias)
	case yaml.MappingNode:
		return w.object(node.Content)
	case yaml.SequenceNode:
		return w.list(node.Content)
	case yaml.ScalarNode:
		return w.scalar(node)
	default:
		return fmt.Errorf("line %d: this is no YAML that JSON can say", node.Line)
	}
}

// object writes fields: names and values, by turns.
func (w *jsonWriter) object(fields []*yaml.Node) error {
	w.out.WriteByte('{')
	for i, node := range fields {
		var err error
		if isName := i%2 == 0; isName {
			if i > 0 {
				w.out.WriteByte(',')
			}
			err = w.text(node.Value) // a name is text, also where YAML reads a number
			w.out.WriteByte(':')
		} else {
			err = w.write(node)
		}
		if err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

func (w *jsonWriter) list(items []*yaml.Node) error {
	w.out.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.write(item); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	return nil
}

// scalar writes numbers, true, false and null as what they are, and everything else, times too, as the text it is.
func (w *jsonWriter) scalar(node *yaml.Node) error {
	switch node.ShortTag() {
	case "!!int", "!!float":
		if json.Valid([]byte(node.Value)) {
			w.out.WriteString(node.Value)
			return nil
		}
	case "!!bool", "!!null":
	default:
		return w.text(node.Value)
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	written, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	w.out.Write(written)
	return nil
}

func (w *jsonWriter) text(text string) error {
	encoder := json.NewEncoder(&w.out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return fmt.Errorf("write a text as JSON: %w", err)
	}
	w.out.Truncate(w.out.Len() - 1) // the line's end
	return nil
}
