//go:build linux

package cli_test

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between the programs and their server, on TCP. It lets one fault happen at a chosen moment.
type proxy struct {
	listener net.Listener
	dial     func() (net.Conn, error)

	mu     sync.Mutex
	conns  map[net.Conn]bool
	passed int // pieces since it was armed
	armed  *ambush
	faults sync.WaitGroup // that happen
}

// ambush is a fault and its moment: once at says so of a piece that passes, before it passes or right after.
type ambush struct {
	at     func(piece int, text []byte) bool
	strike func()
	after  bool
}

func newProxy(t testing.TB, dial func() (net.Conn, error)) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, dial: dial, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		listener.Close()
		p.cut()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.join(client)
		}
	}()
	return p
}

// through returns the URL of a database of the server through the proxy.
func (p *proxy) through(db string) string {
	u, err := url.Parse(db)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: "postgres", User: url.User(u.Query().Get("user")), Host: p.listener.Addr().String(),
		Path: u.Path}).String()
}

// join connects a client with the server.
func (p *proxy) join(client net.Conn) {
	server, err := p.dial()
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	go p.pass(client, server)
	p.pass(server, client)
}

func (p *proxy) pass(from, to net.Conn) {
	defer p.close(from, to)
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		now := p.meet(piece[:n])
		if now != nil && !now.after {
			p.happen(now)
		}
		_, err = to.Write(piece[:n])
		if now != nil && now.after {
			p.happen(now)
		}
		if err != nil {
			return
		}
	}
}

// meet counts a piece, and returns the ambush if this is its moment.
func (p *proxy) meet(piece []byte) *ambush {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passed++
	now := p.armed
	if now == nil || !now.at(p.passed, piece) {
		return nil
	}
	p.armed = nil
	p.faults.Add(1)
	return now
}

func (p *proxy) happen(a *ambush) {
	defer p.faults.Done()
	a.strike()
}

func (p *proxy) close(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		c.Close()
		delete(p.conns, c)
	}
}

// cut breaks all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// arm lays an ambush and begins to count. Nil lays none.
func (p *proxy) arm(a *ambush) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passed, p.armed = 0, a
}

// disarm ends an ambush, and returns how many pieces passed, and whether it did not happen.
func (p *proxy) disarm() (passed int, waits bool) {
	p.mu.Lock()
	passed, waits = p.passed, p.armed != nil
	p.armed = nil
	p.mu.Unlock()
	p.faults.Wait()
	return passed, waits
}
