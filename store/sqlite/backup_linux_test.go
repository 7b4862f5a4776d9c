package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"visto/review"
)

// A backup that does not fit on the disk leaves nothing there.
func TestBackupFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3000)
	s := open(t, path)
	disk := t.TempDir()
	whole := filepath.Join(t.TempDir(), "whole.db")
	must(t, s.Backup(t.Context(), whole))
	info, err := os.Stat(whole)
	must(t, err)
	for part := int64(5); part < 100; part += 10 {
		size := fmt.Sprintf("size=%d", info.Size()*part/100)
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, size); err != nil {
			t.Skipf("mounting a small disk: %v", err)
		}
		err := s.Backup(t.Context(), filepath.Join(disk, "backup.db"))
		if left := snapshot(t, disk); !errors.Is(err, review.ErrFull) || left != "" {
			t.Errorf("%s: error %v, and there is\n%s", size, err, left)
		}
		must(t, syscall.Unmount(disk, syscall.MNT_DETACH))
	}
}
