//go:build linux

package cli_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"visto/canon"
	"visto/review"
	"visto/store/postgrestest"
	"visto/store/storetest"
)

var tablePresses = flag.Int("presses", 60, "how often BenchmarkTable presses each key")

// BenchmarkTable measures the speeds that depend on the store, on SQLite and on a PostgreSQL server that it starts: the
// console on the generated database, a decision, the effect of a rule, and adding as many URLs as are there. The report
// has a column for each store:
//
//	go test ./ui/cli -run xxx -bench Table -timeout 0 | tee table.txt
//	benchstat -col /store table.txt
//
// cpu-ms/op is the processor time of visto. server-cpu-ms/op and fsyncs/op are of the server, with its work in the
// background. MB is the largest memory of visto alone.
func BenchmarkTable(b *testing.B) {
	onStores(b, func(b *testing.B, t *table) {
		b.Run("start", t.start)
		b.Run("key", t.keys)
		b.Run("decide", t.decide)
		b.Run("effect", t.effect)
		b.Run("add/grown", func(b *testing.B) { t.add(b, t.db, 2) })
		b.Run("add/new", func(b *testing.B) { t.add(b, t.empty(b), 1) })
	})
}

// table is a copy of the generated database on one of the stores.
type table struct {
	visto, db string
	server    *postgrestest.Server // nil: SQLite
}

// onStores runs a benchmark on SQLite and on PostgreSQL.
func onStores(b *testing.B, run func(*testing.B, *table)) {
	visto, generated := benchProgram(b)
	b.Run("store=SQLite", func(b *testing.B) {
		t := &table{visto: visto}
		t.db = t.empty(b)
		text, err := os.ReadFile(generated)
		noError(b, err)
		noError(b, os.WriteFile(t.db, text, 0o600))
		run(b, t)
	})
	b.Run("store=PostgreSQL", func(b *testing.B) {
		server := postgrestest.NewServer(b)
		t := &table{visto: visto, server: &server}
		t.db = t.empty(b)
		t.run(b, "copy", "--from", generated, "--to", t.db)
		run(b, t)
	})
}

// empty returns the name of a database that is still to make, or is empty.
func (t *table) empty(b *testing.B) string {
	if t.server == nil {
		return filepath.Join(b.TempDir(), "visto.db")
	}
	db, err := t.server.Database()
	noError(b, err)
	return db
}

func (t *table) run(b *testing.B, args ...string) {
	cmd := exec.Command(t.visto, args...)
	cmd.Env = []string{"HOME=" + filepath.Dir(t.visto), "VISTO_REVIEWER=ana"}
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("visto %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// desk opens a database until the benchmark ends.
func (t *table) desk(b *testing.B, db string) *review.Desk {
	s := openStore(b, db)
	b.Cleanup(func() { s.Close() })
	d, err := review.Open(b.Context(), s, "ana", nil)
	noError(b, err)
	return d
}

// decide writes one decision durably.
func (t *table) decide(b *testing.B) {
	d := t.desk(b, t.db)
	list, err := d.Page(b.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 1)
	noError(b, err)
	kinds, i := []review.Kind{review.Approve, review.Reject}, 0
	synced := t.synced(b)
	t.loop(b, func() {
		r, err := d.Decide(b.Context(), review.Choice{Kind: kinds[i%2]}, review.Target{ID: list[0].ID})
		noError(b, err)
		if r.Decided != 1 {
			b.Fatalf("%+v", r)
		}
		i++
	})
	if t.server != nil {
		b.ReportMetric(float64(t.synced(b)-synced)/float64(b.N), "fsyncs/op")
	}
}

// synced returns how often the server has written its log to the disk.
func (t *table) synced(b *testing.B) (n int64) {
	if t.server == nil {
		return 0
	}
	time.Sleep(11 * time.Second) // an idle process of the server reports within ten
	conn, err := pgx.Connect(b.Context(), t.db)
	noError(b, err)
	defer conn.Close(b.Context())
	noError(b, conn.QueryRow(b.Context(), "SELECT wal_sync FROM pg_stat_wal").Scan(&n))
	return n
}

// effect computes the effect of a rule for the host with a tenth of the URLs: a rule for few of them, and one that
// moves all of them to another host; and of a rule for a field with a third of the URLs.
func (t *table) effect(b *testing.B) {
	d := t.desk(b, t.db)
	host, field := canon.Match{Host: storetest.BigHost}, canon.Match{Field: "url"}
	for _, c := range []struct {
		name string
		rule canon.Override
	}{
		{"few change", canon.Override{Match: host, DropQueryParams: []string{"plaza"}}},
		{"all change", canon.Override{Match: host, CanonicalHost: "www.grande.gob.es"}},
		{"field", canon.Override{Match: field, Accept: []string{"unknown-param"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			t.loop(b, func() {
				e, err := d.Effect(b.Context(), []review.OverrideChange{{After: &c.rule}}, nil)
				noError(b, err)
				if e.Total < storetest.Rows(b)/11 {
					b.Fatal("only ", e.Total)
				}
			})
		})
	}
}

// add adds as many URLs as the generated database has, with the index of the search: once, as they are many.
func (t *table) add(b *testing.B, db string, seed uint64) {
	t.run(b, "add", "--db", db, os.DevNull) // makes the tables
	d := t.desk(b, db)
	t.loop(b, func() {
		_, err := d.Add(b.Context(), review.Input{}, storetest.Corpus(seed, storetest.Rows(b)))
		noError(b, err)
	})
}

// loop is b.Loop, and reports processor time, which other programs on the machine disturb less than wall time.
func (t *table) loop(b *testing.B, fn func()) {
	own, server := ownTime(b), t.serverTime(b)
	for b.Loop() {
		fn()
	}
	t.reportTime(b, ownTime(b)-own, t.serverTime(b)-server)
}

func (t *table) reportTime(b *testing.B, own, server time.Duration) {
	b.ReportMetric(float64(own.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	if t.server != nil {
		b.ReportMetric(float64(server.Microseconds())/1000/float64(b.N), "server-cpu-ms/op")
	}
}

func ownTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	noError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// serverTime returns the processor time of all processes of the server so far.
func (t *table) serverTime(b *testing.B) (sum time.Duration) {
	if t.server == nil {
		return 0
	}
	const tick = 10 * time.Millisecond // of /proc
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	noError(b, err)
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		times := fields[11:13] // user and system
		switch strconv.Itoa(t.server.Pid()) {
		case strconv.Itoa(pid):
			times = fields[11:15] // and those of the children that ended
		case string(fields[1]):
		default:
			continue
		}
		for _, f := range times {
			n, err := strconv.Atoi(string(f))
			noError(b, err)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}
