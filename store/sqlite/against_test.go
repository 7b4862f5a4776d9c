//go:build unix

package sqlite_test

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

var againstRounds = flag.Int("rounds", 5, "the rounds of BenchmarkAgainst")

// BenchmarkAgainst compares adding generated URLs (storetest.Crawl) with the least work that could do it, in
// interleaved rounds, by the clock and by the processor's time. The index of the search, which follows in the
// background, is left out. Into a new database: C SQLite (the command sqlite3) writes the same rows of all tables and
// builds the same indexes afterwards. Into one with as many URLs: a loop over a prepared statement of the same driver
// writes the same rows into the same table item with the same indexes, in transactions of 8,000.
//
//	VISTO_BENCH_ROWS=1000000 go test ./store/sqlite -run xxx -bench Against -benchtime 1x -timeout 0
func BenchmarkAgainst(b *testing.B) {
	a := against{B: b, dir: b.TempDir(), n: storetest.Rows(b)}
	var news, grown ratios
	for range *againstRounds {
		visto, file := a.addNew()
		news.add(a, "new database", visto, a.plainC(file))
		more, full := a.addMore(file)
		grown.add(a, "as many again", more, a.plainLoop(file, full))
	}
	news.report(b, "new")
	grown.report(b, "grown")
}

// cost is the time of one of the two.
type cost struct{ clock, cpu time.Duration }

func (c cost) String() string {
	return fmt.Sprintf("%.1f s (%.1f cpu-s)", c.clock.Seconds(), c.cpu.Seconds())
}

// ratios are those of the rounds.
type ratios struct{ clock, cpu []float64 }

func (r *ratios) add(a against, name string, visto, plain cost) {
	a.Logf("%s, %d URLs: visto %v, plain %v", name, a.n, visto, plain)
	r.clock = append(r.clock, float64(visto.clock)/float64(plain.clock))
	r.cpu = append(r.cpu, float64(visto.cpu)/float64(plain.cpu))
}

func (r *ratios) report(b *testing.B, name string) {
	for unit, list := range map[string][]float64{"clock": r.clock, "cpu": r.cpu} {
		slices.Sort(list)
		b.Logf("%s, %s: %.2f times, from %.2f to %.2f", name, unit, list[len(list)/2], list[0], list[len(list)-1])
		b.ReportMetric(list[len(list)/2], name+"-"+unit+"-ratio")
	}
}

type against struct {
	*testing.B
	dir string
	n   int
}

// measure returns the cost of fn in this process.
func (a against) measure(fn func()) cost {
	start, used := time.Now(), processorTime(a.B)
	fn()
	return cost{time.Since(start), processorTime(a.B) - used}
}

// file returns the path of a database that is not there.
func (a against) file(name string) string {
	path := filepath.Join(a.dir, name)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(path + suffix)
	}
	return path
}

func (a against) addNew() (cost, string) {
	path := a.file("new.db")
	return a.measure(func() { a.addTo(path, 1) }), path
}

// addMore adds to a copy of the database, and returns the copy.
func (a against) addMore(file string) (cost, string) {
	path := a.file("more.db")
	a.copy(file, path)
	return a.measure(func() { a.addTo(path, 2) }), path
}

func (a against) copy(from, to string) {
	data, err := os.ReadFile(from)
	must(a.B, err)
	must(a.B, os.WriteFile(to, data, 0o600))
}

func (a against) addTo(path string, seed uint64) {
	s, err := sqlite.Open(a.Context(), path, sqlite.Options{Create: true})
	must(a.B, err)
	must(a.B, sqlite.LeaveSearch(a.Context(), s))
	d, err := review.Open(a.Context(), s, "ana", nil)
	must(a.B, err)
	_, err = d.Add(a.Context(), review.Input{}, storetest.Crawl(seed, a.n))
	must(a.B, err)
	must(a.B, s.Close())
}

// plainC has C SQLite write the rows of the database, and build its indexes.
func (a against) plainC(file string) cost {
	path := a.file("plain.db")
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	must(a.B, err)
	defer db.Close()
	script := fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; "+
		"PRAGMA temp_store = MEMORY; ATTACH '%s' AS src; BEGIN;\n", file)
	for _, t := range a.texts(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' "+
		"AND name NOT LIKE 'sqlite%'") {
		columns := strings.Join(a.texts(db, "SELECT name FROM pragma_table_info('"+t+"')"), ", ")
		script += strings.Join(a.texts(db, "SELECT sql FROM sqlite_schema WHERE name = '"+t+"'"), "") +
			fmt.Sprintf(";\nINSERT INTO main.%s (%s) SELECT %[2]s FROM src.%[1]s;\n", t, columns)
	}
	script += "COMMIT;\n" + strings.Join(a.texts(db, "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql > ''"),
		";\n") + ";\n"
	cmd := exec.Command("sqlite3", "-bail", path)
	cmd.Stdin = strings.NewReader(script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		a.Fatalf("sqlite3: %v\n%s", err, out.Bytes())
	}
	return cost{time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

func (a against) texts(db *sql.DB, query string) (list []string) {
	rows, err := db.Query(query)
	must(a.B, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(a.B, rows.Scan(&text))
		list = append(list, text)
	}
	return list
}

// plainLoop inserts the rows of full that are not in file into a copy of file. Reading them is not measured.
func (a against) plainLoop(file, full string) (total cost) {
	const perTx = 8000
	path := a.file("loop.db")
	a.copy(file, path)
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(FULL)&_pragma=cache_size(-65536)")
	must(a.B, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	source, err := sql.Open("sqlite", "file:"+full+"?mode=ro")
	must(a.B, err)
	defer source.Close()
	columns := a.texts(source, "SELECT name FROM pragma_table_info('item')")
	for {
		rows := a.rows(source, columns, a.newest(db), perTx)
		if len(rows) == 0 {
			return total
		}
		c := a.measure(func() { insertRows(a.B, db, columns, rows) })
		total.clock, total.cpu = total.clock+c.clock, total.cpu+c.cpu
	}
}

func (a against) newest(db *sql.DB) (id int64) {
	must(a.B, db.QueryRow("SELECT coalesce(max(id), 0) FROM item").Scan(&id))
	return id
}

// rows reads the values of items after an ID.
func (a against) rows(db *sql.DB, columns []string, after int64, n int) (list [][]any) {
	rows, err := db.Query("SELECT "+strings.Join(columns, ", ")+" FROM item WHERE id > ? ORDER BY id LIMIT ?", after, n)
	must(a.B, err)
	defer rows.Close()
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		must(a.B, rows.Scan(into...))
		list = append(list, values)
	}
	return list
}

func insertRows(b *testing.B, db *sql.DB, columns []string, rows [][]any) {
	tx, err := db.Begin()
	must(b, err)
	insert, err := tx.Prepare("INSERT INTO item (" + strings.Join(columns, ", ") + ") VALUES (" +
		strings.Repeat("?, ", len(columns)-1) + "?)")
	must(b, err)
	for _, row := range rows {
		_, err := insert.Exec(row...)
		must(b, err)
	}
	must(b, tx.Commit())
}
