package sqlitetest

import "syscall"

// memory is the folder whose files are in memory.
const memory = "/dev/shm"

// roomy reports whether the folder has space for the databases of all tests that run at a time. That of a container may
// have as little as 64 MB.
func roomy() bool {
	const enough = 512 << 20
	var fs syscall.Statfs_t
	return syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= enough
}
