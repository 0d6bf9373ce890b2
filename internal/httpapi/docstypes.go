package httpapi

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// docsTypeOf describes a named type of the contract.
func docsTypeOf(name string, schema *openapi3.Schema) docsType {
	shown := docsType{Name: name, About: schema.Description, Values: docsLimits(schema), Fields: nil}
	names := slices.Sorted(maps.Keys(schema.Properties))
	slices.SortStableFunc(names, func(a, b string) int { return order(schema.Required, a) - order(schema.Required, b) })
	for _, field := range names {
		property := schema.Properties[field]
		shown.Fields = append(shown.Fields, docsField{
			Name: field, Where: "", About: property.Value.Description, Limits: docsLimits(property.Value),
			Required: slices.Contains(schema.Required, field), Type: docsTypeNameOf(property),
		})
	}
	return shown
}

// order sorts required fields first, as the contract lists them.
func order(required []string, name string) int {
	if i := slices.Index(required, name); i >= 0 {
		return i
	}
	return len(required)
}

// docsTypeNameOf names a type and links to its description where it has a name of its own.
func docsTypeNameOf(ref *openapi3.SchemaRef) docsTypeName {
	if name, found := strings.CutPrefix(ref.Ref, "#/components/schemas/"); found {
		return docsTypeName{Before: "", Name: name, Link: "type-" + name}
	}
	schema := ref.Value
	if schema.Items != nil {
		of := docsTypeNameOf(schema.Items)
		of.Before = "list of "
		return of
	}
	kind := strings.Join(schema.Type.Slice(), " or ")
	if schema.Format != "" {
		kind += " (" + schema.Format + ")"
	}
	return docsTypeName{Before: "", Name: kind, Link: ""}
}

// docsLimits says in words which values a schema allows.
func docsLimits(schema *openapi3.Schema) string {
	var limits []string
	if schema.Min != nil && schema.Max != nil {
		limits = append(limits, fmt.Sprintf("%.0f to %.0f", *schema.Min, *schema.Max))
	}
	if len(schema.Enum) > 0 {
		limits = append(limits, "one of "+joinAny(schema.Enum))
	}
	if growing, isList := schema.Extensions["x-extensible-enum"].([]any); isList {
		limits = append(limits, "so far "+joinAny(growing))
	}
	if schema.Pattern != "" {
		limits = append(limits, "matches "+schema.Pattern)
	} else if schema.MaxLength != nil && schema.Format == "" {
		limits = append(limits, fmt.Sprintf("at most %d characters", *schema.MaxLength))
	}
	return strings.Join(limits, "; ")
}

// problemsLine begins the line of an operation's description that lists its codes.
const problemsLine = "Problems: "

// prose renders the little of Markdown that the contract uses: paragraphs, lists, code and strong words.
func prose(source string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(source), "\n\n") {
		if strings.HasPrefix(block, problemsLine) { // said by the list of links below
			continue
		}
		if heading, isHeading := strings.CutPrefix(block, "## "); isHeading {
			out.WriteString("<h2>" + string(inline(heading)) + "</h2>\n")
			continue
		}
		if !strings.HasPrefix(block, "- ") {
			out.WriteString("<p>" + string(inline(block)) + "</p>\n")
			continue
		}
		out.WriteString("<ul>\n")
		for item := range strings.SplitSeq("\n"+block, "\n- ") {
			if item != "" {
				out.WriteString("<li>" + string(inline(item)) + "</li>\n")
			}
		}
		out.WriteString("</ul>\n")
	}
	return template.HTML(out.String()) //nolint:gosec // inline escapes, and the source is the contract
}

// inline renders code and strong words in a line of text, and escapes everything else.
func inline(source string) template.HTML {
	escaped := template.HTMLEscapeString(source)
	escaped = pairs(escaped, "`", "<code>", "</code>")
	escaped = pairs(escaped, "**", "<strong>", "</strong>")
	return template.HTML(escaped) //nolint:gosec // escaped above, and the source is the contract
}

// pairs puts tags where a mark stands: the opening one, then the closing one.
func pairs(source, mark, opening, closing string) string {
	parts := strings.Split(source, mark)
	var out strings.Builder
	for i, part := range parts {
		switch {
		case i == 0:
		case i == len(parts)-1 && i%2 == 1: // a mark without its second
			out.WriteString(mark)
		case i%2 == 1:
			out.WriteString(opening)
		default:
			out.WriteString(closing)
		}
		out.WriteString(part)
	}
	return out.String()
}
