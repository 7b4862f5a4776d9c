package cli_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"visto/canon/suite"
	"visto/store/postgrestest"
	"visto/ui/cli"
)

// column is a column of a table, with the type that the database gives it.
type column struct{ table, name, kind string }

// damages are values that no program of ours wrote, as SQL, by the type of a column: of another size, of another type,
// and none. The plain run takes one for each column in turn. The database refuses some of them.
var damages = map[string][]string{
	"TEXT":    {"'x'", "'x' || hex(zeroblob(50000))", "CAST(x'ff00' AS TEXT)", "5", "''", "NULL"},
	"INTEGER": {"200", "-1", "9223372036854775807", "'zz'", "NULL"},
	"BLOB":    {"x'00'", "zeroblob(100000)", "'zz'", "x''", "NULL"},
	"bytea":   {`'\x78'`, `decode(repeat('78', 50000), 'hex')`, `'\xff00'`, "''", "NULL"},
	"text":    {"'x'", "repeat('x', 50000)", "''", "NULL"},
	"bigint":  {"200", "-1", "9223372036854775807", "NULL"},
	"integer": {"200", "-1", "2147483647", "NULL"},
	"boolean": {"NOT %s", "NULL"},

	// of the tables of the migrations
	"TIMESTAMP": {"'x'", "200", "NULL"}, "timestamp without time zone": {"'infinity'", "NULL"},
}

// readers are the commands that read a database.
func readers(copied string) [][]string {
	return [][]string{
		{"export", "--status", "all"}, {"check"}, {"show", "1"},
		{"list", "--status", "all", "--json"}, {"show", "2", "--json"}, {"log", "--json"}, {"stats"}, {"causes"},
		{"suggest"}, {"health"}, {"override", "list"}, {"override", "export"}, {"check", "--replay"},
		{"log", "--export", copied + ".log"}, {"list", "--search", "gob"}, {"candidates"}, {"copy", "--to", copied},
	}
}

// endsWithin is how long a command may take on a database with damage. It is many times what one takes on a loaded
// machine.
const endsWithin = time.Minute

// reads runs the command whose turn it is on a damaged database: it succeeds or fails with a reason, and is not at
// fault and does not wait.
func (p *program) reads(turn int, db, damage string) {
	p.t.Helper()
	list := readers(filepath.Join(p.t.TempDir(), "copy.db"))
	args := list[turn%len(list)]
	name := "--db"
	if args[0] == "copy" {
		name = "--from"
	}
	var out, errs strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- cli.Run(append(args, name, db), strings.NewReader(""), &out, &errs, p.env)
	}()
	select {
	case got := <-status:
		if strings.Contains(errs.String(), "a fault in visto") || got != 0 && errs.Len() == 0 {
			p.t.Errorf("%s: visto %s: exit status %d\n%s", damage, strings.Join(args, " "), got, errs.String())
		}
	case <-time.After(endsWithin):
		p.t.Fatalf("%s: visto %s does not end", damage, strings.Join(args, " "))
	}
}

// chosen returns the damages of a column: all, or the one whose turn it is.
func (c column) chosen(t *testing.T, turn int) []string {
	all := damages[c.kind]
	if len(all) == 0 {
		t.Fatalf("%v: no damages for its type", c)
	}
	if suite.All() {
		return all
	}
	return all[turn%len(all) : turn%len(all)+1]
}

// filledProgram is a program with a row in nearly every table.
func filledProgram(t *testing.T) *program {
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	p.ok("override", "add", "--host", "www.boe.es", "--accept", "home-page")
	p.ok("assign", "--to", "ana")
	p.ok("note", "1", "hola")
	return p
}

// TestDamagedColumns: one damaged value in any column of any table ends in an error, or in the right answer. The
// columns are those of the schema.
func TestDamagedColumns(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := filledProgram(t)
	whole, err := os.ReadFile(p.db)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for turn, c := range fileColumns(t, p.db) {
		for _, value := range c.chosen(t, turn) {
			path := filepath.Join(filepath.Dir(p.db), "damaged.db")
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			if damageFile(t, path, c, value) {
				p.reads(n, path, fmt.Sprintf("%s.%s = %s", c.table, c.name, value))
				n++
			}
		}
	}
}

// openDamaging opens a file of SQLite without the guards that keep its values right.
func openDamaging(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=ignore_check_constraints(1)&_pragma=foreign_keys(0)&"+
		"_pragma=journal_mode(DELETE)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// fileColumns returns the columns of all tables of a file but those of its search.
func fileColumns(t *testing.T, path string) (list []column) {
	t.Helper()
	db := openDamaging(t, path)
	defer db.Close()
	rows, err := db.Query(`SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.sql NOT LIKE '%VIRTUAL%' AND
		NOT EXISTS (SELECT 1 FROM sqlite_schema v WHERE v.sql LIKE '%VIRTUAL%' AND m.name LIKE v.name || '_%')
		ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.table, &c.name, &c.kind); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := cmp.Or(rows.Err(), rows.Close()); err != nil || len(list) < 150 {
		t.Fatalf("%d columns, %v", len(list), err)
	}
	return list
}

// damageFile damages the values of a column in one row, and reports whether there is one, and the database takes it.
func damageFile(t *testing.T, path string, c column, value string) bool {
	t.Helper()
	db := openDamaging(t, path)
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	triggers := map[string]string{}
	rows, err := tx.Query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		triggers[name] = text
	}
	for name := range triggers {
		if _, err := tx.Exec("DROP TRIGGER " + name); err != nil {
			t.Fatal(err)
		}
	}
	done, err := tx.Exec(fmt.Sprintf("UPDATE %s SET %s = %s WHERE %[2]s IS (SELECT %[2]s FROM %[1]s "+
		"ORDER BY %[2]s IS NULL LIMIT 1)", quoted(c.table), quoted(c.name), value))
	if err != nil {
		return false
	}
	for _, text := range triggers {
		if _, err := tx.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	n, err := done.RowsAffected()
	return err == nil && n > 0
}

func quoted(name string) string { return `"` + name + `"` }

// TestDamagedColumnsOnPostgreSQL is TestDamagedColumns on a server.
func TestDamagedColumnsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	p, url := filledProgram(t), postgrestest.Database(t)
	p.ok("copy", "--from", p.db, "--to", url)
	conn, ctx := connect(t, url), context.Background()
	if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil { // no triggers, no references
		t.Fatal(err)
	}
	rows, err := conn.Query(ctx, `SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
		JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = current_schema AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c column, err error) {
		return c, row.Scan(&c.table, &c.name, &c.kind)
	})
	if err != nil || len(list) < 150 {
		t.Fatalf("%d columns, %v", len(list), err)
	}
	n := 0
	for turn, c := range list {
		for _, value := range c.chosen(t, turn) {
			if strings.Contains(value, "%s") {
				value = fmt.Sprintf(value, quoted(c.name))
			}
			var was, row any
			find := fmt.Sprintf("SELECT %s, ctid FROM %s ORDER BY %[1]s IS NULL LIMIT 1", quoted(c.name), quoted(c.table))
			if conn.QueryRow(ctx, find).Scan(&was, &row) != nil {
				continue // no row
			}
			set := fmt.Sprintf("UPDATE %s SET %s = %%s WHERE ctid = $1 RETURNING ctid", quoted(c.table), quoted(c.name))
			if conn.QueryRow(ctx, fmt.Sprintf(set, value), row).Scan(&row) != nil {
				continue // the server refuses the value
			}
			p.reads(n, url, fmt.Sprintf("%s.%s = %s", c.table, c.name, value))
			n++
			if _, err := conn.Exec(ctx, fmt.Sprintf(set, "$2"), row, was); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The error names the URL and the column.
func TestDamageIsNamed(t *testing.T) {
	t.Parallel()
	p := filledProgram(t)
	whole, err := os.ReadFile(p.db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ column, value, says string }{
		{"unknown", "'x'", `column i.unknown holds "x": no names between two &`},
		{"verdict", "200", `column i.verdict holds "200"`},
		{"status", "-1", `column i.status holds "-1"`},
		{"page_key", "x'00'", `column i.page_key holds "[0]"`},
		{"flags", "-1", `column i.flags holds "-1"`},
		{"link", "9223372036854775807", `column i.link holds "9223372036854775807"`},
		{"batch_id", "999", `column d.batch_id holds "<nil>"`},
	} {
		if err := os.WriteFile(p.db, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if !damageFile(t, p.db, column{"item", c.column, ""}, c.value) {
			t.Fatalf("%s is not damaged", c.column)
		}
		_, errs := p.run(1, strings.NewReader(""), "export", "--status", "all")
		if !strings.Contains(errs, ": URL ") || !strings.Contains(errs, c.says) ||
			!strings.Contains(errs, "hint: visto check") {
			t.Errorf("%s = %s: %s", c.column, c.value, errs)
		}
	}
}
