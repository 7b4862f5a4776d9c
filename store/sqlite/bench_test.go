//go:build unix

package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/health"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// benchFile is the generated database that the benchmarks share.
func benchFile(b *testing.B) string {
	b.Helper()
	return storetest.Generated(b, func(path string, n int) { fill(b, path, n) })
}

// benchDesk opens the generated database.
func benchDesk(b *testing.B) *review.Desk {
	b.Helper()
	d := deskOn(b, benchFile(b))
	must(b, d.Maintain(b.Context()))
	return d
}

// loop is b.Loop, and reports processor time, which other programs on the machine disturb less than wall time.
func loop(b *testing.B, fn func()) {
	b.Helper()
	start := processorTime(b)
	for b.Loop() {
		fn()
	}
	b.ReportMetric(float64((processorTime(b)-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func deskOn(b *testing.B, path string) *review.Desk {
	b.Helper()
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{Create: true})
	must(b, err)
	b.Cleanup(func() { s.Close() })
	d, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	return d
}

// fill makes a new database of n generated URLs.
func fill(b *testing.B, path string, n int) {
	b.Helper()
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.Fatal(err)
		}
	}
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{Create: true})
	must(b, err)
	d, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	_, err = d.Add(b.Context(), review.Input{}, storetest.Corpus(1, n))
	must(b, err)
	must(b, s.Close())
}

// BenchmarkDriver is a yardstick for adding: it inserts as many rows as wide as those of the generated URLs by prepared
// statements through the driver alone, with three indexes. It does so in transactions small enough for others to work,
// and in ones as large as adding makes while nobody else is at work.
func BenchmarkDriver(b *testing.B) {
	n := storetest.Rows(b)
	for _, rows := range []int{500, sqlite.MaxChunk} {
		b.Run(fmt.Sprint(rows, " a transaction"), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "plain.db")
			loop(b, func() {
				os.Remove(path)
				insertPlain(b, path, n, rows)
			})
			reportRows(b, path, n)
		})
	}
}

func reportRows(b *testing.B, path string, n int) {
	info, err := os.Stat(path)
	must(b, err)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
	b.ReportMetric(float64(info.Size())/float64(n), "B/row")
}

// insertPlain inserts the generated URLs, perTx rows a transaction.
func insertPlain(b *testing.B, path string, n, perTx int) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(FULL)&_pragma=cache_size(-65536)")
	must(b, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, original TEXT, canonical TEXT, title TEXT,
		position TEXT, host INTEGER,
		status INTEGER, flags INTEGER, original_key BLOB, page_key BLOB);
		CREATE UNIQUE INDEX item_original ON item (original_key);
		CREATE INDEX item_page ON item (page_key);
		CREATE INDEX item_host ON item (host, id, status, flags)`)
	must(b, err)
	var tx *sql.Tx
	var insert *sql.Stmt
	i := 0
	must(b, storetest.Corpus(1, n)(func(f review.Found) error {
		if i%perTx == 0 {
			if tx != nil {
				must(b, tx.Commit())
			}
			tx, err = db.Begin()
			must(b, err)
			insert, err = tx.Prepare("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
			must(b, err)
		}
		i++
		key := sum([]byte(f.URL))
		_, err := insert.Exec(i, f.URL, f.URL, f.Title, f.Place.Line, i/50, 0, i%7, key[:16], key[16:])
		return err
	}))
	must(b, tx.Commit())
}

// BenchmarkOpen does the console's work before its first frame: opening the file and the desk, the first page, the
// totals.
func BenchmarkOpen(b *testing.B) {
	path := benchFile(b)
	deskOn(b, path)
	loop(b, func() {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		must(b, err)
		d, err := review.Open(b.Context(), s, "ana", nil)
		must(b, err)
		_, err = d.Page(b.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 100)
		must(b, err)
		_, err = d.Totals(b.Context())
		must(b, err)
		must(b, s.Close())
	})
}

// queries are the queries of keys, by name. Each opens a page, turns pages, or counts.
var (
	openOnly = review.Filter{Open: true}
	several  = review.Filter{Open: true, Flags: canon.SetOf(canon.UnknownParam, canon.NoSpanish),
		Files: []string{"crawl-3.jsonl", "crawl-7.jsonl"},
		Not:   review.Values{Flags: canon.SetOf(canon.BrokenEncoding)}}
	bigHost   = review.Filter{Open: true, Hosts: []string{storetest.BigHost}}
	suffix    = review.Filter{Open: true, Hosts: []string{"*.gob.es"}}
	notHost   = review.Filter{Open: true, Not: review.Values{Hosts: []string{storetest.BigHost}}}
	notSuffix = review.Filter{Open: true, Not: review.Values{Hosts: []string{"*7.gob.es"}}}
	rare      = review.Filter{Open: true, Flags: canon.SetOf(canon.HomePage), Files: []string{"crawl-11.jsonl"}}
)

// BenchmarkPage reads pages of 100 one after the other, like page down.
func BenchmarkPage(b *testing.B) {
	d := benchDesk(b)
	for _, c := range []struct {
		name string
		q    review.Query
	}{
		{"open", review.Query{Filter: openOnly}}, {"open by host", review.Query{Filter: openOnly, Sort: review.ByHost}},
		{"open by URL", review.Query{Filter: openOnly, Sort: review.ByURL}},
		{"open by status", review.Query{Filter: openOnly, Sort: review.ByStatus}},
		{"open by flags", review.Query{Filter: openOnly, Sort: review.ByFlags}},
		{"open by doubt", review.Query{Filter: openOnly, Sort: review.ByDoubt}},
		{"open, most doubtful", review.Query{Filter: openOnly, Sort: review.ByDoubt, Desc: true}},
		{"big host", review.Query{Filter: bigHost}}, {"big host by URL", review.Query{Filter: bigHost,
			Sort: review.ByURL}},
		{"suffix", review.Query{Filter: suffix}}, {"several", review.Query{Filter: several}},
		{"several by URL", review.Query{Filter: several, Sort: review.ByURL}},
		{"rare", review.Query{Filter: rare}}, {"rare by URL", review.Query{Filter: rare, Sort: review.ByURL}},
		{"search common", searchFor("padron")}, {"search uncommon", searchFor("ayto77.gob")},
		{"search nothing", searchFor("dronpa")},
		{"search common by URL", review.Query{Filter: searchFor("padron").Filter, Sort: review.ByURL}},
		{"search one", searchFor("-123456")}, {"search two letters", searchFor("zz")},
	} {
		b.Run(c.name, func(b *testing.B) {
			var from *review.Cursor
			loop(b, func() {
				list, err := d.Page(b.Context(), c.q, from, 100)
				must(b, err)
				if from = nil; len(list) > 0 {
					from = c.q.After(&list[len(list)-1])
				}
			})
		})
	}
}

func searchFor(text string) review.Query {
	return review.Query{Filter: review.Filter{Open: true, Search: text}}
}

// BenchmarkCount counts the items of a filter, in total and by each dimension.
func BenchmarkCount(b *testing.B) {
	d := benchDesk(b)
	for name, f := range map[string]review.Filter{"all": {}, "open": openOnly, "several": several,
		"big host": bigHost, "suffix": suffix,
		"not a host": notHost, "not a suffix": notSuffix,
		"search common": searchFor("padron").Filter, "search uncommon": searchFor("ayto77.gob").Filter} {
		b.Run("count/"+name, func(b *testing.B) {
			loop(b, func() {
				_, err := d.Count(b.Context(), f)
				must(b, err)
			})
		})
		b.Run("facets/"+name, func(b *testing.B) {
			loop(b, func() {
				_, err := d.Facets(b.Context(), f)
				must(b, err)
			})
		})
	}
	b.Run("totals", func(b *testing.B) {
		loop(b, func() {
			_, err := d.Totals(b.Context())
			must(b, err)
		})
	})
	b.Run("stats", func(b *testing.B) {
		loop(b, func() {
			_, err := d.Stats(b.Context())
			must(b, err)
		})
	})
	b.Run("causes", func(b *testing.B) {
		loop(b, func() {
			_, err := cause.List(b.Context(), d, review.Filter{})
			must(b, err)
		})
	})
}

// BenchmarkContents stores the contents of 10,000 pages, each in a transaction of its own as a probe does, and reports
// the size of their tables and indexes.
func BenchmarkContents(b *testing.B) {
	const n = 10_000
	pages := storetest.Pages(1, n)
	for b.Loop() {
		b.StopTimer()
		path := filepath.Join(b.TempDir(), "visto.db")
		fill(b, path, n)
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		must(b, err)
		b.StartTimer()
		for i, page := range pages {
			readPage(b, s, int64(i+1), *page)
		}
		b.StopTimer()
		must(b, s.Close())
		b.ReportMetric(float64(sizeOf(b, path, "content"))/n, "B/page")
		b.StartTimer()
	}
	var text int
	for _, page := range pages {
		text += len(page.Text)
	}
	b.ReportMetric(float64(text)/n, "text-B/page")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/page")
}

// BenchmarkLinks gives each generated URL a history of 30 checks, reports the size of the histories, and measures how
// long one more check of a URL takes, each in a transaction of its own. The database stays beside the generated one, as
// links/ with the same name, for other benchmarks: VISTO_BENCH_DIR=.../links.
func BenchmarkLinks(b *testing.B) {
	const checks = 30
	n := storetest.Rows(b)
	path := linkedFile(b, n, checks)
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
	must(b, err)
	defer s.Close()
	sketches := sketchesOf(64)
	settings, i := usual(b), 0
	loop(b, func() {
		i = i%n + 1
		record, err := s.LinkRecord(b.Context(), int64(i))
		must(b, err)
		record.Add(checkAt(sketches, i, record.Last().At.Add(24*time.Hour)), 0, settings)
		must(b, s.KeepChecks(b.Context(), []review.ItemEvidence{{ID: int64(i), Link: record}}))
	})
	b.ReportMetric(float64(sizeOf(b, path, "link_history"))/float64(n), "B/URL")
}

// BenchmarkDue lists the links that are due an hour after the last checks: one in a hundred and fifty.
func BenchmarkDue(b *testing.B) {
	const checks = 30
	n := storetest.Rows(b)
	s, err := sqlite.Open(b.Context(), linkedFile(b, n, checks), sqlite.Options{})
	must(b, err)
	defer s.Close()
	desk, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	jobs := 0
	loop(b, func() {
		due, _, err := desk.DueLinks(b.Context(), review.Filter{}, time.Date(2026, 1, checks, 5, 0, 0, 0, time.UTC),
			review.DueOptions{})
		must(b, err)
		jobs = len(due)
	})
	b.ReportMetric(float64(jobs), "jobs")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/URL")
}

// linkedFile returns the path of the generated database in which each URL has checks.
func linkedFile(b *testing.B, n, checks int) string {
	b.Helper()
	from := benchFile(b)
	path := filepath.Join(filepath.Dir(from), "links", filepath.Base(from))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	must(b, os.MkdirAll(filepath.Dir(path), 0o700))
	data, err := os.ReadFile(from)
	must(b, err)
	must(b, os.WriteFile(path+".new", data, 0o600))
	s, err := sqlite.Open(b.Context(), path+".new", sqlite.Options{})
	must(b, err)
	sketches, settings := sketchesOf(64), usual(b)
	for first := 1; first <= n; first += 5000 {
		var list []review.ItemEvidence
		for id := first; id <= min(n, first+4999); id++ {
			list = append(list, review.ItemEvidence{ID: int64(id), Link: history(sketches, id, checks, settings)})
		}
		must(b, s.KeepChecks(b.Context(), list))
	}
	must(b, s.Close())
	must(b, os.Rename(path+".new", path))
	return path
}

// history returns the history of a URL that was checked every day.
func history(sketches []health.Sketch, id, checks int, s health.Settings) *health.Record {
	var r health.Record
	for i := range checks {
		r.Add(checkAt(sketches, id, time.Date(2026, 1, 1+i, 3, id%60, 0, 0, time.UTC)), 0, s)
	}
	return &r
}

// checkAt returns a check. One URL in fifty fails for three days of each month, and one in twenty has redirects; the
// text changes every ten days.
func checkAt(sketches []health.Sketch, id int, at time.Time) health.Observation {
	c := health.Check{At: at, Status: 200, Took: time.Duration(100+(id*at.Day())%900) * time.Millisecond,
		Certificate: at.Truncate(90 * 24 * time.Hour).Add(120 * 24 * time.Hour)}
	if id%50 == 0 && at.Day() > 12 && at.Day() < 16 {
		c.Status, c.Outcome = 503, health.Failed
		return health.Observation{Check: c}
	}
	version := id + at.YearDay()/10
	c.Text = uint64(version) * 0x9E3779B97F4A7C15
	page := health.Page{Title: fmt.Sprintf("Ayudas al alquiler de vivienda %d", id),
		Sketch: sketches[version%len(sketches)]}
	if id%20 == 0 {
		page.Hops = []string{fmt.Sprintf("https://sede.ejemplo.gob.es/tramites/ayuda-al-alquiler-%d", id)}
		c.Hops = 1
	}
	return health.Observation{Check: c, Page: &page}
}

// sketchesOf returns sketches of generated pages.
func sketchesOf(n int) (list []health.Sketch) {
	for _, page := range storetest.Pages(1, n) {
		list = append(list, health.SketchOf(page.Title, page.Text))
	}
	return list
}

func usual(b testing.TB) health.Settings {
	p, err := canon.Builtin(canon.DefaultPolicy)
	must(b, err)
	return health.SettingsOf(p)
}

// BenchmarkHistory packs the history of a URL after one and two years of checks, by the priority of its record, and
// reports its size.
func BenchmarkHistory(b *testing.B) {
	sketches, settings := sketchesOf(64), usual(b)
	for _, c := range []struct {
		priority string
		days     int
	}{{"P0", 1}, {"P1", 7}, {"P2", 30}} {
		for years := 1; years <= 2; years++ {
			b.Run(fmt.Sprintf("%s, %d years", c.priority, years), func(b *testing.B) {
				var r health.Record
				for day := 0; day < 365*years; day += c.days {
					r.Add(checkAt(sketches, 1, time.Date(2026, 1, 1+day, 3, 0, 0, 0, time.UTC)), 0, settings)
				}
				for b.Loop() {
					r.Pack()
				}
				b.ReportMetric(float64(len(r.Pack())), "B/URL")
				b.ReportMetric(float64(len(r.Checks)), "checks")
			})
		}
	}
}

// sizeOf returns the size of the tables and indexes whose names have a word.
func sizeOf(b *testing.B, path, word string) (bytes int64) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(b, err)
	defer db.Close()
	must(b, db.QueryRow("SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%' || ? || '%'", word).Scan(&bytes))
	return bytes
}
