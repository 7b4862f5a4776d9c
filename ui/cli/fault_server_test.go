//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"visto/store/postgres"
	"visto/store/postgrestest"
)

// serverTown is a town on a PostgreSQL server behind a proxy. A fault happens at a random piece of what passes there,
// or at a commit.
type serverTown struct {
	*town
	server postgrestest.Server
	proxy  *proxy
	strike func(*os.Process)
	passed map[string]int // pieces of an undisturbed operation, by name
}

func newServerTown(t *testing.T, visto string, seed uint64) *serverTown {
	w := &serverTown{town: newTown(newProgram(t), visto, seed), server: postgrestest.NewServer(t),
		passed: map[string]int{}}
	w.proxy = newProxy(t, w.server.Dial)
	w.killer, w.fresh = w.ambush, func(string) string { return w.database() }
	return w
}

// database makes a database and returns its URL through the proxy.
func (w *serverTown) database() string {
	w.t.Helper()
	db, err := w.server.Database()
	if err != nil {
		w.t.Fatal(err)
	}
	return w.proxy.through(db)
}

// serverKinds is the number of faults at the start of faults in which each kind of fault and each kind of operation
// comes up.
const serverKinds = 13

// faults has each kind of fault meet each kind of operation.
func (w *serverTown) faults() (list []fault) {
	operations := []fault{
		{"deciding", 10, func() { w.killed1(w.decide()) }},
		{"deciding on many", 6, func() { w.killed1(w.decideMany()) }},
		{"deciding on all of a host", 8, func() { w.killed1(w.decideAll()) }},
		{"adding", 8, w.killAdd},
		{"a rule is written", 10, func() { w.killed1(w.override()) }},
		{"undoing", 8, func() { w.killed1(w.undo()) }},
		{"recanonizing", 5, func() { w.killed1(w.recanon()) }},
		{"a database is made", 6, w.killCreation},
		{"probing", 4, w.killProbe},
	}
	strikes := []struct {
		name   string
		strike func(*os.Process)
	}{
		{"connection cut", w.cut}, {"server killed", w.restart}, {"killed", func(p *os.Process) { p.Kill() }},
	}
	inReview := []fault{{"many programs at once", 5, w.crowd}, {"killed in a review", 6, w.killReview},
		{"connection cut in a review", 6, func() { w.disturbReview(w.cut) }},
		{"server killed in a review", 6, func() { w.disturbReview(w.restart) }}}
	for shift := range strikes {
		for i, op := range operations {
			s := strikes[(i+shift)%len(strikes)]
			list = append(list, fault{s.name + " while " + op.name, op.share, func() {
				w.strike = s.strike
				op.make()
				w.broke.Store(false)
			}})
		}
		if shift == 0 {
			list = append(list, inReview...)
		}
	}
	return list
}

func (w *serverTown) cut(*os.Process) {
	w.broke.Store(true)
	w.proxy.cut()
}

func (w *serverTown) restart(*os.Process) {
	w.broke.Store(true)
	if err := w.server.Restart(); err != nil {
		w.t.Error(err)
	}
}

// Only a commit has these bytes: the argument of pg_notify, and the answer to COMMIT.
var (
	commitRequest = []byte("\x00\x00\x00\x05visto")
	commitAnswer  = []byte("COMMIT\x00")
)

// ambush has the fault of the round meet an operation.
func (w *serverTown) ambush(op operation) killer {
	w.broke.Store(false)
	last := max(w.passed[op.name], 60)
	n := 1 + w.IntN(last)
	at := []func(int, []byte) bool{
		func(piece int, _ []byte) bool { return piece >= n },
		func(_ int, text []byte) bool { return bytes.Contains(text, commitRequest) },
		func(_ int, text []byte) bool { return bytes.Contains(text, commitAnswer) },
	}[w.IntN(3)]
	process := make(chan *os.Process, 1)
	w.proxy.arm(&ambush{at, func() { w.strike(<-process) }, w.IntN(2) == 0})
	return func(p *os.Process, ended <-chan struct{}) {
		process <- p
		<-ended
		if passed, undisturbed := w.proxy.disarm(); undisturbed {
			w.passed[op.name] = passed
		}
	}
}

// disturbReview lets faults happen to a review that decides. What it confirmed is there, and what failed is not, unless
// it says that it does not know.
func (w *serverTown) disturbReview(strike func(*os.Process)) {
	w.t.Helper()
	defer w.broke.Store(false)
	w.openReview()
	review, stdin, said := w.review(w.db)
	until(w.t, said, "URL ")
	confirmed, unsure := 0, 0
	for range 3 {
		n, after := w.IntN(20), w.IntN(2) == 0
		struck := make(chan struct{})
		w.proxy.arm(&ambush{func(piece int, _ []byte) bool { return piece > n }, func() {
			strike(nil)
			close(struck)
		}, after})
		for there := false; !there; {
			io.WriteString(stdin, "d\n")
			until(w.t, said, "> ") // the prompt, and the answer
			switch answer := said.Text(); {
			case strings.Contains(answer, "deferred: URL "):
				confirmed++
			case strings.Contains(answer, postgres.ErrUnknown.Error()):
				unsure++
			}
			select {
			case <-struck:
				there = true
			default:
			}
		}
	}
	stdin.Close()
	for said.Scan() {
		continue
	}
	review.Wait()
	now := w.entries()
	if n := len(now) - len(w.log); n < confirmed || n > confirmed+unsure {
		w.t.Errorf("a review confirmed %d decisions, and was unsure of %d; the log has %d", confirmed, unsure, n)
	}
	w.log, w.done, w.decided = now, w.done+confirmed, w.decided+confirmed
}

// untilAlone waits until nobody else is connected to the database: the server ends what a killed program began.
func untilAlone(t testing.TB, db string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		var others int
		err := conn.QueryRow(context.Background(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND backend_type = 'client backend'
				AND pid <> pg_backend_pid()`).Scan(&others)
		if err != nil || others > 0 && time.Now().After(end) {
			t.Fatalf("%d others are connected, %v", others, err)
		}
		if others == 0 {
			return
		}
	}
}
