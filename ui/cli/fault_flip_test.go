//go:build linux

package cli_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// says is the output of the program about a database, by all commands that read much.
func (w *town) says(db string) string {
	var all strings.Builder
	for _, args := range [][]string{
		{"export", "--status", "all"}, {"log", "--json", "--limit", "0"}, {"override", "list", "--json"},
		{"causes", "--json"},
		{"list", "--host", storetest.BigHost, "--sort", "host", "--limit", "300", "--json"},
		{"list", "--search", "padron", "--json", "--limit", "100"},
		{"stats", "--json"},
	} {
		cmd := exec.Command(w.visto, append(args, "--db", db)...)
		cmd.Env = w.env
		out, err := cmd.CombinedOutput()
		fmt.Fprintf(&all, "%v: %v\n%s", args, err, out)
	}
	return all.String()
}

// flipDatabase flips a bit of the database: visto check finds it, or no output changes.
func (w *town) flipDatabase() {
	db := w.path("flipped.db")
	w.copyTo(db)
	before := w.says(db)
	data := []byte(read(w.t, db))
	at, bit := w.IntN(len(data)), w.IntN(8)
	place := w.placeOf(db, data, at)
	data[at] ^= 1 << bit
	write(w.t, db, string(data))
	out, err := exec.Command(w.visto, "check", "--db", db).CombinedOutput()
	if strings.Contains(string(out), "goroutine ") {
		w.t.Errorf("bit %d of byte %d: visto check panics\n%s", bit, at, out)
	}
	if err != nil {
		w.flips["the database: found"]++
	} else {
		w.flips["the database: harmless, in "+place]++
		if after := w.says(db); after != before {
			w.t.Errorf("bit %d of byte %d of %d: not found, and the program says something else:\n%s", bit, at,
				len(data), firstDifference(before, after))
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(db + suffix)
	}
}

// placeOf names the part of the database that has the byte.
func (w *town) placeOf(file string, data []byte, at int) string {
	w.t.Helper()
	size := int(binary.BigEndian.Uint16(data[16:]))
	page, start := data[at/size*size:][:size], 0
	if at < 100 {
		return "the header of the file"
	}
	if at < size {
		start = 100
	}
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&immutable=1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	var name, kind string
	err = db.QueryRow("SELECT name, pagetype FROM dbstat WHERE pageno = ?", at/size+1).Scan(&name, &kind)
	switch {
	case err == sql.ErrNoRows:
		return "a free page"
	case err != nil:
		w.t.Fatal(err)
	case kind == "overflow":
		return "an overflow page of " + name
	case unused(page, start, at%size):
		return "unused space of a page"
	}
	return "a page of " + name
}

// unused reports whether the byte of a b-tree page is outside its cells, pointers and headers.
func unused(page []byte, start, at int) bool {
	word := func(at int) int { return int(binary.BigEndian.Uint16(page[at:])) }
	header := 8
	if page[start] == 2 || page[start] == 5 { // an inner page has one more pointer
		header = 12
	}
	content := word(start + 5)
	if content == 0 {
		content = 65536
	}
	if at >= start+header+2*word(start+3) && at < content {
		return true
	}
	for block := word(start + 1); block != 0; block = word(block) {
		if at >= block+4 && at < block+word(block+2) {
			return true
		}
	}
	return false
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

// flipLog flips a bit of the write-ahead log of a killed process. SQLite reads such a log up to the first frame with
// a wrong checksum. Either the database is refused, or visto check finds damage, or the log has the first part of the
// confirmed entries and the database agrees with it.
func (w *town) flipLog() {
	folder := w.path("crashed")
	if err := os.Mkdir(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	db := filepath.Join(folder, filepath.Base(w.db))
	confirmed := w.crashed(db)
	wal := []byte(read(w.t, db+"-wal"))
	at, bit := w.IntN(len(wal)), w.IntN(8)
	wal[at] ^= 1 << bit
	write(w.t, db+"-wal", string(wal))
	out, err := exec.Command(w.visto, "check", "--db", db).CombinedOutput()
	if strings.Contains(string(out), "goroutine ") {
		w.t.Errorf("bit %d of byte %d: visto check panics\n%s", bit, at, out)
	}
	if err != nil {
		w.flips["the write-ahead log: found"]++
		return
	}
	now := entriesOf(w.t, db)
	if n := min(len(now), len(confirmed)); !samePast(confirmed[:n], now) {
		w.t.Errorf("bit %d of byte %d of %d: other entries than were confirmed", bit, at, len(wal))
	}
	if len(now) < len(confirmed) {
		w.flips["the write-ahead log: cut off there"]++
	} else {
		w.flips["the write-ahead log: harmless"]++
	}
}

// crashed copies the database after a few decisions whose program was killed, and returns the confirmed log.
func (w *town) crashed(db string) []review.Entry {
	w.t.Helper()
	// keeps the -wal from being copied into the file
	reader, err := sqlite.Open(context.Background(), w.db, sqlite.Options{ReadOnly: true})
	if err != nil {
		w.t.Fatal(err)
	}
	defer reader.Close()
	w.came(w.start(w.decide(), nil)) // so that the -wal has content
	for range 1 + w.IntN(4) {
		w.killed1(w.decide())
	}
	// not in this process, which holds locks on them
	cmd := exec.Command("cp", w.db, w.db+"-wal", w.db+"-shm", filepath.Dir(db))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
	// A program that was killed between writing its commit and announcing it leaves a commit that comes into force
	// when the last program, the reader, has gone.
	confirmed := w.log
	reader.Close()
	w.grown(operation{}, nil)
	return confirmed
}

// flipExport flips a bit of an exported log. Only the case of a hash digit makes no difference.
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
	if err != nil {
		w.flips["an exported log: found"]++
	} else {
		w.flips["an exported log: harmless, in the case of a digit of a hash"]++
	}
	if err == nil && !strings.EqualFold(string(was), string(text[at])) {
		w.t.Errorf("byte %d, %q in the place of %q: %s", at, text[at], was, out)
	}
}
