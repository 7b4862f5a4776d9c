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
	Target string // path and query, literally
	Header http.Header
	Conn   int // number of its connection
}

// URL returns the requested URL.
func (r Request) URL() string { return r.Scheme + "://" + r.Host + r.Target }

// String prints a request for a test.
func (r Request) String() string { return r.Method + " " + r.URL() }

// Log records the requests to a test internet in their order.
type Log struct {
	now func() time.Time

	mu         sync.Mutex
	requests   []Request
	handshakes map[string]int
	reached    []net.Addr     // by each connection
	open       map[string]int // requests in progress, by host
	peak       map[string]int // highest value of open
}

// connNumber is the context key of a connection's number.
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

// begin records a request and returns a function that records its end.
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

// Requests returns all requests so far, or those to the hosts.
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

// Asked returns the number of requests for a URL, by any method.
func (l *Log) Asked(url string) (times int) {
	for _, r := range l.Requests() {
		if r.URL() == url {
			times++
		}
	}
	return times
}

// Handshakes returns the number of TLS handshakes with the host.
func (l *Log) Handshakes(host string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.handshakes[host]
}

// Connections returns the local address of each connection, with or without a request.
func (l *Log) Connections() []net.Addr {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.reached)
}

// Peak returns the highest number of simultaneous requests to the host.
func (l *Log) Peak(host string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.peak[host]
}

// Clear forgets all requests.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests, l.handshakes, l.peak, l.reached = nil, nil, map[string]int{}, nil
}
