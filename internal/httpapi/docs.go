package httpapi

import (
	"bytes"
	_ "embed" // the template of the page
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/fourinarow/fourinarow/internal/text"
)

//go:embed docs.html
var docsTemplate string

// documentation returns the contract as a page for people: no script, nothing from elsewhere.
func documentation(spec *openapi3.T) ([]byte, error) {
	page, err := template.New("docs").Funcs(template.FuncMap{"prose": prose, "inline": inline}).Parse(docsTemplate)
	if err != nil {
		return nil, fmt.Errorf("parse the template of the documentation: %w", err)
	}
	view, err := docsOf(spec)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err = page.Execute(&out, view); err != nil {
		return nil, fmt.Errorf("write the documentation: %w", err)
	}
	return out.Bytes(), nil
}

// The page, as its template reads it.
type (
	docsView struct {
		Title, Version, About string
		Groups                []docsGroup
		Types                 []docsType
		Problems              []docsProblem
	}
	docsGroup struct {
		Name, About string
		Operations  []docsOperation
	}
	docsOperation struct {
		ID, Method, Path, Summary, About, Token string
		Params                                  []docsField
		Body                                    *docsBody
		Responses                               []docsResponse
		Codes                                   []string // of the problems it can answer with
	}
	docsBody struct {
		About    string
		Required bool
		Type     docsTypeName
		Examples []docsExample
	}
	docsResponse struct {
		Status, About string
		Headers       []string
		Type          docsTypeName
		Examples      []docsExample
	}
	docsExample struct{ About, Text string }
	docsType    struct {
		Name, About, Values string
		Fields              []docsField
	}
	docsField struct {
		Name, Where, About, Limits string
		Required                   bool
		Type                       docsTypeName
	}
	docsTypeName struct{ Before, Name, Link string }
	docsProblem  struct {
		catalogued
		Examples []docsExample
	}
)

func docsOf(spec *openapi3.T) (docsView, error) {
	view := docsView{
		Title: spec.Info.Title, Version: spec.Info.Version, About: spec.Info.Description,
		Groups: nil, Types: nil, Problems: nil,
	}
	for _, tag := range spec.Tags {
		group := docsGroup{Name: tag.Name, About: tag.Description, Operations: nil}
		for _, path := range spec.Paths.InMatchingOrder() {
			item := spec.Paths.Value(path)
			for _, method := range slices.Sorted(maps.Keys(item.Operations())) {
				op := item.Operations()[method]
				if !slices.Contains(op.Tags, tag.Name) {
					continue
				}
				shown, err := docsOperationOf(spec, method, path, op)
				if err != nil {
					return docsView{}, err
				}
				group.Operations = append(group.Operations, shown)
			}
		}
		slices.SortStableFunc(group.Operations, func(a, b docsOperation) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
		view.Groups = append(view.Groups, group)
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Components.Schemas)) {
		view.Types = append(view.Types, docsTypeOf(name, spec.Components.Schemas[name].Value))
	}
	var err error
	view.Problems, err = docsProblemsOf(spec)
	return view, err
}

// docsProblemsOf returns the catalogue of problems, each with its examples. They stand there once, and not at each of the
// operations that can answer so.
func docsProblemsOf(spec *openapi3.T) ([]docsProblem, error) {
	examples := make(map[string]openapi3.Examples)
	for name, example := range spec.Components.Examples {
		if object, isObject := example.Value.Value.(map[string]any); isObject && object["request_id"] != nil {
			code, _ := object["code"].(string)
			if examples[code] == nil {
				examples[code] = make(openapi3.Examples)
			}
			examples[code][name] = example
		}
	}
	var all []docsProblem
	for _, problem := range catalogueOf(text.English) {
		shown, err := docsExamplesOf(examples[string(problem.Code)])
		if err != nil {
			return nil, err
		}
		all = append(all, docsProblem{catalogued: problem, Examples: shown})
	}
	return all, nil
}

func docsOperationOf(spec *openapi3.T, method, path string, op *openapi3.Operation) (docsOperation, error) {
	shown := docsOperation{
		ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, About: op.Description,
		Token: docsTokens[authOf(spec, op)], Params: nil, Body: nil, Responses: nil, Codes: codesOf(op),
	}
	for _, p := range op.Parameters {
		shown.Params = append(shown.Params, docsField{
			Name: p.Value.Name, Where: p.Value.In, About: p.Value.Description, Limits: docsLimits(p.Value.Schema.Value),
			Required: p.Value.Required, Type: docsTypeNameOf(p.Value.Schema),
		})
	}
	if op.RequestBody != nil {
		content := op.RequestBody.Value.Content.Get("application/json")
		examples, err := docsExamplesOf(content.Examples)
		if err != nil {
			return docsOperation{}, err
		}
		shown.Body = &docsBody{
			About: op.RequestBody.Value.Description, Required: op.RequestBody.Value.Required,
			Type: docsTypeNameOf(content.Schema), Examples: examples,
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses.Map())) {
		if status == "4XX" || status == "5XX" { // see Codes
			continue
		}
		response, err := docsResponseOf(status, op.Responses.Value(status).Value)
		if err != nil {
			return docsOperation{}, err
		}
		shown.Responses = append(shown.Responses, response)
	}
	return shown, nil
}

var docsTokens = map[auth]string{
	authIgnored:  "No token is looked at.",
	authOptional: "A token is optional.",
	authRequired: "A token is needed.",
	authAdmin:    "An admin's token is needed.",
}

func docsResponseOf(status string, r *openapi3.Response) (docsResponse, error) {
	shown := docsResponse{
		Status: status, About: valueOf(r.Description), Headers: slices.Sorted(maps.Keys(r.Headers)),
		Type: docsTypeName{Before: "", Name: "", Link: ""}, Examples: nil,
	}
	for _, content := range r.Content {
		examples, err := docsExamplesOf(content.Examples)
		if err != nil {
			return docsResponse{}, err
		}
		shown.Type, shown.Examples = docsTypeNameOf(content.Schema), examples
	}
	return shown, nil
}

func docsExamplesOf(examples openapi3.Examples) ([]docsExample, error) {
	shown := make([]docsExample, 0, len(examples))
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		example := examples[name].Value
		formatted, isText := example.Value.(string)
		if !isText {
			indented, err := json.MarshalIndent(example.Value, "", "  ")
			if err != nil {
				return nil, fmt.Errorf("write example %s: %w", name, err)
			}
			formatted = string(indented)
		}
		shown = append(shown, docsExample{About: example.Summary, Text: formatted})
	}
	return shown, nil
}
