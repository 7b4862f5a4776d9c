//go:build linux

package cli_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"visto/store/sqlite"
	"visto/store/storetest"
)

// onCopy runs a writing operation on a copy of the database in the folder, through how. It may fail only with one of
// the messages and a hint, and exactly the confirmed writes are there.
func (w *town) onCopy(folder string, how func(*exec.Cmd), messages ...string) {
	w.t.Helper()
	db := filepath.Join(folder, "visto.db")
	w.copyTo(db)
	ops := []operation{
		{name: "add", args: []string{"add", "-"}, stdin: corpus(w.Uint64(), 3000)},
		w.decideMany(),
		{name: "override", args: []string{"override", "add", "--host", storetest.BigHost, "--drop", "tab"}},
		{name: "backup", args: []string{"backup", filepath.Join(folder, "backup.db")}},
		{name: "export", args: []string{"export", "--status", "all", "-o", filepath.Join(folder, "registry.jsonl")}},
		{name: "export the log", args: []string{"log", "--export", filepath.Join(folder, "log.jsonl")}},
		w.decideAll(), w.override(), w.undo(), w.recanon(),
	}
	op := ops[w.IntN(len(ops))]
	var out, errs strings.Builder
	cmd := exec.Command(w.visto, append(op.args, "--db", db)...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = w.env, strings.NewReader(op.stdin), &out, &errs
	how(cmd)
	err := cmd.Run()
	op.out, op.err = out.String(), errs.String()
	said := false
	for _, m := range messages {
		said = said || strings.Contains(op.err, m)
	}
	if err != nil && !nothingToUndo(op.err) && (!said || !strings.Contains(op.err, "\nhint: ")) {
		w.t.Errorf("visto %v: %v\n%s", op.args, err, op.err)
	}
	now, news := entriesOf(w.t, db), len(op.confirmed())
	if len(now) < len(w.log) || !samePast(w.log, now) || len(withoutAdds(now[len(w.log):])) != news {
		w.t.Errorf("visto %v confirmed %d, and the log had %d entries and now has %d, or others", op.args, news,
			len(w.log), len(now))
	}
	w.check(db)
	for _, name := range entries(w.t, folder) {
		if !strings.HasPrefix(name, "visto") &&
			(err != nil || !slices.Contains([]string{"backup.db", "registry.jsonl", "log.jsonl"}, name)) {
			w.t.Errorf("visto %v left %s behind", op.args, name)
		}
	}
}

func (w *town) copyTo(db string) {
	w.t.Helper()
	write(w.t, db, read(w.t, w.db))
}

// fullDisk lets the disk run full.
func (w *town) fullDisk() {
	disk := w.path("disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		w.t.Fatal(err)
	}
	size := len(read(w.t, w.db)) + 64<<10 + w.IntN(2<<20)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		w.fileLimit() // only root makes small disks
		return
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	w.onCopy(disk, func(*exec.Cmd) {}, "disk is full", "no space left on device")
}

// fileLimit keeps a file from growing further, like a quota.
func (w *town) fileLimit() {
	folder := w.path("limited")
	if err := os.Mkdir(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	limit := 64 + w.IntN(len(read(w.t, w.db))*3/512) // blocks of 512 bytes
	w.onCopy(folder, func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$@"`, limit), "sh"}, cmd.Args...)
		cmd.Path = "/bin/sh"
	}, "cannot be written", "file too large")
}

// readOnly makes the file and its folder read-only: reading works, deciding is refused.
func (w *town) readOnly() {
	folder, err := os.MkdirTemp("", "visto-fault-*")
	if err != nil {
		w.t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	db, visto := filepath.Join(folder, "visto.db"), filepath.Join(folder, "visto")
	w.copyTo(db)
	write(w.t, visto, read(w.t, w.visto)) // a link to it would lead through a folder that is closed to others
	for name, mode := range map[string]os.FileMode{db: 0o444, visto: 0o755, folder: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			w.t.Fatal(err)
		}
	}
	defer os.Chmod(folder, 0o700)
	run := func(args ...string) (string, error) {
		cmd := exec.Command(visto, append(args, "--db", db)...)
		cmd.Env, cmd.Dir = w.env, folder
		if os.Geteuid() == 0 { // nothing is forbidden to root
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("check"); err != nil {
		w.t.Errorf("visto check: %v\n%s", err, out)
	}
	if out, err := run("defer", "1"); err == nil || !strings.Contains(out, "read-only") ||
		!strings.Contains(out, "hint: ") {
		w.t.Errorf("visto defer: %v\n%s", err, out)
	}
}

// locked lets another program hold the lock for a while: deciding waits for it, reading does not.
func (w *town) locked() {
	// another store of this process stays open meanwhile
	reader, err := sqlite.Open(context.Background(), w.db, sqlite.Options{ReadOnly: true})
	if err != nil {
		w.t.Fatal(err)
	}
	defer reader.Close()
	db, err := sql.Open("sqlite", "file:"+w.db+"?_txlock=immediate")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		w.t.Fatal(err)
	}
	done := make(chan operation)
	op := w.decide()
	go func() { done <- w.start(op, nil) }()
	w.ok("list", "--limit", "5")
	time.Sleep(time.Duration(w.IntN(300)) * time.Millisecond)
	tx.Rollback()
	if op = <-done; op.status != 0 {
		w.t.Errorf("visto %v: %s", op.args, op.err)
	}
	db.Close()
	reader.Close()
	w.grown(op, op.confirmed())
}

// crowd has many programs write at once. Each confirmed write happened once. A refusal is due to somebody else's
// work, and names the reviewer and the time.
func (w *town) crowd() {
	ops := make([]operation, 8)
	for i := range ops {
		ops[i] = []func() operation{w.decide, w.decideMany, w.decideAll, w.override, w.undo}[w.IntN(5)]()
		ops[i].args = append(ops[i].args, "--reviewer", fmt.Sprintf("ana %d", i%3))
	}
	var group sync.WaitGroup
	for i := range ops {
		group.Go(func() { ops[i] = w.runs(ops[i], nil) })
	}
	group.Wait()
	said := map[string]int{}
	for _, op := range ops {
		if op.status != 0 && !nothingToUndo(op.err) && !decidedMeanwhile.MatchString(op.err) &&
			!strings.Contains(op.err, "run the command again") {
			w.t.Errorf("visto %v: status %d\n%s%s", op.args, op.status, op.out, op.err)
		}
		for _, batch := range op.confirmed() {
			said[batch]++
		}
	}
	now := w.entries()
	for _, e := range now[len(w.log):] {
		if said[fmt.Sprint(e.Batch)]--; said[fmt.Sprint(e.Batch)] < 0 {
			w.t.Errorf("nobody was told of entry %d, %q", e.Seq, e.Summary)
		}
		w.done++
	}
	for batch, n := range said {
		if n > 0 {
			w.t.Errorf("batch %s was confirmed %d times more often than the log has it", batch, n)
		}
	}
	w.log = now
}

// decidedMeanwhile matches the message to the second reviewer of a URL.
var decidedMeanwhile = regexp.MustCompile(`was decided meanwhile: \w+ by .+ at \d{4}-|changed meanwhile`)
