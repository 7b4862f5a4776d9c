package postgrestest

import (
	"net"
	"path/filepath"
	"testing"
)

// Server is a server of a test's own, which it may kill. Whatever was committed survives that: fsync is on.
type Server struct{ *server }

// NewServer starts a server, and stops it at the end of the test. Without PostgreSQL the test is skipped, or fails, as
// by Open.
func NewServer(t testing.TB) Server {
	t.Helper()
	s, err := startOwn("on")
	there(t, err)
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return Server{s}
}

// Database makes a database without any table, and returns its URL.
func (s Server) Database() (url string, err error) {
	name := s.name()
	return s.database(name), s.exec("CREATE DATABASE " + name + " TEMPLATE template0")
}

// Dial connects to the server.
func (s Server) Dial() (net.Conn, error) {
	return net.Dial("unix", filepath.Join(s.run.folder, ".s.PGSQL.5432"))
}

// Pid returns the process ID of the server, whose children are its other processes.
func (s Server) Pid() int { return s.run.cmd.Process.Pid }

// Restart kills the server, as a loss of power would, and starts it again. It returns when it takes connections.
func (s Server) Restart() error { return s.restart() }
