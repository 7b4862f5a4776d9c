package browser

import (
	"bufio"
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// TestHeadersHaveLimits passes headers of a request and of an answer up to about 64 KB, and no longer ones.
func TestHeadersHaveLimits(t *testing.T) {
	long := strings.Repeat("x", 72<<10)
	short := long[:56<<10]
	for _, test := range []struct {
		name, asks, answers string
		status              int
	}{
		{"short ones", short, short, http.StatusOK},
		{"a long one of the request", long, short, http.StatusRequestHeaderFieldsTooLarge},
		{"a long one of the answer", short, long, http.StatusBadGateway},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", test.answers)
		}))
		p, err := startProxy(Page{Dial: (&site{Server: s}).dial}, nil)
		if err != nil {
			t.Fatal(err)
		}
		via := &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(p.url()) }}
		req := httptest.NewRequest(http.MethodGet, "http://app.example/", nil)
		req.Header.Set("X-Long", test.asks)
		answer, err := via.RoundTrip(req)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if answer.StatusCode != test.status {
			t.Errorf("%s: %s, want %d", test.name, answer.Status, test.status)
		}
		via.CloseIdleConnections()
		p.close()
		s.Close()
	}
}

// taken is an answer whose connection is a pipe. The first Close of it says so, and waits until it is let go.
type taken struct {
	http.ResponseWriter
	net.Conn
	closed       atomic.Bool
	closes, goes chan struct{}
}

func (c *taken) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return c, bufio.NewReadWriter(bufio.NewReader(c.Conn), nil), nil
}

func (c *taken) Write(b []byte) (int, error) { return c.Conn.Write(b) }

func (c *taken) Close() error {
	if c.closed.CompareAndSwap(false, true) {
		close(c.closes)
		<-c.goes
	}
	return c.Conn.Close()
}

// counted is a connection that says when it is closed.
type counted struct {
	net.Conn
	closed chan struct{}
}

func (c counted) Close() error {
	c.closed <- struct{}{}
	return c.Conn.Close()
}

// TestProxyEndsDuringHandshake ends the proxy while a server has not answered yet, and the server at the same time.
func TestProxyEndsDuringHandshake(t *testing.T) {
	out, server := net.Pipe()
	closed := make(chan struct{}, 9)
	page := Page{RootCAs: x509.NewCertPool(),
		Dial: func(context.Context, string, string) (net.Conn, error) { return counted{out, closed}, nil }}
	p, err := startProxy(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	in, browser := net.Pipe()
	w := &taken{Conn: in, closes: make(chan struct{}), goes: make(chan struct{})}
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		p.tunnel(w, httptest.NewRequest(http.MethodConnect, "//app.example:443", nil))
	}()
	_, err = bufio.NewReader(browser).ReadString('\n')
	if err == nil {
		_, err = browser.Write([]byte{tlsHandshake})
	}
	if err == nil {
		_, err = io.ReadFull(server, make([]byte, 1)) // the handshake has begun
	}
	if err != nil {
		t.Fatal(err)
	}
	p.cancel()
	<-w.closes
	server.Close()
	<-returned
	<-closed // by the tunnel
	close(w.goes)
	<-closed // by the end of the proxy
}
