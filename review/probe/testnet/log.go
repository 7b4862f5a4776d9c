package testnet

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Request is one request that reached the test internet.
type Request struct {
	At     time.Time
	Host   string // without the port
	Scheme string
	Method string
	Target string // path and query, as they came
	Header http.Header
	Conn   int // number of the connection that it came over
}

// URL returns what was asked for.
func (r Request) URL() string { return r.Scheme + "://" + r.Host + r.Target }

// String is a request as a test prints it.
func (r Request) String() string { return r.Method + " " + r.URL() }

// Log keeps what a test internet was asked, in the order in which it was asked.
type Log struct {
	now func() time.Time

	mu         sync.Mutex
	requests   []Request
	handshakes map[string]int
	reached    []net.Addr     // by each connection
	open       map[string]int // requests being answered, by host
	peak       map[string]int // the most that open ever was
}

// connNumber is the key under which a connection's context holds its number.
type connNumber struct{}

func (l *Log) connection(ctx context.Context, conn net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reached = append(l.reached, conn.LocalAddr())
	return context.WithValue(ctx, connNumber{}, len(l.reached))
}

func (l *Log) handshake(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.handshakes == nil {
		l.handshakes = map[string]int{}
	}
	l.handshakes[host]++
}

// begin notes a request; the function that it returns notes that it has been answered.
func (l *Log) begin(host string, r *http.Request) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	conn, _ := r.Context().Value(connNumber{}).(int)
	l.requests = append(l.requests, Request{l.now(), host, scheme, r.Method, r.RequestURI, r.Header.Clone(), conn})
	if l.open == nil {
		l.open, l.peak = map[string]int{}, map[string]int{}
	}
	l.open[host]++
	l.peak[host] = max(l.peak[host], l.open[host])
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.open[host]--
	}
}

// Requests returns all requests so far; with hosts, those to one of them.
func (l *Log) Requests(hosts ...string) []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []Request
	for _, r := range l.requests {
		if len(hosts) == 0 || slices.Contains(hosts, r.Host) {
			found = append(found, r)
		}
	}
	return found
}

// Asked returns how often a URL was asked for, by whatever method.
func (l *Log) Asked(url string) (times int) {
	for _, r := range l.Requests() {
		if r.URL() == url {
			times++
		}
	}
	return times
}

// Handshakes returns how often a TLS handshake with the host began.
func (l *Log) Handshakes(host string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.handshakes[host]
}

// Connections returns the address that each connection reached the test internet at, with or without a request.
func (l *Log) Connections() []net.Addr {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.reached)
}

// Peak returns the most requests to the host that were being answered at the same time.
func (l *Log) Peak(host string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.peak[host]
}

// Clear forgets all that was asked.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests, l.handshakes, l.peak, l.reached = nil, nil, map[string]int{}, nil
}
