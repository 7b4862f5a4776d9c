package serve

import (
	"net"
	"slices"
	"sync/atomic"
	"time"

	"charm.land/ssh"
)

// guest is a connection. Its server closes it when it has no session for too long.
type guest struct {
	net.Conn
	server *Server

	channels   atomic.Int32 // that are open
	beginnings beginnings
	refusals   atomic.Int32

	// Guarded by the server's mutex.
	sessions int
	closed   bool
	late     *time.Timer // while it has no session
}

// guestKey is the key of the guest in the context of a connection.
type guestKey struct{}

func guestOf(ctx ssh.Context) *guest { return ctx.Value(guestKey{}).(*guest) }

// connected admits a connection. Above the limit the oldest one without a session makes room: who has a key shows it
// at once, and so enters though others hold all places.
func (s *Server) connected(ctx ssh.Context, conn net.Conn) net.Conn {
	g := &guest{Conn: conn, server: s}
	ctx.SetValue(guestKey{}, g)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.strangers) >= s.cfg.Limits.Strangers {
		s.strangers[0].refuse("too many connections have no session")
	}
	g.wait()
	return g
}

// Close closes the connection.
func (g *guest) Close() error {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.closed = true
	g.forget()
	return g.Conn.Close()
}

// wait begins a time without a session. The caller holds the mutex.
func (g *guest) wait() {
	s := g.server
	s.strangers = append(s.strangers, g)
	g.late = time.AfterFunc(s.cfg.Limits.Handshake, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if slices.Contains(s.strangers, g) {
			g.refuse("it had no session for too long")
		}
	})
}

// refuse closes a connection without a session. The caller holds the mutex.
func (g *guest) refuse(why string) {
	g.server.refused.add(g.RemoteAddr().String(), why, "")
	g.forget()
	_ = g.Conn.Close()
}

// maxRefusals is the most refused sessions and requests of one connection that stand in the log.
const maxRefusals = 10

// tellRefused logs that a session or a request of the connection is refused.
func (g *guest) tellRefused(who Person, why string) {
	n := g.refusals.Add(1)
	if n > maxRefusals {
		return
	}
	log := g.server.cfg.Log.With("who", who.Name, "from", g.RemoteAddr().String())
	if log.Warn("refused", "why", why); n == maxRefusals {
		log.Warn("further refusals of this connection are not told")
	}
}

// forget ends a time without a session. The caller holds the mutex.
func (g *guest) forget() {
	s := g.server
	s.strangers = slices.DeleteFunc(s.strangers, func(other *guest) bool { return other == g })
	g.late.Stop()
}

// enter counts a session unless there are too many.
func (g *guest) enter() bool {
	s := g.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions >= s.cfg.Limits.Sessions || s.ctx.Err() != nil {
		return false
	}
	g.forget()
	g.sessions++
	s.sessions++
	s.running.Add(1)
	return true
}

// leave ends a session.
func (g *guest) leave() {
	s := g.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.sessions--; g.sessions == 0 && !g.closed {
		g.wait()
	}
	s.sessions--
	s.running.Done()
}
