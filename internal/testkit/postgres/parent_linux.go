package postgres

import "syscall"

// endWithParent has the server end when this process is killed and can't stop it.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
