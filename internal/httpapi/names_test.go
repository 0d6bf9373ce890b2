package httpapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
)

// reservedNames are names of types that a language, its standard library or the libraries that most of its programs use own
// already. A generated type of that name is renamed, shadows theirs, or is ambiguous at each use.
var reservedNames = map[string][]string{
	"Java": {
		"Boolean", "Byte", "Character", "Class", "Comparable", "Compiler", "Double", "Enum", "Error", "Exception", "Float", "Integer", "Iterable",
		"Long", "Module", "Number", "Object", "Override", "Package", "Process", "Record", "Runnable", "Runtime", "Short", "String", "System", "Thread",
		"Void", "Calendar", "Collection", "Currency", "Date", "List", "Locale", "Map", "Objects", "Optional", "Queue", "Random", "Set", "Stack",
		"Timer", "File", "Path", "Field", "Method", "Proxy", "Duration", "Instant", "Period", "Year", "Service", "Table", "Column", "Entity", "Version",
		"Activity", "Bundle", "Context", "Intent", "Rating", "View", "Palette", "Controller", "Repository", "Component",
	},
	"Kotlin": {"Any", "Array", "Lazy", "Nothing", "Pair", "Result", "Sequence", "Triple", "Unit", "Flow", "Job", "Column", "Row", "Box", "Text", "Surface"},
	"Swift": {
		"Any", "Array", "Data", "Date", "Dictionary", "Encoder", "Decoder", "Error", "Locale", "Measurement", "Never", "Operation", "Optional", "Operator",
		"Process", "Protocol", "Result", "Self", "Set", "State", "String", "Task", "Type", "URL", "UUID", "Button", "Color", "Edge", "Form", "Grid", "Image",
		"Label", "Link", "List", "Menu", "Path", "Picker", "Section", "Shape", "Table", "Text", "View", "Visibility", "Environment", "Binding",
	},
	"Dart": {
		"Comparable", "DateTime", "Duration", "Enum", "Error", "Exception", "Export", "Function", "Future", "Import", "Iterable", "List", "Map", "Match",
		"Null", "Object", "Operator", "Part", "Pattern", "Record", "Set", "Stream", "String", "Symbol", "Type", "Uri", "Action", "Align", "Card", "Center",
		"Column", "Container", "Element", "Form", "Icon", "Image", "Intent", "Key", "Locale", "Page", "Row", "Size", "State", "Table", "Text", "Theme",
		"Visibility", "Widget", "Builder",
	},
	"TypeScript": {
		"Array", "Awaited", "Boolean", "Date", "Error", "Exclude", "Extract", "Function", "Iterator", "Map", "Number", "Object", "Omit", "Partial", "Pick",
		"Promise", "Proxy", "Readonly", "Record", "Required", "Set", "String", "Symbol", "Document", "Element", "Event", "File", "History", "Location",
		"Node", "Notification", "Option", "Plugin", "Position", "Range", "Request", "Response", "Screen", "Selection", "Storage", "Text", "Window", "Worker",
	},
	"C#": {
		"Action", "Attribute", "Boolean", "Buffer", "Char", "Console", "Convert", "DateTime", "Delegate", "Double", "Enum", "Environment", "Exception", "Func",
		"Guid", "Index", "Lazy", "Math", "Nullable", "Object", "Random", "Range", "String", "Task", "Timer", "Tuple", "Type", "Uri", "Version", "Stream",
		"Thread", "Monitor", "Path", "File", "Directory", "Controller", "Device", "Page", "Service",
	},
	"Rust": {
		"Arc", "Box", "Cell", "Clone", "Copy", "Debug", "Default", "Display", "Drop", "Duration", "Eq", "Err", "Error", "Fn", "From", "Future", "Hash", "Instant",
		"Into", "Iterator", "None", "Ok", "Option", "Ord", "Path", "Pin", "Rc", "Ref", "Result", "Self", "Send", "Some", "String", "Sync", "Vec", "Value", "Service",
	},
	"Python": {"Any", "Dict", "Enum", "Exception", "Field", "List", "Mapping", "Optional", "Path", "Protocol", "Response", "Sequence", "Set", "Type", "Union", "UUID"},
	"Go":     {"Client", "Request", "Response", "Server", "Time", "UUID"},
}

func TestNamesAreNobodyElses(t *testing.T) {
	t.Parallel()
	for language, names := range reservedNames {
		for _, name := range names {
			assert.Nil(t, contract(t).Components.Schemas[name], "%s is a name of %s's: the type needs another", name, language)
		}
	}
}

// Some generators make a type of a field that has bounds of its own, and name it by its object and itself.
func TestNoTypeIsNamedAsAFieldOfAnother(t *testing.T) {
	t.Parallel()
	schemas := contract(t).Components.Schemas
	for name, ref := range schemas {
		for field, property := range ref.Value.Properties {
			made := name
			for part := range strings.SplitSeq(field, "_") {
				made += strings.ToUpper(part[:1]) + part[1:]
			}
			assert.True(t, property.Ref != "" || schemas[made] == nil, "%s is a type, and the name of %s.%s", made, name, field)
		}
	}
}

// keywords can't be names of functions in one language or another.
var keywords = []string{
	"abstract", "as", "assert", "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "defer", "delete", "do", "else", "enum",
	"export", "extends", "fn", "for", "func", "if", "impl", "import", "in", "init", "interface", "is", "let", "match", "mod", "move", "new", "null", "package",
	"return", "self", "static", "super", "switch", "this", "throw", "try", "type", "use", "val", "var", "void", "while", "with", "yield",
}

func TestOperationsAndFieldsHaveNamesThatGeneratorsKeep(t *testing.T) {
	t.Parallel()
	everyOperation(t, func(op *openapi3.Operation) {
		assert.NotContains(t, keywords, op.OperationID)
		assert.NotContains(t, []string{"equals", "hashCode", "toString", "notify", "wait", "getClass"}, op.OperationID)
		for _, p := range op.Parameters {
			assert.NotContains(t, keywords, strings.ToLower(p.Value.Name), op.OperationID)
		}
	})
}
