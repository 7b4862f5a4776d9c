package suite

import "syscall"

const (
	memoryNeeded = 2 << 30    // bytes: no package of tests has needed as much
	tmpfs        = 0x01021994 // TMPFS_MAGIC of statfs(2)
	noExec       = 8          // ST_NOEXEC: no program may run there
)

// memory returns the folder of a file system in memory that has room and lets programs run, or nothing.
func memory() string {
	const folder = "/dev/shm"
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil || fs.Type != tmpfs || fs.Flags&noExec != 0 ||
		int64(fs.Bavail)*int64(fs.Bsize) < memoryNeeded {
		return ""
	}
	return folder
}

// ended reports whether there is no process with this ID.
func ended(pid int) bool { return syscall.Kill(pid, 0) == syscall.ESRCH }
