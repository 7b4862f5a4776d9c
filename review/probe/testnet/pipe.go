package testnet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// pipes is a listener for connections in memory.
type pipes struct {
	address *net.TCPAddr // by which Dial knows it
	dialled chan net.Conn
	ended   chan struct{}
	end     func()
}

func newPipes(port int) *pipes {
	p := &pipes{address: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}, dialled: make(chan net.Conn),
		ended: make(chan struct{})}
	p.end = sync.OnceFunc(func() { close(p.ended) })
	return p
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.dialled:
		return conn, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.end()
	return nil
}

func (p *pipes) Addr() net.Addr { return p.address }

// Dial opens a connection to an address of ConnectTo. It refuses every other one. The test internet is InMemory.
func (n *Net) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	for _, l := range []net.Listener{n.plain, n.secure} {
		p := l.(*pipes)
		if p.address.String() != address {
			continue
		}
		near, far := net.Pipe()
		client, server := n.queue(near), n.queue(far)
		select {
		case p.dialled <- server:
			return client, nil
		case <-p.ended:
		case <-ctx.Done():
		}
		return nil, errors.Join(cmp.Or(context.Cause(ctx), error(syscall.ECONNREFUSED)), client.Close(), server.Close())
	}
	return nil, syscall.ECONNREFUSED
}

// queue is an end of a pipe that writes without waiting for the other end to read, as a socket does. Two ends of TLS
// that both write would wait for each other.
type queue struct {
	net.Conn
	writes chan []byte
	ended  chan struct{}
	end    func()
}

// queue returns a connection that Close of the test internet waits for.
func (n *Net) queue(conn net.Conn) *queue {
	q := &queue{Conn: conn, writes: make(chan []byte, 64), ended: make(chan struct{})}
	q.end = sync.OnceFunc(func() { close(q.ended) })
	n.done.Go(q.pass)
	return q
}

// pass passes the writes on, those before Close too.
func (q *queue) pass() {
	defer q.Conn.Close()
	defer q.end()
	for {
		select {
		case b := <-q.writes:
			if _, err := q.Conn.Write(b); err != nil {
				return
			}
		case <-q.ended:
			if len(q.writes) == 0 {
				return
			}
		}
	}
}

func (q *queue) Write(b []byte) (int, error) {
	select {
	case <-q.ended:
		return 0, net.ErrClosed
	case q.writes <- bytes.Clone(b):
		return len(b), nil
	}
}

// Close ends the connection once the other end has read all writes, or does not read for a second.
func (q *queue) Close() error {
	q.end()
	return q.Conn.SetWriteDeadline(time.Now().Add(time.Second))
}

// SetDeadline sets that of reads: writes do not wait.
func (q *queue) SetDeadline(t time.Time) error { return q.SetReadDeadline(t) }

// SetWriteDeadline does nothing: writes do not wait.
func (q *queue) SetWriteDeadline(time.Time) error { return nil }
