package main_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAServiceOnAFullDiskIsNotReadyAndReadsOn(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"), "only root may mount a small disk")
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, 0)) })
	filler := filepath.Join(disk, "filler")
	fill := func() {
		file, err := os.Create(filler)
		require.NoError(t, err)
		for err == nil {
			_, err = file.Write(make([]byte, 4<<10))
		}
		require.True(t, errors.Is(err, syscall.ENOSPC), "%v", err)
		require.NoError(t, file.Close())
	}
	cmd, out := command(t, nil)
	cmd.Dir = disk
	start(t, cmd, out).survives(t, fill, func() { require.NoError(t, os.Remove(filler)) })
	verify, said := command(t, nil, "verify")
	verify.Dir = disk
	assert.Zero(t, exitCode(t, verify), "%s", said)
}
