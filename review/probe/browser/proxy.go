package browser

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"
)

// The limits of a page on the network.
const (
	maxConnections = 60       // in all
	maxReceived    = 16 << 20 // bytes
	maxSent        = 1 << 20  // bytes
	maxHeader      = 64 << 10 // bytes of the headers of a request or an answer
)

var (
	errConnections = fmt.Errorf("the page opened more than %d connections", maxConnections)
	errReceived    = fmt.Errorf("the page received more than %d MB", maxReceived>>20)
	errSent        = fmt.Errorf("the page sent more than %d MB", maxSent>>20)
)

// proxy is an HTTP proxy on loopback, the only way of one page to the network. It opens connections by the function of
// the page alone, which decides about addresses behind name resolution. It passes TLS through, unless the page has
// authorities of its own: Chromium knows only those of the system, so the proxy verifies the servers then.
type proxy struct {
	roots    *x509.CertPool // nil: TLS is passed through
	identity *identity
	dialOut  func(ctx context.Context, network, address string) (net.Conn, error)
	listener net.Listener
	server   *http.Server
	plain    *http.Transport
	forward  *httputil.ReverseProxy
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup

	dialled, received, sent atomic.Int64
}

// startProxy starts a proxy. close must follow.
func startProxy(page Page, id *identity) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{roots: page.RootCAs, identity: id, dialOut: page.Dial, listener: l}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.plain = &http.Transport{DialContext: p.dial, DisableCompression: true, MaxResponseHeaderBytes: maxHeader}
	silent := log.New(io.Discard, "", 0)
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(*httputil.ProxyRequest) {}, Transport: p.plain, ErrorLog: silent,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	p.server = &http.Server{
		Handler: p, ErrorLog: silent, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return p.ctx },
	}
	p.work.Go(func() { _ = p.server.Serve(l) }) // it ends with close
	return p, nil
}

// url returns the address of the proxy for the browser.
func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

// close ends the proxy with all its connections.
func (p *proxy) close() {
	p.cancel()
	_ = p.server.Close() // the listener has nothing to lose
	p.plain.CloseIdleConnections()
	p.work.Wait()
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward.ServeHTTP(w, r)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// tunnel connects the browser with a server, for TLS and for WebSocket (RFC 9110 section 9.3.6).
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	out, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	stop := context.AfterFunc(p.ctx, func() { _ = errors.Join(in.Close(), out.Close()) })
	defer stop()
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	browser, server := net.Conn(&peekedConn{Conn: in, r: buffered.Reader}), out
	if p.roots != nil {
		if browser, server, err = p.beginTLS(r.Context(), browser, server, hostOf(r.Host)); err != nil {
			return
		}
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.Copy(server, browser)
		_ = server.Close()
	}()
	_, _ = io.Copy(browser, server)
	_ = browser.Close() // whichever side ended the connection, both have ended
	<-sent
}

// hostOf returns the host of an address with a port.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// dial opens a connection for the page, unless it had its share.
func (p *proxy) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if p.dialled.Add(1) > maxConnections {
		return nil, errConnections
	}
	conn, err := p.dialOut(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &meteredConn{conn, p}, nil
}

// meteredConn is a connection whose bytes count for the limits of the page.
type meteredConn struct {
	net.Conn
	proxy *proxy
}

func (c *meteredConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.proxy.received.Add(int64(n)) > maxReceived {
		return 0, errReceived
	}
	return n, err
}

func (c *meteredConn) Write(b []byte) (int, error) {
	if c.proxy.sent.Add(int64(len(b))) > maxSent {
		return 0, errSent
	}
	return c.Conn.Write(b)
}
