package serve_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
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
// a "q".
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

func newHouse(t *testing.T, limits serve.Limits) *house {
	h := &house{T: t, log: &logBuffer{}, ana: signer(t), ben: signer(t), stranger: signer(t),
		key: filepath.Join(t.TempDir(), "made", "host_key")}
	h.people = []serve.Person{{Name: "ana", Key: h.ana.PublicKey()}, {Name: "ben", Viewer: true, Key: h.ben.PublicKey()}}
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
		_ = session.Wait()
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

// ends waits for the end of the session.
func (s *seat) ends() {
	s.house.Helper()
	if _, err := io.Copy(io.Discard, s.out); err != nil {
		s.house.Error(err)
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
	s.ends()
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
	for name, methods := range map[string][]ssh.AuthMethod{
		"another key": {ssh.PublicKeys(h.stranger)},
		"a password":  {ssh.Password("")},
		"nothing":     nil,
		"questions": {ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) {
			return nil, nil
		})},
	} {
		if c, err := h.dial(methods...); err == nil {
			c.Close()
			t.Errorf("%s is enough", name)
		}
	}
	if log := h.log.String(); !strings.Contains(log, "it has no listed key") || strings.Contains(log, "entered") {
		t.Error(log)
	}
	// A key that is listed, but not the client's, does not lend its name to the one that is.
	s := h.sit(h.client(h.ben))
	s.shows("ben viewer=true")
}

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

// A client may state any size of its terminal, at any time.
func TestSizes(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	s := h.sit(h.client(h.ana))
	for _, size := range []struct {
		height, width int
		want          string
	}{{1<<32 - 1, 1<<32 - 1, "1000x300\r\n"}, {0, 0, "80x24\r\n"}, {0, 200, "200x24\r\n"}} {
		s.seen = ""
		must(t, s.WindowChange(size.height, size.width))
		s.shows(size.want)
	}
}

// A connection has ten channels at most, and a channel without a shell keeps little and waits for nothing.
func TestChannels(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	c := h.client(h.ana)
	var last *ssh.Session
	for range 10 {
		session, err := c.NewSession()
		must(t, err)
		last = session
	}
	if _, err := c.NewSession(); err == nil {
		t.Error("an eleventh channel is opened")
	}
	must(t, last.RequestPty("xterm", 24, 80, nil))
	for range 3 {
		size := ssh.Marshal(struct{ Width, Height, X, Y uint32 }{80, 24, 0, 0})
		if ok, err := last.SendRequest("window-change", true, size); ok || err != nil {
			t.Errorf("a size without a shell: %v, %v", ok, err)
		}
	}
	if err := last.Setenv("COLORTERM", strings.Repeat("x", 1<<15)); err == nil {
		t.Error("a long variable is kept")
	}
	for range 100 {
		_ = last.Setenv("NO_COLOR", "1")
	}
	if err := last.Setenv("NO_COLOR", "1"); err == nil {
		t.Error("any number of variables is kept")
	}
	must(t, last.Close())
	session, err := c.NewSession()
	for ; err != nil; session, err = c.NewSession() { // the server learns of the end a moment later
		time.Sleep(time.Millisecond)
	}
	must(t, session.Close())
}

// The list counts for each session, also over a connection that is older.
func TestListChanges(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	c := h.client(h.ana)
	h.sit(c).shows("ana viewer=false")
	h.people = []serve.Person{{Name: "ana", Viewer: true, Key: h.ana.PublicKey()}}
	h.sit(c).shows("ana viewer=true")
	h.people = nil
	h.sit(c).shows("the key is not listed")
}

// A session ends with its client, though the connection serves others of that client: closed, or without more keys.
func TestClientGoes(t *testing.T) {
	limits := serve.DefaultLimits
	limits.LastMoment = time.Millisecond
	h := newHouse(t, limits)
	c := h.client(h.ana)
	h.sit(c).shows("ana")
	mute := h.sit(c)
	mute.shows("ana")
	must(t, mute.in.Close())
	mute.ends()
	closed := h.sit(c)
	closed.shows("ana")
	must(t, closed.Close())
	for strings.Count(h.log.String(), "why=\"the client went away\"") < 2 {
		time.Sleep(time.Millisecond)
	}
}

// Sessions are limited, and one that ends makes room. A fault of one ends no other.
func TestSessionsAreLimited(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Sessions = 2
	h := newHouse(t, limits)
	c := h.client(h.ana)
	first, second := h.sit(c), h.sit(h.client(h.ben))
	first.shows("ana")
	second.shows("ben")
	third := h.sit(c)
	third.shows("2 sessions are open, which is the limit")
	third.ends()
	fmt.Fprint(second.in, "p")
	second.ends()
	h.sit(c).shows("ana")
	must(t, first.WindowChange(10, 20))
	first.shows("20x10")
}

// A session without keys ends, and says why.
func TestIdle(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Idle = 50 * time.Millisecond
	h := newHouse(t, limits)
	s := h.sit(h.client(h.ana))
	s.shows("the session has ended: no key came for too long")
	s.ends()
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
	if _, err := net.Dial("tcp", h.address); err == nil {
		t.Error("it still listens")
	}
}

// Connections that never finish their handshake end, and leave room for others.
func TestHandshake(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Strangers, limits.Handshake = 3, 300*time.Millisecond
	h := newHouse(t, limits)
	var open []net.Conn
	for range 20 {
		conn, err := net.Dial("tcp", h.address)
		must(t, err)
		defer conn.Close()
		open = append(open, conn)
	}
	for _, conn := range open {
		must(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Fatal(err)
		}
	}
	h.sit(h.client(h.ana)).shows("ana")
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
