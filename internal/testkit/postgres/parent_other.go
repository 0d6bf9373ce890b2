//go:build unix && !linux

package postgres

import "syscall"

// endWithParent does nothing: only Linux tells a child of its parent's death.
func endWithParent(*syscall.SysProcAttr) {}
