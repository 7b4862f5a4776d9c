// Package postgrestest makes PostgreSQL databases for tests.
//
// The server is the one that VISTO_TEST_POSTGRES names by a URL, or else one that the test process starts for itself,
// in a temporary folder and on a socket there alone. A package that uses it runs its tests by Main, which stops it.
package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"visto/store/postgres"
)

// urlVariable names the environment variable with the URL of a server of version 15 or later. Its user may make
// databases.
const urlVariable = "VISTO_TEST_POSTGRES"

// server is a server with a blank database.
type server struct {
	url   *url.URL
	run   *running      // nil: it is not ours
	admin *pgxpool.Pool // outside of any database of a test
}

func newServer(u *url.URL, run *running) (*server, error) {
	config, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		return nil, err
	}
	// Tests end connections of the server. The pool would find out only about those that it has not used for a second.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	admin, err := pgxpool.NewWithConfig(context.Background(), config)
	return &server{url: u, run: run, admin: admin}, err
}

// running is a server of ours.
type running struct {
	folder  string
	command func() *exec.Cmd
	cmd     *exec.Cmd
	ended   chan struct{} // closed once it has ended
}

var (
	current *server
	started = sync.OnceValues(func() (*server, error) {
		s, err := start()
		if err == nil {
			current = s
			err = s.makeBlank()
		}
		return s, err
	})
	mu     sync.Mutex // guards last
	last   int
	prefix = fmt.Sprintf("visto_test_%d_", os.Getpid())
)

// Main runs the tests, and stops the server if it was started.
func Main(m *testing.M) { os.Exit(Stopping{m}.Run()) }

// Stopping are tests after which the server is stopped.
type Stopping struct{ Tests interface{ Run() int } }

// Run runs the tests, and returns the exit status.
func (s Stopping) Run() int {
	code := s.Tests.Run()
	if current == nil {
		return code
	}
	if err := current.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping PostgreSQL:", err)
		code = max(code, 1)
	}
	return code
}

// Open opens a new, empty store, and closes it at the end of the test. Without a server the test is skipped, but it
// fails where the environment variable CI is true.
func Open(t testing.TB, opt postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), Database(t), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Database makes a database with the tables of an empty store, and returns its URL. It is dropped at the end of the
// test. To copy the files takes half the time of the default strategy, which writes each page to the log of the server.
func Database(t testing.TB) string {
	t.Helper()
	return create(t, "TEMPLATE "+prefix+"blank STRATEGY FILE_COPY")
}

// Copy makes a copy of a database, from the connections to which it cuts everybody off, and returns its URL.
func Copy(t testing.TB, db string) string {
	t.Helper()
	u, err := url.Parse(db)
	if err != nil {
		t.Fatal(err)
	}
	name := path.Base(u.Path)
	err = current.exec("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '" + name + "'")
	if err != nil {
		t.Fatal(err)
	}
	return create(t, "TEMPLATE "+name+" STRATEGY FILE_COPY")
}

// Empty makes a database without tables, with the options of CREATE DATABASE.
func Empty(t testing.TB, options ...string) string {
	t.Helper()
	return create(t, "TEMPLATE template0 "+strings.Join(options, " "))
}

func create(t testing.TB, options string) string {
	t.Helper()
	s, err := started()
	there(t, err)
	name := s.name()
	if err := s.exec("CREATE DATABASE " + name + " " + options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.database(name)
}

// there skips the test if a server could not be had, and fails it where the environment variable CI is true.
func there(t testing.TB, err error) {
	t.Helper()
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("no PostgreSQL: ", err)
	}
	if err != nil {
		t.Skip("no PostgreSQL: ", err)
	}
}

func (s *server) name() string {
	mu.Lock()
	defer mu.Unlock()
	last++
	return prefix + strconv.Itoa(last)
}

// database returns the URL of a database of the server.
func (s *server) database(name string) string {
	u := *s.url
	u.Path = "/" + name
	return u.String()
}

// exec runs a statement outside of any database of a test.
func (s *server) exec(statement string) error {
	_, err := s.admin.Exec(context.Background(), statement)
	return err
}

// makeBlank makes the database that the others are copies of: making the schema would take longer than most tests.
func (s *server) makeBlank() error {
	name := prefix + "blank"
	err := s.exec("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'")
	if err != nil {
		return err
	}
	blank, err := postgres.Open(context.Background(), s.database(name), postgres.Options{Create: true})
	if err != nil {
		return err
	}
	return blank.Close()
}

// start finds or starts a server.
func start() (*server, error) {
	if text := os.Getenv(urlVariable); text != "" {
		u, err := url.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s is no URL", urlVariable)
		}
		return newServer(u, nil)
	}
	return startOwn("off")
}

// startOwn makes a server. fsync is its option: on or off.
func startOwn(fsync string) (*server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "visto-postgres")
	if err != nil {
		return nil, err
	}
	run := &running{folder: folder}
	u, err := run.start(bin, fsync)
	if err != nil {
		return nil, errors.Join(err, run.stop())
	}
	return newServer(u, run)
}

// binaries returns the folder of the programs of PostgreSQL: Debian has them in none of PATH.
func binaries() (string, error) {
	list, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(list) > 0 {
		return filepath.Dir(list[len(list)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("there is no initdb, and %s names no server", urlVariable)
	}
	return filepath.Dir(path), nil
}

// buffers is the size of the server's cache. To drop a database it looks through all of it.
const buffers = "16MB"

func (r *running) start(bin, fsync string) (*url.URL, error) {
	attr, err := unprivileged(r.folder)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(r.folder, "data")
	program := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = r.folder, attr
		return cmd
	}
	out, err := program("initdb", "-D", data, "-U", "visto", "--auth=trust", "--no-sync", "--encoding=UTF8",
		"--locale=C").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	r.command = func() *exec.Cmd {
		// A server that ends waits for whoever has connected and says nothing: for a minute, unless told otherwise.
		return program("postgres", "-D", data, "-k", r.folder, "-c", "listen_addresses=", "-c", "fsync="+fsync,
			"-c", "max_connections=200", "-c", "authentication_timeout=5s", "-c", "shared_buffers="+buffers)
	}
	return r.url(), r.serve()
}

// serve starts the server, and waits until it takes connections.
func (r *running) serve() error {
	r.cmd, r.ended = r.command(), make(chan struct{})
	log, err := os.OpenFile(filepath.Join(r.folder, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := startTied(r.cmd, r.ended); err != nil {
		return err
	}
	return r.await()
}

// Restart kills the server, as a loss of power would, and starts it again. Without a server of ours the test is
// skipped.
func Restart(t testing.TB) {
	t.Helper()
	if current == nil || current.run == nil {
		t.Skip("the server is not ours")
	}
	if err := current.restart(); err != nil {
		t.Fatal(err)
	}
}

func (s *server) restart() error {
	s.run.kill()
	return s.run.serve()
}

// kill has the server end at once: it finishes nothing.
func (r *running) kill() {
	if r.cmd != nil && r.cmd.Process != nil {
		r.cmd.Process.Signal(syscall.SIGQUIT)
		<-r.ended
	}
}

func (r *running) url() *url.URL {
	return &url.URL{Scheme: "postgres", Path: "/postgres",
		RawQuery: url.Values{"host": {r.folder}, "user": {"visto"}}.Encode()}
}

// startTime is how long a server may take to start.
const startTime = 30 * time.Second

// await waits until the server takes connections.
func (r *running) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, r.url().String())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-r.ended:
			log, _ := os.ReadFile(filepath.Join(r.folder, "log"))
			return fmt.Errorf("the server ended: %s", log)
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop stops a server of ours, or drops the blank database of another one.
func (s *server) stop() error {
	defer s.admin.Close()
	if s.run != nil {
		return s.run.stop()
	}
	return s.exec("DROP DATABASE IF EXISTS " + prefix + "blank WITH (FORCE)")
}

func (r *running) stop() error {
	r.kill()
	return os.RemoveAll(r.folder)
}
