package httpapi_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walkthroughBlock is a block of commands in the README that a reader is meant to run.
var walkthroughBlock = regexp.MustCompile("(?ms)^```sh walkthrough\n(.*?)^```$")

// The commands of the README are run as they stand there, so that they can't rot.
func TestTheWalkthroughOfTheReadmeEndsInAWin(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl"} {
		_, err := exec.LookPath(tool)
		require.NoError(t, err, "the walk-through of the README needs %[1]s: install it (apt-get install %[1]s)", tool)
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	blocks := walkthroughBlock.FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, blocks, "README.md has no block that begins with ```sh walkthrough")
	var script strings.Builder
	for _, block := range blocks {
		script.WriteString(block[1])
	}
	onEither(t, func(t *testing.T, w *world) {
		bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script.String())
		bash.Env = append(bash.Environ(), "BASE="+w.url)
		var complaints strings.Builder
		bash.Stderr = &complaints
		shown, err := bash.Output()
		require.NoError(t, err, "%s\n%s", shown, complaints.String())
		assert.Contains(t, string(shown), `"outcome":"win"`)
	}, standingStill, configured("RATE_LIMIT=off"))
}
