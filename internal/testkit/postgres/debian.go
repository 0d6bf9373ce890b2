package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// noMainCluster keeps Debian's package from making and starting a server of its own.
const (
	noMainCluster     = "create_main_cluster = false\n"
	noMainClusterFile = "/etc/postgresql-common/createcluster.d/fourinarow-tests.conf"
)

// Install installs the server through apt and finds it. It does so only as root on Debian or a descendant; elsewhere
// the error is ErrNoPrograms. What apt says goes to output.
func Install(ctx context.Context, output io.Writer) (Programs, error) {
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return Programs{}, ErrNoPrograms
	}
	forget, err := withoutMainCluster()
	if err != nil {
		return Programs{}, err
	}
	err = errors.Join(aptGet(ctx, output, apt), forget())
	if err != nil {
		return Programs{}, err
	}
	return Find()
}

func aptGet(ctx context.Context, output io.Writer, apt string) error {
	for _, args := range [][]string{
		{"update"},
		{"install", "--yes", "--no-install-recommends", "postgresql"},
	} {
		cmd := exec.CommandContext(ctx, apt, args...) //nolint:gosec // apt-get from PATH, with arguments from here
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = output, output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("install PostgreSQL (apt-get %s): %w; set TEST_DATABASE_URL to a server that tests may fill, to do without", args[0], err)
		}
	}
	return nil
}

// withoutMainCluster tells Debian's package to make no server, until the function it returns is called.
func withoutMainCluster() (forget func() error, err error) {
	//nolint:gosec // the package's scripts read it as other users
	if err := os.MkdirAll(filepath.Dir(noMainClusterFile), 0o755); err != nil {
		return nil, fmt.Errorf("keep the package from starting a server: %w", err)
	}
	//nolint:gosec // the package's scripts read it as other users
	if err := os.WriteFile(noMainClusterFile, []byte(noMainCluster), 0o644); err != nil {
		return nil, fmt.Errorf("keep the package from starting a server: %w", err)
	}
	return func() error { return os.Remove(noMainClusterFile) }, nil
}
