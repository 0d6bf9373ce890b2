package httpapi_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/httpapi"
	"github.com/fourinarow/fourinarow/internal/text"
)

// The contract says with which codes an operation can answer. It can't lie: an answer with another code fails the test
// that got it (checkCode), and a code that no test got fails the suite (TestMain).

// unseen is why no test gets a code from an operation. Everything else that the contract lists has to be seen.
var unseen = map[string]string{
	"internal":        "it needs a defect",
	"outcome_unknown": "it needs the database to be lost while it commits: see the proxy of internal/store and cmd/fourinarow",
}

// answered is the codes that operations have answered with in the tests of this run.
var answered = struct {
	sync.Mutex
	codes map[string]map[string]bool // by operation
}{codes: map[string]map[string]bool{}}

// checkCode notes the code of a problem, and complains when its operation doesn't list it.
func checkCode(op *openapi3.Operation, p api.Problem) []string {
	if op == nil {
		return nil // 404 and 405, which are no operation's
	}
	answered.Lock()
	defer answered.Unlock()
	if answered.codes[op.OperationID] == nil {
		answered.codes[op.OperationID] = map[string]bool{}
	}
	answered.codes[op.OperationID][p.Code] = true
	if !slices.Contains(problemCodes(op), p.Code) && p.Code != string(fault.MethodNotAllowed) {
		return []string{op.OperationID + " does not list the code " + p.Code}
	}
	return nil
}

func problemCodes(op *openapi3.Operation) []string {
	var codes []string
	listed, _ := op.Extensions["x-problem-codes"].([]any)
	for _, code := range listed {
		codes = append(codes, fmt.Sprint(code))
	}
	return codes
}

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && wholeSuite() {
		for _, missing := range unansweredCodes() {
			fmt.Println("no test got from", missing) //nolint:forbidigo // there is no test left to say it
			code = 1
		}
	}
	os.Exit(code) //nolint:forbidigo // as main does: the exit code is the result of the suite
}

// wholeSuite reports whether every test of the package ran.
func wholeSuite() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}

// unansweredCodes lists the codes of the contract that no test got.
func unansweredCodes() []string {
	spec, err := contractOf()
	if err != nil {
		return []string{err.Error()}
	}
	answered.Lock()
	defer answered.Unlock()
	var missing []string
	for _, item := range spec.Paths.Map() {
		for _, op := range item.Operations() {
			for _, code := range problemCodes(op) {
				if _, excused := unseen[code]; !excused && !answered.codes[op.OperationID][code] {
					missing = append(missing, op.OperationID+" the code "+code+", which the contract lists")
				}
			}
		}
	}
	slices.Sort(missing)
	return missing
}

func TestTheCodesOfAnOperationStandInItsDescription(t *testing.T) {
	t.Parallel()
	used := map[string]bool{"method_not_allowed": true} // of no operation
	everyOperation(t, func(op *openapi3.Operation) {
		codes := problemCodes(op)
		_, line, _ := strings.Cut(op.Description, "Problems: ")
		var described []string
		for code := range strings.SplitSeq(strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ".")), " "), ", ") {
			described = append(described, strings.Trim(code, "`"))
		}
		assert.Equal(t, codes, described, op.OperationID)
		for _, code := range codes {
			used[code] = true
		}
		assert.True(t, slices.IsSortedFunc(codes, byStatus), "%s: codes stand by status and name", op.OperationID)
	})
	var listed []string
	for _, p := range text.Problems(text.English) {
		listed = append(listed, string(p.Code))
	}
	assert.ElementsMatch(t, listed, slices.Collect(maps.Keys(used)), "the catalogue has the codes that operations list, and no others")
}

func byStatus(a, b string) int {
	return cmp.Or(cmp.Compare(httpapi.StatusOf(fault.Code(a)), httpapi.StatusOf(fault.Code(b))), cmp.Compare(a, b))
}

func TestEachCodeThatAnOperationListsHasAnExample(t *testing.T) {
	t.Parallel()
	everyOperation(t, func(op *openapi3.Operation) {
		shown := map[string]bool{}
		for _, status := range []string{"4XX", "5XX"} {
			for _, example := range op.Responses.Value(status).Value.Content["application/problem+json"].Examples {
				shown[as[api.Problem](t, example.Value.Value).Code] = true
			}
		}
		for _, code := range problemCodes(op) {
			assert.True(t, shown[code], "%s: %s", op.OperationID, code)
		}
	})
}
