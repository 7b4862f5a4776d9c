//go:build linux

package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/probe/testnet"
	"visto/store/storetest"
)

// killed1 kills an operation that writes one entry, and checks the outcome.
func (w *town) killed1(op operation) {
	w.t.Helper()
	w.came(w.start(op, w.killer(op)))
}

// came checks the outcome of an operation that writes one entry.
func (w *town) came(op operation) {
	w.t.Helper()
	if w.failed(op) && !nothingToUndo(op.err) {
		w.t.Fatalf("visto %v: %s", op.args, op.err)
	}
	w.grown(op, op.confirmed())
}

// nothingToUndo reports whether a command failed because there is nothing to undo or redo.
func nothingToUndo(stderr string) bool {
	return slices.ContainsFunc([]string{"not found", "take that back first", "is not undone", "is undone already"},
		func(why string) bool { return strings.Contains(stderr, why) })
}

// wal is the first file that a writer changes.
func (w *town) wal() string { return w.db + "-wal" }

func (w *town) decide() operation {
	verb := []string{"reject", "defer", "reopen"}[w.IntN(3)]
	return operation{name: "decide",
		args:  []string{verb, fmt.Sprint(1 + w.IntN(townURLs)), "--note", fmt.Sprintf("nota %d", w.IntN(100))},
		watch: w.wal()}
}

func (w *town) decideMany() operation {
	var ids strings.Builder
	for range 100 + w.IntN(400) {
		fmt.Fprintln(&ids, 1+w.IntN(townURLs))
	}
	return operation{name: "decide on many", args: []string{"defer", "-"}, stdin: ids.String(), watch: w.wal()}
}

// decideAll decides on all URLs of a filter, possibly more than fit in one transaction.
func (w *town) decideAll() operation {
	verb := []string{"defer", "reopen"}[w.IntN(2)]
	host := []string{storetest.BigHost, "*.es"}[w.IntN(2)]
	return operation{name: verb + " all", args: []string{verb, "--host", host, "--status", "all"}, watch: w.wal()}
}

// override writes a rule, half the time for more URLs than fit in one transaction, or removes one.
func (w *town) override() operation {
	host := storetest.BigHost
	if w.IntN(2) == 0 {
		host = "*.es"
	}
	if strings.Contains(w.ok("override", "list", "--json"), fmt.Sprintf("%q", host)) {
		return operation{name: "override", args: []string{"override", "remove", host}, watch: w.wal()}
	}
	rule := [][]string{{"--drop", "plaza,view,mode"}, {"--accept", "section-page,home-page"}}[w.IntN(2)]
	return operation{name: "override", args: append([]string{"override", "add", "--host", host}, rule...),
		watch: w.wal()}
}

func (w *town) undo() operation {
	verb := []string{"undo", "undo", "redo"}[w.IntN(3)]
	return operation{name: verb, args: []string{verb, "--yes"}, watch: w.wal()}
}

// recanon changes the policy to another one and back.
func (w *town) recanon() operation {
	policy := w.ok("policy", "show", "clara")
	if w.IntN(2) == 0 {
		policy = strings.Replace(policy, "max_hops: 5", "max_hops: 4", 1)
	}
	file := w.path("policy.yaml")
	write(w.t, file, policy)
	return operation{name: "recanon", args: []string{"recanon", "--policy", file, "--apply"}, watch: w.wal()}
}

// path returns the path of a new file with that name at its end.
func (w *town) path(name string) string {
	w.file++
	return filepath.Join(w.folder, fmt.Sprintf("%d-%s", w.file, name))
}

// killAdd kills an import. The first URLs of the file are there then, and no others. That a batch is there whole, with
// its log entry, is up to visto check: the size of a batch depends on how busy the machine is.
func (w *town) killAdd() {
	file := w.path("urls.txt")
	urls := make([]string, 1400)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://nuevo.gob.es/%d/tramite/%d?plaza=1", w.file, i)
	}
	write(w.t, file, strings.Join(urls, "\n"))
	op := operation{name: "add", args: []string{"add", file}, watch: w.wal()}
	op = w.start(op, w.killer(op))
	added := w.addedFrom(file)
	n := min(len(added), len(urls))
	if !slices.Equal(added, urls[:n]) || op.status == 0 && n < len(urls) || w.failed(op) {
		w.t.Errorf("%d of %d URLs were added, or others\n%s", len(added), len(urls), op.err)
	}
	w.grown(op, nil)
}

// addedFrom returns the URLs from a file, in the order of their IDs.
func (w *town) addedFrom(file string) (urls []string) {
	w.t.Helper()
	s := openStore(w.t, w.db)
	defer s.Close()
	err := s.Each(context.Background(), review.Filter{Files: []string{file}}, func(it review.Item) error {
		urls = append(urls, it.Original)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return urls
}

// killReview kills a review that gets decisions as fast as it takes them.
func (w *town) killReview() {
	w.openReview()
	cmd, stdin, said := w.review(w.db)
	defer cmd.Wait()
	io.WriteString(stdin, "d\nd\n") // always one more than it has confirmed
	confirmed, n := 0, 1+w.IntN(30)
	for confirmed < n && said.Scan() {
		if strings.Contains(said.Text(), "deferred: URL ") {
			confirmed++
			io.WriteString(stdin, "d\n")
		}
	}
	if confirmed < n {
		w.t.Fatalf("a review ended after %d of %d decisions", confirmed, n)
	}
	cmd.Process.Kill()
	w.killed++
	for said.Scan() { // confirmations before the kill count
		if strings.Contains(said.Text(), "deferred: URL ") {
			confirmed++
		}
	}
	now := w.entries()
	var batches []string
	for _, e := range now[len(w.log):min(len(w.log)+confirmed, len(now))] {
		batches = append(batches, fmt.Sprint(e.Batch))
	}
	if len(batches) < confirmed {
		w.t.Fatalf("%d decisions were confirmed, and the log has %d", confirmed, len(batches))
	}
	w.grown(operation{name: "review"}, batches)
}

// review starts a review of a database. It ends by itself after a minute, for tests that wait in vain.
func (w *town) review(db string) (cmd *exec.Cmd, stdin io.WriteCloser, said *bufio.Scanner) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	w.t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, w.visto, "review", "--plain", "--db", db)
	cmd.Env = w.env
	stdin, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	return cmd, stdin, bufio.NewScanner(stdout)
}

// openReview has URLs wait for a review, and nothing to bring back: it would ask before its first decision.
func (w *town) openReview() {
	w.t.Helper()
	w.came(w.start(operation{name: "reopen", args: []string{"reopen", "--host", "*.es", "--status", "all"}}, nil))
}

// killIndexing kills the program while it indexes new notes on many URLs for the search. The next program goes on.
func (w *town) killIndexing() {
	many := w.decideMany()
	many.args = append(many.args, "--note", fmt.Sprintf("nota %d", w.IntN(10)))
	w.came(w.start(many, nil))
	op := operation{name: "index", args: []string{"add", "-"},
		stdin: fmt.Sprintf("https://indice.gob.es/%d\n", w.file), watch: w.wal()}
	w.file++
	w.grown(w.start(op, w.killer(op)), nil)
}

// killProbe kills a probe on a database of its own. The reported results are stored, and the next probe goes on.
func (w *town) killProbe() {
	if w.probed == nil {
		w.probed = testnet.Crowd(6, 20, time.Millisecond)
		w.net = newProcess(w.t.(*testing.T), internet(w.t.(*testing.T), w.probed, testnet.Options{}))
	}
	db := w.fresh("probed.db")
	w.run(0, strings.NewReader(urlsOf(w.probed)), "add", "-", "--db", db)
	op := operation{name: "probe",
		args: slices.Concat([]string{"probe", "--rate", "0", "--json", "--db", db}, w.net.flags), watch: db + "-wal"}
	first := w.start(op, w.killer(op))
	past := entriesOf(w.t, db)
	if said := strings.Count(first.out, "\n"); len(past) < said {
		w.t.Errorf("a probe said that it was through with %d URLs, and the log has %d entries", said, len(past))
	}
	w.check(db)
	if op = w.start(op, nil); op.status != 0 {
		w.t.Errorf("the next probe: %s", op.err)
	}
	now := entriesOf(w.t, db)
	if len(now) < len(past) || !samePast(past, now) {
		w.t.Errorf("the log had %d entries and now has %d, or others", len(past), len(now))
	}
	w.check(db)
}

// killCreation kills the program while it makes a database. There is none then, or a sound one; the next program goes
// on.
func (w *town) killCreation() {
	db := w.fresh("new.db")
	op := operation{name: "create", args: []string{"add", "-", "--db", db}, stdin: "https://nuevo.gob.es/\n",
		watch: filepath.Dir(db)}
	w.start(op, w.killer(op))
	if next := w.start(op, nil); next.status != 0 {
		w.t.Errorf("the next program: %s", next.err)
	}
	w.check(db)
}

// killBackup kills a backup. There is none then, or a whole one.
func (w *town) killBackup() {
	file := w.path("backup.db")
	op := operation{name: "backup", args: []string{"backup", file}, watch: filepath.Dir(file)}
	op = w.start(op, w.killer(op))
	w.cleaned(op, filepath.Dir(file))
	if _, err := os.Stat(file); err != nil {
		if op.finished {
			w.t.Errorf("there is no backup: %s", op.err)
		}
		return
	}
	if now := entriesOf(w.t, file); len(now) != len(w.log) || !samePast(w.log, now) {
		w.t.Errorf("the backup has %d entries, the database %d", len(now), len(w.log))
	}
	w.check(file)
	w.backups = append(w.backups, file)
}

// killExport kills an export over an earlier one. The earlier one is there then, or the new one.
func (w *town) killExport() {
	file := w.path("registry.jsonl")
	const earlier = "an earlier one\n"
	write(w.t, file, earlier)
	op := operation{name: "export", args: []string{"export", "--status", "all", "-o", file}, watch: filepath.Dir(file)}
	op = w.start(op, w.killer(op))
	w.cleaned(op, filepath.Dir(file))
	text := read(w.t, file)
	whole := text != earlier && text == w.ok("export", "--status", "all")
	if !whole && (op.finished || text != earlier) {
		w.t.Errorf("the export is neither the earlier one nor whole: %d bytes", len(text))
	}
}

// cleaned checks that an operation that was not killed removed the temporary folders of killed ones.
func (w *town) cleaned(op operation, folder string) {
	w.t.Helper()
	left, err := filepath.Glob(filepath.Join(folder, ".visto-tmp-*"))
	if err != nil || op.finished && len(left) > 0 {
		w.t.Errorf("visto %v left %v behind, %v", op.args, left, err)
	}
}

// restore copies a backup to a new place, works on it there, and checks it.
func (w *town) restore() {
	if len(w.backups) == 0 {
		w.killBackup()
	}
	if len(w.backups) == 0 {
		return
	}
	backup := w.backups[w.IntN(len(w.backups))]
	past := entriesOf(w.t, backup)
	home := w.path("home")
	if err := os.Mkdir(home, 0o700); err != nil {
		w.t.Fatal(err)
	}
	db := filepath.Join(home, "visto.db")
	write(w.t, db, read(w.t, backup))
	if out := w.ok("defer", "1", "--db", db); !strings.Contains(out, "deferred 1 URL") {
		w.t.Errorf("on a restored database: %s", out)
	}
	if now := entriesOf(w.t, db); len(now) != len(past)+1 || !samePast(past, now) {
		w.t.Errorf("the backup had %d entries, and after a decision there are %d, or others", len(past), len(now))
	}
	w.check(db)
}

// killRestore kills a restore onto a database that a review is open on. The database is then either the old one, or the
// backup with the old one kept beside it. The review goes on.
func (w *town) killRestore() {
	w.openReview()
	backup, db := w.path("backup.db"), w.path("restored.db")
	for _, file := range []string{backup, db} {
		w.ok("backup", file)
	}
	w.ok("defer", "1", "--db", db)
	past, before := entriesOf(w.t, backup), entriesOf(w.t, db)

	review, stdin, said := w.review(db)
	defer review.Wait()
	defer stdin.Close()
	until(w.t, said, "URL ")

	op := operation{name: "restore", args: []string{"restore", backup, "--db", db}, watch: db + "-wal"}
	op = w.start(op, w.killer(op))
	if op.finished && op.status != 0 {
		w.t.Fatalf("visto %v: %s", op.args, op.err)
	}
	now := entriesOf(w.t, db)
	isNew := len(now) == len(past)+1 && now[len(past)].Action == "restore"
	if !isNew && (op.finished || len(now) != len(before)) || !samePast(past, now) {
		w.t.Errorf("the database had %d entries, the backup %d, and now there are %d, or others",
			len(before), len(past), len(now))
	}
	kept, err := filepath.Glob(strings.TrimSuffix(db, ".db") + "-before-restore-*.db")
	if err != nil || isNew && (len(kept) != 1 || len(entriesOf(w.t, kept[0])) != len(before)) {
		w.t.Errorf("what was before is kept as %v, %v", kept, err)
	}
	io.WriteString(stdin, "defer\n")
	until(w.t, said, "deferred: URL ")
	if after := entriesOf(w.t, db); len(after) != len(now)+1 || !samePast(now, after) {
		w.t.Errorf("after a decision the log has %d entries, before %d, or others", len(after), len(now))
	}
	w.check(db)
}

// until reads until a line with the text.
func until(t testing.TB, said *bufio.Scanner, text string) {
	t.Helper()
	for said.Scan() {
		if strings.Contains(said.Text(), text) {
			return
		}
	}
	t.Fatalf("it ended without %q: %v", text, said.Err())
}
