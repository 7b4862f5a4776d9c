package cli_test

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rogpeppe/go-internal/testscript"

	"visto/store/postgrestest"
	"visto/ui/cli"
)

var (
	// aboutFiles names the scripts that need the database to be a file, if only for a backup.
	aboutFiles = []string{"add", "alone", "credentials", "database", "export", "health", "log"}
	// aboutInput names those of flags, keys and bad input, which are refused before a database is asked.
	aboutInput = []string{"add_bad", "canon", "keys", "usage"}
)

// The scripts of commands do on PostgreSQL what they do on a file.
func TestScriptsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	files := slices.DeleteFunc(scripts(t), func(file string) bool {
		return slices.Contains(slices.Concat(aboutFiles, aboutInput), strings.TrimSuffix(filepath.Base(file), ".txtar"))
	})
	runScripts(t, files, func(*testscript.Env) string { return postgrestest.Database(t) })
}

// reportTimes are the time of a report on the links, and that of the one before.
var reportTimes = regexp.MustCompile(`"at":"[^"]*","since":"[^"]*",`)

// A copy on PostgreSQL and one of that back export what the database exports, byte for byte, and are sound.
func TestCopyDemo(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	server, back := postgrestest.Database(t), filepath.Join(t.TempDir(), "back.db")
	for _, to := range []string{server, back} {
		if out := p.ok("copy", "--from", p.db, "--to", to); !strings.Contains(out, "are sound") {
			t.Errorf("the copy on %s: %s", to, out)
		}
		for _, args := range [][]string{
			{"export", "--status", "all", "--format", "jsonl"}, {"export", "--status", "all", "--format", "csv"},
			{"list", "--status", "all", "--json"}, {"log", "--json"},
			{"override", "export"}, {"stats", "--json"}, {"causes", "--json"}, {"suggest", "--json"},
			{"health", "--json"}, {"list", "--search", "gva", "--status", "all"}, {"show", "1", "--json"},
		} {
			want, got := p.ok(append(args, "--db", p.db)...), p.ok(append(args, "--db", to)...)
			want, got = reportTimes.ReplaceAllString(want, ""), reportTimes.ReplaceAllString(got, "")
			if want == "" || got != want {
				t.Errorf("visto %v\non %s:\n%s\non %s:\n%s", args, p.db, want, to, got)
			}
		}
		log := filepath.Join(t.TempDir(), "log.jsonl")
		p.ok("log", "--export", log, "--db", p.db)
		p.ok("log", "verify", log, "--against-database", "--db", to)
		p.ok("check", "--replay", "--db", to)
		p.db = to
	}
}

func TestCopyRefused(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	full := filepath.Join(t.TempDir(), "full.db")
	for _, db := range []string{p.db, full, postgrestest.Database(t)} {
		p.run(0, strings.NewReader("https://www.boe.es/a\n"), "add", "-", "--db", db)
		if _, err := p.run(1, nil, "copy", "--from", p.db, "--to", db); !strings.Contains(err, "it is not empty") {
			t.Errorf("a copy over %s: %s", db, err)
		}
	}
	p.run(1, nil, "copy", "--from", filepath.Join(t.TempDir(), "none.db"), "--to", filepath.Join(t.TempDir(), "b.db"))
	p.run(2, nil, "copy", "--from", p.db)
	p.run(2, nil, "copy", "--from", p.db, "--to", full, "--db", p.db)
}

// Nothing that fails, and nothing that succeeds, shows the password, and each failure is clear within seconds.
func TestPasswordOfTheDatabase(t *testing.T) {
	t.Parallel()
	const password = "s3cr*t?&:"
	p, back := newProgram(t), filepath.Join(t.TempDir(), "b.db")
	u, err := url.Parse(postgrestest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	socket := u.Query().Get("host") // empty: a server elsewhere
	set := func(change func(u *url.URL, q url.Values)) string {
		v, q := *u, u.Query()
		v.User = url.UserPassword(cmp.Or(u.User.Username(), q.Get("user")), password)
		change(&v, q)
		v.RawQuery = q.Encode()
		return v.String()
	}
	asParameter := func(_ *url.URL, q url.Values) { q.Set("password", password) }
	elsewhere := func(host string) func(*url.URL, url.Values) {
		return func(v *url.URL, q url.Values) {
			v.Host = host
			q.Del("host")
		}
	}
	for _, c := range []struct{ db, says string }{
		{set(func(v *url.URL, _ url.Values) { v.Path = "/none" }), "has no database of that name"},
		{set(func(_ *url.URL, q url.Values) { q.Set("user", "nobody-here") }), "refuses the user"},
		{set(elsewhere("127.0.0.1:1")), "cannot be reached"},
		{set(elsewhere("host.invalid")), "cannot be reached"},
		{set(elsewhere("127.0.0.1:port")), "its URL is not one"},
		{set(asParameter), ""},
		{set(func(*url.URL, url.Values) {}), ""},
	} {
		if socket == "" && c.says == "" {
			continue
		}
		start := time.Now()
		for _, args := range [][]string{{"list"}, {"list", "--json"}, {"check"}, {"backup", back}, {"serve", "--ssh",
			"127.0.0.1:0", "--authorized-keys", "/none"}, {"copy", "--from", p.db, "--to", c.db}, {"help", "copy"}} {
			var out, errs strings.Builder
			runInto(p, &out, &errs, append(args, dbFlag(args, c.db)...)...)
			if all := out.String() + errs.String(); strings.Contains(all, password) ||
				strings.Contains(all, url.QueryEscape(password)) || strings.Contains(all, "s3cr") {
				t.Errorf("visto %v shows the password: %s", args, all)
			} else if args[0] == "list" && !strings.Contains(all, c.says) {
				t.Errorf("visto %v on %s: %s", args, c.db, all)
			}
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", c.db, took)
		}
	}
}

// The statements in the help give a role all that visto does, and neither it nor the owner can change the log.
func TestRolesOfTheHelp(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	db := postgrestest.Database(t)
	owner := connect(t, db)
	exec := func(conn *pgx.Conn, sql string) error {
		_, err := conn.Exec(context.Background(), sql)
		return err
	}
	worker, viewer := "visto_test_worker", "visto_test_viewer"
	for _, role := range []string{worker, viewer} {
		exec(owner, "DROP ROLE "+role) // of a run that was killed
		if err := exec(owner, "CREATE ROLE "+role+" LOGIN"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			conn := connect(t, db)
			exec(conn, "DROP OWNED BY "+role)
			if err := exec(conn, "DROP ROLE "+role); err != nil {
				t.Error(err)
			}
		})
	}
	roles := strings.NewReplacer("visto_viewer", viewer, "TO visto", "TO "+worker, "FROM visto", "FROM "+worker)
	grants := regexp.MustCompile(`(?m)^  ((?:GRANT|REVOKE) .*;)$`)
	statements := grants.FindAllStringSubmatch(p.ok("help", "postgresql"), -1)
	if len(statements) != 4 {
		t.Fatalf("%d statements", len(statements))
	}
	for _, s := range statements {
		if err := exec(owner, roles.Replace(s[1])); err != nil {
			t.Fatalf("%s: %v", s[1], err)
		}
	}

	p.env = append(p.env, "VISTO_DB="+as(t, db, worker))
	everyCommand(p)
	p.ok("check")
	for code, conn := range map[string]*pgx.Conn{
		"P0001": owner,                         // the trigger
		"42501": connect(t, as(t, db, worker)), // no privilege
	} {
		for _, table := range []string{"log", "decision", "note"} {
			for _, sql := range []string{"UPDATE " + table + " SET batch_id = 0", "DELETE FROM " + table,
				"TRUNCATE " + table + " CASCADE"} {
				refused, _ := errors.AsType[*pgconn.PgError](exec(conn, sql))
				if refused == nil || refused.Code != code {
					t.Errorf("%s: %v, want error %s", sql, refused, code)
				}
			}
		}
	}
	p.ok("check")

	p.env = append(p.env, "VISTO_DB="+as(t, db, viewer))
	p.ok("list")
	if _, err := p.run(1, nil, "approve", "2"); !strings.Contains(err, "read-only") {
		t.Errorf("a viewer's approval: %s", err)
	}
}

// everyCommand writes by each command that writes.
func everyCommand(p *program) {
	const urls = "https://www.boe.es/a?x=1\nhttps://www.boe.es/\nhttps://www.gob.es/\nhttps://www.ine.es/\n"
	p.run(0, strings.NewReader(urls), "add", "-")
	p.ok("approve", "1")
	p.ok("undo")
	p.ok("redo")
	p.ok("reject", "2", "--note", "no page")
	p.ok("note", "3", "a note")
	p.ok("override", "add", "--host", "www.boe.es", "--drop", "x")
	p.ok("suggest")
	p.ok("recanon", "--policy", "clara", "--apply")
	p.ok("export", "--status", "all")
}

func connect(t *testing.T, db string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// as returns the URL of a database for another role.
func as(t *testing.T, db, role string) string {
	t.Helper()
	u, err := url.Parse(db)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("user", role)
	u.RawQuery = q.Encode()
	return u.String()
}

// dbFlag returns the flag that names the database, for a command that takes it.
func dbFlag(args []string, db string) []string {
	if args[0] == "copy" {
		return nil
	}
	return []string{"--db", db}
}

func runInto(p *program, out, err *strings.Builder, args ...string) (status int) {
	return cli.Run(args, strings.NewReader(""), out, err, p.env)
}
