package serve_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"visto/ui/serve"
)

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

// A client that asks for commands again and again does not fill the log.
func TestRefusalsAreLimited(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	session, err := h.client(h.ana).NewSession()
	must(t, err)
	for range 30 {
		if ok, err := session.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{"id"})); ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	log := h.log.String()
	if n := strings.Count(log, "asked for exec"); n != 10 || strings.Count(log, "are not told") != 1 {
		t.Errorf("%d refusals are told:\n%s", n, log)
	}
	other, err := h.client(h.ben).NewSession()
	must(t, err)
	_ = other.Run("id")
	if !strings.Contains(h.log.String(), "msg=refused who=ben") {
		t.Error(h.log)
	}
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
	mute.ends(0)
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
	third.ends(1)
	fmt.Fprint(second.in, "p")
	second.ends(1)
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
	s.ends(1)
}

// stopped is a connection of a client that was stopped as by SIGSTOP: it neither reads nor ends.
type stopped struct {
	net.Conn
	now atomic.Bool
}

func (c *stopped) Read(p []byte) (int, error) {
	if c.now.Load() {
		select {}
	}
	return c.Conn.Read(p)
}

// A client that reads nothing keeps its place no longer than others.
func TestClientStops(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Sessions, limits.Idle, limits.LastMoment = 1, 300*time.Millisecond, 50*time.Millisecond
	h := newHouse(t, limits)
	conn, err := net.Dial("tcp", h.address)
	must(t, err)
	client := &stopped{Conn: conn}
	c, channels, requests, err := ssh.NewClientConn(client, h.address, &ssh.ClientConfig{
		Auth: []ssh.AuthMethod{ssh.PublicKeys(h.ana)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	must(t, err)
	s := h.sit(ssh.NewClient(c, channels, requests))
	s.shows("ana")
	client.now.Store(true)
	fmt.Fprint(s.in, "w")
	for !strings.Contains(h.log.String(), "msg=left") {
		time.Sleep(time.Millisecond)
	}
	h.sit(h.client(h.ben)).shows("ben")
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
	if log := h.log.String(); strings.Contains(log, "closed network connection") {
		t.Errorf("the end of a connection is told twice:\n%s", log)
	}
}

// The end of one of several sessions over a connection gives its place away to nobody.
func TestOneOfTwoSessionsEnds(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Strangers = 1
	h := newHouse(t, limits)
	shared := h.client(h.ana)
	first, second := h.sit(shared), h.sit(shared)
	first.shows("ana")
	second.shows("ana")
	fmt.Fprint(first.in, "q")
	first.ends(0)
	h.sit(h.client(h.ben)).shows("ben")
	must(t, second.WindowChange(7, 7))
	second.shows("7x7")
}

// Whoever holds all places without a session keeps nobody out, and a client that opens several sessions over one
// connection gives no place away.
func TestPlaces(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Strangers = 2
	h := newHouse(t, limits)
	shared := h.client(h.ana)
	for range 3 {
		h.sit(shared).shows("ana")
	}
	var open []net.Conn
	for range 3 {
		conn, err := net.Dial("tcp", h.address)
		must(t, err)
		defer conn.Close()
		_, err = io.ReadFull(conn, make([]byte, len("SSH-2.0-visto")))
		must(t, err)
		open = append(open, conn)
	}
	_, _ = io.Copy(io.Discard, open[0]) // the third one took its place
	if n := strings.Count(h.log.String(), "too many connections have no session"); n != 1 {
		t.Errorf("%d connections made room for the third one", n)
	}
	h.sit(h.client(h.ben)).shows("ben")
	h.sit(shared).shows("ana")
}

// A login without a session does not stay, nor does one after its session.
func TestNoSession(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Handshake = 300 * time.Millisecond
	h := newHouse(t, limits)
	sits := h.sit(h.client(h.ben))
	sits.shows("ben")
	_ = h.client(h.ana).Wait()
	if log := h.log.String(); !strings.Contains(log, "it had no session for too long") {
		t.Error(log)
	}
	must(t, sits.WindowChange(7, 7))
	sits.shows("7x7")
	over := h.client(h.ana)
	left := h.sit(over)
	fmt.Fprint(left.in, "q")
	left.ends(0)
	_ = over.Wait()
	must(t, h.stop())
	if n := strings.Count(h.log.String(), "it had no session for too long"); n != 2 {
		t.Errorf("%d connections were closed for having no session", n)
	}
}
