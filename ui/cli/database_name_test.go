package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// databaseTypos are names that are meant for a server. None is a file.
var databaseTypos = []string{
	"postgress://ana:s3cr3t@db.invalid/visto", "mysql://ana:s3cr3t@db.invalid/visto", "://ana:s3cr3t@db.invalid/visto",
	"postgresql+asyncpg://ana:s3cr3t@db.invalid/visto", "jdbc:postgresql://db.invalid/visto?password=s3cr3t",
	"sqlite:///visto.db", "sqlite:visto.db", "file:visto.db?password=s3cr3t", "postgres:/ana:s3cr3t@db.invalid/visto",
	"postgres//ana:s3cr3t@db.invalid/visto", "ana:s3cr3t@db.invalid/visto", " postgres://ana:s3cr3t@db.invalid/visto",
	"'postgres://ana:s3cr3t@db.invalid/visto'", "host=db.invalid user=ana password='x s3cr3t'",
	"mysql://ana:a#s3cr3t/b@db.invalid/visto", "sslpassword=s3cr3t host=db.invalid",
}

// splitURLs are URLs of PostgreSQL with a character in the password that has to be escaped.
var splitURLs = []string{
	"postgres://ana:12#s3cr3t@127.0.0.1:1/visto", "postgres://ana:12/s3cr3t@127.0.0.1:1/visto",
	"postgres://ana:12?s3cr3t@127.0.0.1:1/visto", "postgres://ana:x#s3cr3t@127.0.0.1:1/visto",
	"postgres://ana:x/s3cr3t@127.0.0.1:1/visto", "POSTGRES://ana:12/s3cr3t@127.0.0.1:1/visto",
}

// rightURLs are URLs of PostgreSQL in order, of a server that is not there.
var rightURLs = []string{
	"postgres://127.0.0.1:1/visto?user=ana@corp&password=s3cr3t%23&sslmode=disable",
	"postgres://127.0.0.1:1/visto?sslmode=disable&sslpassword=s3cr3t",
	"postgres://ana:x%2Fs3cr3t@127.0.0.1:1/visto?sslmode=disable",
}

// refused runs a command that must fail, and returns what it printed. It must not have the password, and nothing may be
// written: p has an empty folder.
func (p *program) refused(args ...string) string {
	p.t.Helper()
	var out, errs strings.Builder
	status := runInto(p, &out, &errs, args...)
	all := out.String() + errs.String()
	if status == 0 || strings.Contains(all, "s3cr3t") {
		p.t.Errorf("visto %q: exit status %d: %s", args, status, all)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		p.t.Fatalf("visto %q wrote %v (%v)", args, entries, err)
	}
	return all
}

// TestDatabaseNameRefused: a URL of a database with a typo does not become a file with the password in its path.
func TestDatabaseNameRefused(t *testing.T) {
	p := newProgram(t)
	t.Chdir(t.TempDir())
	for _, name := range databaseTypos {
		for from, args := range map[string][]string{
			"--db": {"add", "-", "--db", name}, "--from": {"copy", "--from", name, "--to", p.db},
			"--to": {"copy", "--from", p.db, "--to", name}, "BACKUP": {"restore", name}, "FILE": {"backup", name},
			"--keep": {"demo", "--keep", name},
		} {
			if all := p.refused(args...); !strings.Contains(all, from+": it names neither a file nor") {
				t.Errorf("visto %q: %s", args, all)
			}
		}
		p.refused("lint", name)
		p.refused("lint", "--registry", name)
	}
	p.env = append(p.env, "VISTO_DB=postgress://ana:s3cr3t@db.invalid/visto")
	for _, args := range [][]string{{"add", "-"}, {"list"}, {"lint", os.DevNull}, {"backup", "b.db"}} {
		if all := p.refused(args...); !strings.Contains(all, "VISTO_DB: it names neither") {
			t.Errorf("visto %q: %s", args, all)
		}
	}
}

// A password that is not escaped would be read as a part of the host, or of the name of the database.
func TestSplitPasswordIsNotShown(t *testing.T) {
	p := newProgram(t)
	t.Chdir(t.TempDir())
	for _, name := range splitURLs {
		if all := p.refused("list", "--db", name); !strings.Contains(all, "its URL is not one") {
			t.Errorf("%s: %s", name, all)
		}
	}
	for _, name := range append(splitURLs, rightURLs...) {
		for _, args := range [][]string{{"list", "--db", name}, {"restore", name}, {"backup", name}, {"lint", name},
			{"copy", "--from", p.db, "--to", name}, {"--read-only", "copy", "--from", p.db, "--to", name},
			{"restore", "b.db", "--db", name}, {"backup", "b.db", "--db", name}, {name}, {"lint", "--db", name},
			{"demo", "--keep", name}, {"export", "--db", name, "-o", "x"}, {"add", name}, {"show", name}} {
			p.refused(args...)
		}
	}
	for _, name := range rightURLs {
		if all := p.refused("list", "--db", name); !strings.Contains(all, "cannot be reached") {
			t.Errorf("%s: %s", name, all)
		}
	}
}

// A path that begins with its folder is a file, whatever else it looks like.
func TestDatabaseFileNames(t *testing.T) {
	p, dir := newProgram(t), t.TempDir()
	t.Chdir(dir)
	names := []string{"./file:visto.db", "./ana:x@y.db", filepath.Join(dir, "host=a:b@c.db"), "date=1/visto.db", "a@b.db"}
	for _, name := range names {
		p.run(0, strings.NewReader("https://www.boe.es/a\n"), "add", "-", "--db", name)
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
