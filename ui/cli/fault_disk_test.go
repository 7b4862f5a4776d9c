//go:build linux

package cli_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// onCopy runs a writing operation on a copy of the database in the folder, by way of how. It may fail only with one of the
// messages and a hint, and what it confirmed is there, and nothing that it did not.
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
	if err != nil && (!said || !strings.Contains(op.err, "\nhint: ")) {
		w.t.Errorf("visto %v: %v\n%s", op.args, err, op.err)
	}
	now := entriesOf(w.t, db)
	news := len(op.confirmed())
	if len(now) != len(w.log)+news || !samePast(w.log, now) {
		w.t.Errorf("visto %v confirmed %d, and the log had %d entries and now has %d, or others", op.args, news, len(w.log), len(now))
	}
	w.check(db)
	for _, name := range entries(w.t, folder) {
		if !strings.HasPrefix(name, "visto") && (err != nil || name != "backup.db" && name != "registry.jsonl") {
			w.t.Errorf("visto %v left %s behind", op.args, name)
		}
	}
}

func (w *town) copyTo(db string) {
	w.t.Helper()
	write(w.t, db, read(w.t, w.db))
}

// fullDisk has the disk run full.
func (w *town) fullDisk() {
	disk := w.path("disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		w.t.Fatal(err)
	}
	size := len(read(w.t, w.db)) + 64<<10 + w.IntN(2<<20)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		w.fileLimit() // nobody but root makes small disks
		return
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	w.onCopy(disk, func(*exec.Cmd) {}, "disk is full", "no space left on device")
}

// fileLimit has a file grow no further, as a quota does.
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

// readOnly has nobody write to the file and its folder: reading goes on, deciding is refused.
func (w *town) readOnly() {
	folder, err := os.MkdirTemp("", "visto-fault-*")
	if err != nil {
		w.t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	db, visto := filepath.Join(folder, "visto.db"), filepath.Join(folder, "visto")
	w.copyTo(db)
	if err := os.Link(w.visto, visto); err != nil {
		write(w.t, visto, read(w.t, w.visto))
	}
	for name, mode := range map[string]os.FileMode{db: 0o444, visto: 0o755, folder: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			w.t.Fatal(err)
		}
	}
	defer os.Chmod(folder, 0o700)
	run := func(args ...string) (string, error) {
		cmd := exec.Command(visto, append(args, "--db", db)...)
		cmd.Env, cmd.Dir = w.env, folder
		if os.Geteuid() == 0 { // whom nothing is forbidden
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("check"); err != nil {
		w.t.Errorf("visto check: %v\n%s", err, out)
	}
	if out, err := run("defer", "1"); err == nil || !strings.Contains(out, "read-only") || !strings.Contains(out, "hint: ") {
		w.t.Errorf("visto defer: %v\n%s", err, out)
	}
}

// locked has another program hold the lock for a while: who decides waits for it, and who reads does not.
func (w *town) locked() {
	reader, err := sqlite.Open(context.Background(), w.db, sqlite.Options{ReadOnly: true}) // so that no other store of this process is the first
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

// says is all that the program says of a database.
func (w *town) says(db string) string {
	var all strings.Builder
	for _, args := range [][]string{
		{"export", "--status", "all"}, {"log", "--json", "--limit", "0"}, {"override", "list", "--json"}, {"causes", "--json"},
		{"list", "--host", storetest.BigHost, "--sort", "host", "--limit", "300", "--json"}, {"list", "--search", "padron", "--json", "--limit", "100"},
		{"stats", "--json"},
	} {
		cmd := exec.Command(w.visto, append(args, "--db", db)...)
		cmd.Env = w.env
		out, err := cmd.CombinedOutput()
		fmt.Fprintf(&all, "%v: %v\n%s", args, err, out)
	}
	return all.String()
}

// flipDatabase flips a bit of the database: visto check finds it, or it makes no difference to anything that the program says.
func (w *town) flipDatabase() {
	db := w.path("flipped.db")
	w.copyTo(db)
	before := w.says(db)
	data := []byte(read(w.t, db))
	at, bit := w.IntN(len(data)), w.IntN(8)
	data[at] ^= 1 << bit
	write(w.t, db, string(data))
	out, err := exec.Command(w.visto, "check", "--db", db).CombinedOutput()
	if strings.Contains(string(out), "goroutine ") {
		w.t.Errorf("bit %d of byte %d: visto check panics\n%s", bit, at, out)
	}
	if err == nil {
		if after := w.says(db); after != before {
			w.t.Errorf("bit %d of byte %d of %d: not found, and the program says something else:\n%s", bit, at, len(data), firstDifference(before, after))
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(db + suffix)
	}
}

func firstDifference(before, after string) string {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			return fmt.Sprintf("was %s\nis  %s", was[i], is[i])
		}
	}
	return fmt.Sprintf("%d lines, %d lines", len(was), len(is))
}

// flipLog flips a bit of the write-ahead log that a killed process left: the database is refused, or lacks nothing that was
// confirmed.
func (w *town) flipLog() {
	folder := w.path("crashed")
	if err := os.Mkdir(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	db := filepath.Join(folder, "visto.db")
	confirmed := w.crashed(db)
	wal := []byte(read(w.t, db+"-wal"))
	at, bit := w.IntN(len(wal)), w.IntN(8)
	wal[at] ^= 1 << bit
	write(w.t, db+"-wal", string(wal))
	out, err := exec.Command(w.visto, "check", "--db", db).CombinedOutput()
	switch {
	case err != nil && (!strings.Contains(string(out), "damaged") || !strings.Contains(string(out), "hint: ")):
		w.t.Errorf("visto check: %v\n%s", err, out)
	case err == nil:
		if now := entriesOf(w.t, db); len(now) < len(confirmed) || !samePast(confirmed, now) {
			w.t.Errorf("bit %d of byte %d of %d: the log had %d entries, and %d are left of it", bit, at, len(wal), len(confirmed), len(now))
		}
	}
}

// crashed makes a copy of the database as it is after a few decisions on it whose program ended without a word. It returns the
// log as far as it was confirmed.
func (w *town) crashed(db string) []review.Entry {
	w.t.Helper()
	reader, err := sqlite.Open(context.Background(), w.db, sqlite.Options{ReadOnly: true}) // keeps the log from being folded into the file
	if err != nil {
		w.t.Fatal(err)
	}
	defer reader.Close()
	w.came(w.start(w.decide(), nil)) // so that there is something in the log
	for range 1 + w.IntN(4) {
		w.killed1(w.decide())
	}
	cmd := exec.Command("cp", w.db, w.db+"-wal", w.db+"-shm", filepath.Dir(db)) // not in this process, which holds locks on them
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
	// A program that was killed between writing its commit and telling the others of it leaves a commit that stands when the last
	// of them, which is reader, has gone.
	confirmed := w.log
	reader.Close()
	w.grown(operation{}, nil)
	return confirmed
}

// flipExport flips a bit of an exported log. Only the case of a digit of a hash says the same.
func (w *town) flipExport() {
	file := w.path("log.jsonl")
	w.run(0, strings.NewReader(""), "log", "--export", file)
	w.ok("log", "verify", "--against-database", file)
	text := []byte(read(w.t, file))
	at, was := w.IntN(len(text)), byte(0)
	was = text[at]
	text[at] ^= 1 << w.IntN(8)
	write(w.t, file, string(text))
	out, err := exec.Command(w.visto, "log", "verify", file).CombinedOutput()
	if err == nil && !strings.EqualFold(string(was), string(text[at])) {
		w.t.Errorf("byte %d, %q in the place of %q: %s", at, text[at], was, out)
	}
}
