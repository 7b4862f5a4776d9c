package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"visto/canon/suite"
)

// asParent makes this test binary a program that starts a browser and waits.
const asParent = "VISTO_TEST_STARTS_BROWSER"

func TestMain(m *testing.M) {
	if path := os.Getenv(asParent); path != "" {
		b := New(path)
		_, err := b.Draw(context.Background(), Page{URL: "https://app.example/", Header: html(), Limit: 1 << 20,
			Dial: refuse,
			Body: []byte("<script>document.write('" + long + "')</script>")})
		fmt.Println(err)
		select {}
	}
	os.Exit(m.Run())
}

// processes returns the processes that have a text in their command lines, and the memory in bytes that they take
// together, shared pages by their shares.
func processes(t *testing.T, text string) (pids []int, memory int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		line, _ := os.ReadFile(name) // it may have ended
		if !bytes.Contains(line, []byte(text)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
		rollup, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "smaps_rollup"))
		_, after, _ := strings.Cut(string(rollup), "\nPss:")
		var kb int
		fmt.Sscan(after, &kb)
		memory += kb << 10
	}
	return pids, memory
}

// waitForEnd waits until the processes with the text in their command have ended: those of pages end by themselves soon
// after the one that started them.
func waitForEnd(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if pids, _ := processes(t, text); len(pids) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	pids, _ := processes(t, text)
	t.Errorf("processes %v stay", pids)
}

// shortTemp returns a directory for temporary files whose path is short enough for sockets.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "v")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestBrowserEndsWithItsParent kills a program whose browser runs, in a way that it cannot notice. No process of the
// browser stays.
func TestBrowserEndsWithItsParent(t *testing.T) {
	path := realBrowser(t).path
	dir := shortTemp(t)
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), asParent+"="+path, "TMPDIR="+dir)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(out).ReadString('\n')
	if pids, _ := processes(t, dir); len(pids) < 3 || err != nil || said != "<nil>\n" {
		t.Errorf("processes %v of the browser; the program said %q, %v", pids, said, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	waitForEnd(t, dir)
}

// TestCloseLeavesNothing ends a browser: no process and no file of it stays.
func TestCloseLeavesNothing(t *testing.T) {
	dir := shortTemp(t)
	t.Setenv("TMPDIR", dir)
	b := realBrowser(t)
	if _, err := draw(t, b, "<script>document.write('"+long+"')</script>"); err != nil {
		t.Fatal(err)
	}
	if b.Unsandboxed() != (os.Geteuid() == 0) {
		t.Errorf("without its sandbox: %t", b.Unsandboxed())
	}
	b.Close()
	waitForEnd(t, dir)
	if files, err := os.ReadDir(dir); len(files) > 0 || err != nil {
		t.Errorf("files %v, %v", files, err)
	}
}

// TestMemoryHasLimits watches the memory of a browser whose page takes all that it can get.
func TestMemoryHasLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no other process")
	}
	dir := shortTemp(t)
	t.Setenv("TMPDIR", dir)
	b := realBrowser(t)
	b.limits.settle = 4 * time.Second // enough to reach the limit, and four times the limit without it
	most := 0
	bodies := []string{
		"<script>const a = []; setInterval(() => a.push(new Uint8Array(1 << 24).fill(7)), 1)</script>",
		"<script>const a = []; for (;;) a.push({}, [a.length])</script>",
	}
	for _, body := range bodies[:suite.Rounds(1, len(bodies))] {
		done := make(chan error)
		go func() {
			_, err := draw(t, b, body)
			done <- err
		}()
		for drawing := true; drawing; {
			select {
			case err := <-done:
				t.Log(err)
				drawing = false
			case <-time.After(50 * time.Millisecond):
				_, now := processes(t, dir)
				most = max(most, now)
			}
		}
	}
	t.Logf("up to %d MB", most>>20)
	if most == 0 || most > 3*maxMemory/2 {
		t.Errorf("the browser took %d MB", most>>20)
	}
}

// TestSecondStart draws a page though the browser ends at its first start.
func TestSecondStart(t *testing.T) {
	dir := shortTemp(t)
	path, started := filepath.Join(dir, "chromium"), filepath.Join(dir, "started")
	b := realBrowser(t)
	script := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s ] && exec %s \"$@\"\ntouch %[1]s\nexit 1\n", started, b.path)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b.path = path
	d, err := draw(t, b, "<script>document.write('"+long+"')</script>")
	if err != nil || !strings.Contains(string(d.HTML), long) {
		t.Errorf("%v:\n%s", err, d.HTML)
	}
	if _, err := os.Stat(started); err != nil {
		t.Error(err)
	}
}

// TestLongTemp starts a browser where the path for temporary files is too long for a socket in it.
func TestLongTemp(t *testing.T) {
	dir := filepath.Join(shortTemp(t), strings.Repeat("x", maxTemp-20))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	b := realBrowser(t)
	if _, err := draw(t, b, "<script>document.write('"+long+"')</script>"); err != nil {
		t.Error(err)
	}
}
