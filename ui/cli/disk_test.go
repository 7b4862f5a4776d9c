//go:build linux

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a small disk by adding URLs to a database on it: the error is clear, and earlier URLs are intact.
func TestFullDisk(t *testing.T) {
	p := newProgram(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	p.db = filepath.Join(disk, "visto.db")
	p.env = append(p.env, "VISTO_DB="+p.db)

	urls := func(from, to int) *strings.Reader {
		var list strings.Builder
		for i := from; i < to; i++ {
			const url = "https://sede.example.gob.es/tramite/%d/una-pagina-con-un-nombre-bastante-largo?plaza=%d\n"
			fmt.Fprintf(&list, url, i, i)
		}
		return strings.NewReader(list.String())
	}
	p.run(0, urls(0, 600), "add", "-") // the next command may fail in its first chunk
	_, stderr := p.run(1, urls(600, 20_000), "add", "-")
	if !strings.Contains(stderr, "disk is full") {
		t.Errorf("the message does not say that the disk is full:\n%s", stderr)
	}

	filler := filepath.Join(disk, "filler")
	var free syscall.Statfs_t
	const left = 128 << 10 // for opening the database, but not for the export
	if err := syscall.Statfs(disk, &free); err != nil {
		t.Fatal(err)
	}
	// The failed add may have left less than that, by the size of its last chunk.
	if err := os.WriteFile(filler, make([]byte, max(0, int64(free.Bavail)*free.Bsize-left)), 0o644); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(disk, "registry.jsonl")
	_, stderr = p.run(1, strings.NewReader(""), "export", "--status", "all", "-o", output)
	if !strings.Contains(stderr, "no space left") {
		t.Errorf("the export does not say that the disk is full:\n%s", stderr)
	}
	if err := os.Remove(filler); err != nil {
		t.Error(err)
	}
	for _, name := range entries(t, disk) {
		if !strings.HasPrefix(name, "visto.db") {
			t.Errorf("%s is left on the full disk", name)
		}
	}
	p.ok("check")
	if len(lines(p.ok("list", "--ids"))) < 600 {
		t.Error("URLs that were added before the disk was full are missing")
	}
}
