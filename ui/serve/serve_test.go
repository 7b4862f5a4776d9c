package serve_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"visto/ui/console"
	"visto/ui/serve"
)

// house is a server for two persons. Its console tells who sits at it, in which environment, and each size; it ends at
// a "q", and writes much at a "w".
type house struct {
	*testing.T
	address string
	key     string // file of the host key
	stop    func() error
	log     *logBuffer
	people  []serve.Person

	ana, ben, stranger ssh.Signer
}

type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func signer(t *testing.T) ssh.Signer {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	s, err := ssh.NewSignerFromSigner(private)
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pemOf is a file with a private key.
func pemOf(t *testing.T, private crypto.PrivateKey) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(private, "")
	must(t, err)
	file := filepath.Join(t.TempDir(), "host_key")
	must(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	return file
}

func newHouse(t *testing.T, limits serve.Limits) *house {
	return newHouseWith(t, limits, filepath.Join(t.TempDir(), "made", "host_key"))
}

// newHouseWith is newHouse with the file of its host key.
func newHouseWith(t *testing.T, limits serve.Limits, hostKey string) *house {
	h := &house{T: t, log: &logBuffer{}, ana: signer(t), ben: signer(t), stranger: signer(t), key: hostKey}
	h.people = []serve.Person{{Name: "ana", Key: h.ana.PublicKey()},
		{Name: "ben", Viewer: true, Key: h.ben.PublicKey()}}
	server, err := serve.New(serve.Config{HostKey: h.key, Limits: limits, Console: talk,
		Log:    slog.New(slog.NewTextHandler(h.log, nil)),
		People: func() ([]serve.Person, error) { return h.people, nil }})
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	h.address = listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	h.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		if err := h.stop(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// talk is the console of a house.
func talk(ctx context.Context, who serve.Person, opts console.Options) error {
	fmt.Fprintf(opts.Out, "%s viewer=%v served=%v %q\n", who.Name, who.Viewer, opts.Served, opts.Env)
	keys := make(chan byte)
	go func(keys chan<- byte) {
		defer close(keys)
		for buf := make([]byte, 1); ; {
			if _, err := opts.In.Read(buf); err != nil {
				return
			}
			keys <- buf[0]
		}
	}(keys)
	for {
		select {
		case size := <-opts.Window:
			fmt.Fprintf(opts.Out, "%dx%d\n", size.Width, size.Height)
		case key, ok := <-keys:
			if !ok { // as Bubble Tea, which does not mind
				keys = nil
			}
			if key == 'q' {
				return nil
			}
			if key == 'w' {
				_, err := opts.Out.Write(make([]byte, 16<<20))
				return err
			}
			if key == 'p' {
				panic("a fault of the console")
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// dial connects with the methods of a client.
func (h *house) dial(methods ...ssh.AuthMethod) (*ssh.Client, error) {
	return ssh.Dial("tcp", h.address, &ssh.ClientConfig{User: "root", Auth: methods,
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: 10 * time.Second})
}

// client is a connection of a listed key.
func (h *house) client(key ssh.Signer) *ssh.Client {
	h.Helper()
	c, err := h.dial(ssh.PublicKeys(key))
	must(h.T, err)
	h.Cleanup(func() { c.Close() })
	return c
}

// seat is a session in a terminal.
type seat struct {
	*ssh.Session
	house *house
	in    io.WriteCloser
	out   io.Reader
	seen  string
	ended error // of ssh.Session.Wait, once out ends
}

// sit opens a session with a terminal of 80 by 24.
func (h *house) sit(c *ssh.Client) *seat {
	h.Helper()
	session, err := c.NewSession()
	must(h.T, err)
	s := &seat{Session: session, house: h}
	for name, value := range map[string]string{"VISTO_REVIEWER": "eva", "COLORTERM": "truecolor", "PATH": "/tmp"} {
		_ = session.Setenv(name, value)
	}
	must(h.T, session.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{}))
	s.in, err = session.StdinPipe()
	must(h.T, err)
	out, w := io.Pipe()
	session.Stdout, session.Stderr, s.out = w, w, out
	must(h.T, session.Shell())
	go func() {
		s.ended = session.Wait()
		w.Close()
	}()
	return s
}

// shows waits for a text.
func (s *seat) shows(text string) {
	s.house.Helper()
	for buf := make([]byte, 1000); !strings.Contains(s.seen, text); {
		n, err := s.out.Read(buf)
		if s.seen += string(buf[:n]); err != nil && !strings.Contains(s.seen, text) {
			s.house.Fatalf("it ended without %q: %q", text, s.seen)
		}
	}
}

// ends waits for the end of the session, with that status.
func (s *seat) ends(status int) {
	s.house.Helper()
	if _, err := io.Copy(io.Discard, s.out); err != nil {
		s.house.Error(err)
	}
	got := 0
	if failed, ok := errors.AsType[*ssh.ExitError](s.ended); ok {
		got = failed.ExitStatus()
	} else if s.ended != nil {
		s.house.Error(s.ended)
	}
	if got != status {
		s.house.Errorf("the session ends with status %d, not %d", got, status)
	}
}

// Name and role are those of the key, whatever the client says, and the console sees no more than the terminal.
func TestSession(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	s := h.sit(h.client(h.ana))
	s.shows(`ana viewer=false served=true ["TERM=xterm-256color" "SSH_CONNECTION=127.0.0.1:`)
	s.shows(`"COLORTERM=truecolor"]`)
	s.shows("80x24\r\n")
	must(t, s.WindowChange(1, 1))
	s.shows("1x1\r\n")
	fmt.Fprint(s.in, "q")
	s.ends(0)
	h.sit(h.client(h.ben)).shows("ben viewer=true")
	if strings.Contains(s.seen, "eva") || strings.Contains(s.seen, "PATH") {
		t.Errorf("the client's environment counts: %s", s.seen)
	}
	if info, err := os.Stat(h.key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the host key: %v, %v", info.Mode(), err)
	}
	for _, text := range []string{"msg=entered who=ana", "msg=left who=ana", "why=quit"} {
		if !strings.Contains(h.log.String(), text) {
			t.Errorf("the log lacks %q:\n%s", text, h.log)
		}
	}
}

// Only a listed key enters.
func TestStrangers(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	for _, tc := range []struct { // the log tells the first in words, and sums up the others
		name    string
		methods []ssh.AuthMethod
	}{
		{"another key", []ssh.AuthMethod{ssh.PublicKeys(h.stranger)}},
		{"a key of ana", []ssh.AuthMethod{ssh.PublicKeys(borrowed{h.ana.PublicKey(), h.stranger})}},
		{"a password", []ssh.AuthMethod{ssh.Password("")}},
		{"nothing", nil},
		{"questions", []ssh.AuthMethod{ssh.KeyboardInteractive(
			func(string, string, []string, []bool) ([]string, error) { return nil, nil })}},
	} {
		if c, err := h.dial(tc.methods...); err == nil {
			c.Close()
			t.Errorf("%s is enough", tc.name)
		}
		for !strings.Contains(h.log.String(), "it has no listed key") && !t.Failed() {
			time.Sleep(time.Millisecond) // the server writes a little later
		}
	}
	if log := h.log.String(); strings.Contains(log, "entered") {
		t.Error(log)
	}
	h.sit(h.client(h.ben)).shows("ben viewer=true")
}

// borrowed signs with another key than the one that it shows.
type borrowed struct {
	shown ssh.PublicKey
	ssh.Signer
}

func (b borrowed) PublicKey() ssh.PublicKey { return b.shown }

// A session is a console and nothing else.
func TestNothingElse(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	c := h.client(h.ana)
	session := func() *ssh.Session {
		s, err := c.NewSession()
		must(t, err)
		return s
	}
	if err := session().Run("id"); err == nil {
		t.Error("a command runs")
	}
	withTerminal := session()
	must(t, withTerminal.RequestPty("xterm", 24, 80, nil))
	if err := withTerminal.Run("id"); err == nil {
		t.Error("a command runs in a terminal")
	}
	for _, name := range []string{"sftp", "netconf"} {
		if err := session().RequestSubsystem(name); err == nil {
			t.Errorf("%s is served", name)
		}
	}
	for _, request := range []string{"auth-agent-req@openssh.com", "x11-req", "nonsense"} {
		if ok, err := session().SendRequest(request, true, nil); ok || err != nil {
			t.Errorf("%s: %v, %v", request, ok, err)
		}
	}
	if conn, err := c.Dial("tcp", h.address); err == nil {
		conn.Close()
		t.Error("a port is forwarded")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("a port of the server is forwarded")
	}
	if l, err := c.ListenUnix(filepath.Join(t.TempDir(), "socket")); err == nil {
		l.Close()
		t.Error("a socket is forwarded")
	}
	blind := session()
	out := &logBuffer{}
	blind.Stderr = out
	must(t, blind.Shell())
	if err := blind.Wait(); err == nil || !strings.Contains(out.String(), "needs a terminal") {
		t.Errorf("without a terminal: %v, %s", err, out)
	}
	h.sit(c).shows("ana viewer=false") // all that ends nothing
}

// The list counts for each session, also over a connection that is older.
func TestListChanges(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	c := h.client(h.ana)
	h.sit(c).shows("ana viewer=false")
	h.people = []serve.Person{{Name: "ana", Viewer: true, Key: h.ana.PublicKey()}}
	h.sit(c).shows("ana viewer=true")
	h.people = nil
	refused := h.sit(c)
	refused.shows("the key is not listed")
	refused.ends(1)
}

// The server ends its sessions when it stops, and tells them.
func TestStop(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	s := h.sit(h.client(h.ana))
	s.shows("ana")
	if err := h.stop(); err != nil {
		t.Error(err)
	}
	s.shows("the session has ended: the server stops")
	s.ends(1)
	if _, err := net.Dial("tcp", h.address); err == nil {
		t.Error("it still listens")
	}
}

// A server that is stopped before it listens ends.
func TestStopAtOnce(t *testing.T) {
	server, err := serve.New(serve.Config{HostKey: filepath.Join(t.TempDir(), "key"), Limits: serve.DefaultLimits,
		Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, listener) }()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(20 * time.Second):
		t.Error("it serves on")
	}
}

// A host key that others may read is refused, and one that is there is kept.
func TestHostKey(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	first, err := os.ReadFile(h.key)
	must(t, err)
	again := serve.Config{HostKey: h.key, Limits: serve.DefaultLimits, Log: slog.New(slog.DiscardHandler)}
	_, err = serve.New(again)
	must(t, err)
	if second, _ := os.ReadFile(h.key); !bytes.Equal(first, second) {
		t.Error("the host key is another one")
	}
	must(t, os.Chmod(h.key, 0o640))
	if _, err := serve.New(again); err == nil || !strings.Contains(err.Error(), "others may read") {
		t.Error(err)
	}
}
