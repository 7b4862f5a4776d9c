//go:build linux

package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a small disk by adding URLs to a database on it: a clear error, and what was added before is whole.
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

	var urls strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&urls, "https://sede.example.gob.es/tramite/%d/una-pagina-con-un-nombre-bastante-largo?plaza=%d\n", i, i)
	}
	_, stderr := p.run(1, strings.NewReader(urls.String()), "add", "-")
	if !strings.Contains(stderr, "disk is full") {
		t.Errorf("the message does not say that the disk is full:\n%s", stderr)
	}

	output := filepath.Join(disk, "registry.jsonl")
	if _, stderr := p.run(1, strings.NewReader(""), "export", "--status", "all", "-o", output); !strings.Contains(stderr, "no space left") {
		t.Errorf("the export does not say that the disk is full:\n%s", stderr)
	}
	for _, name := range entries(t, disk) {
		if !strings.HasPrefix(name, "visto.db") {
			t.Errorf("%s is left on the full disk", name)
		}
	}
	p.ok("check")
	if len(lines(p.ok("list", "--ids"))) == 0 {
		t.Error("nothing was added before the disk was full")
	}
}
