package text_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/text"
)

func TestEveryCodeOfFaultHasALine(t *testing.T) {
	t.Parallel()
	assert.ElementsMatch(t, declaredCodes(t), catalogued())
}

func TestTheContractListsTheSameCodes(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData([]byte(api.Contract))
	require.NoError(t, err)
	listed, ok := spec.Components.Schemas["ProblemCode"].Value.Extensions["x-extensible-enum"].([]any)
	require.True(t, ok, "ProblemCode has an x-extensible-enum")
	codes := make([]string, 0, len(listed))
	for _, code := range listed {
		codes = append(codes, code.(string)) //nolint:forcetypeassert // a test may panic
	}
	assert.ElementsMatch(t, catalogued(), codes)
}

func TestEveryLanguageSaysSomethingAboutEveryCode(t *testing.T) {
	t.Parallel()
	for _, language := range text.Languages() {
		for _, p := range text.Problems(language) {
			assert.NotEmpty(t, p.Title, "%s in %s", p.Code, language)
			assert.LessOrEqual(t, len([]rune(p.Title)), 256, "%s in %s", p.Code, language)
			assert.NotEmpty(t, p.Description, "%s in %s", p.Code, language)
			assert.LessOrEqual(t, len([]rune(p.Description)), 1024, "%s in %s", p.Code, language)
		}
	}
}

func TestALanguageWithoutTranslationIsAnsweredInEnglish(t *testing.T) {
	t.Parallel()
	foreign, known := text.ProblemOf(fault.ColumnFull, "la")
	require.True(t, known)
	english, _ := text.ProblemOf(fault.ColumnFull, text.English)
	assert.Equal(t, english, foreign)
}

func TestAnUnknownCodeHasNoLine(t *testing.T) {
	t.Parallel()
	_, known := text.ProblemOf("no_such_code", text.English)
	assert.False(t, known)
}

func catalogued() []string {
	var codes []string
	for _, p := range text.Problems(text.English) {
		codes = append(codes, string(p.Code))
	}
	return codes
}

// declaredCodes reads the constants of type Code in the source of package fault.
func declaredCodes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../fault/fault.go", nil, 0)
	require.NoError(t, err)
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, isSpec := n.(*ast.ValueSpec)
		if !isSpec {
			return true
		}
		if name, named := spec.Type.(*ast.Ident); !named || name.Name != "Code" {
			return true
		}
		for _, value := range spec.Values {
			code, err := strconv.Unquote(value.(*ast.BasicLit).Value) //nolint:forcetypeassert // a test may panic
			require.NoError(t, err)
			codes = append(codes, code)
		}
		return true
	})
	require.NotEmpty(t, codes)
	return codes
}
