package testnet

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Net is a running test internet. Its methods may be called concurrently.
type Net struct {
	sites  map[string]*Site
	names  names
	ca     *authority
	log    Log
	plain  net.Listener // answers at port 80 of every host
	secure net.Listener // answers at port 443
	server *http.Server
	stop   context.CancelFunc
	done   sync.WaitGroup
}

// Options configures a test internet. The zero value of a field means its default.
type Options struct {
	Now    func() time.Time // clock for the log; nil: the system's
	Plain  string           // address to listen at for HTTP; empty: a free port of 127.0.0.1
	Secure string           // the same for TLS

	// InMemory makes connections of memory, which Dial alone opens: in the virtual time of testing/synctest nothing
	// may wait for a socket.
	InMemory bool
}

// Start serves the sites.
func Start(sites []Site, opt Options) (_ *Net, err error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	n := &Net{sites: map[string]*Site{}, log: Log{now: opt.Now}}
	for i := range sites {
		s := &sites[i]
		if n.sites[s.Host] != nil {
			return nil, fmt.Errorf("starting the test internet: two sites are named %s", s.Host)
		}
		n.sites[s.Host] = s
	}
	n.names.sorted = n.Hosts()
	if n.ca, err = newAuthority(); err != nil {
		return nil, fmt.Errorf("starting the test internet: %w", err)
	}
	if err := n.listen(opt); err != nil {
		return nil, fmt.Errorf("starting the test internet: %w", err)
	}
	return n, nil
}

func (n *Net) listen(opt Options) (err error) {
	if opt.InMemory {
		n.plain, n.secure = newPipes(80), newPipes(443)
		n.serve()
		return nil
	}
	const free = "127.0.0.1:0"
	if n.plain, err = net.Listen("tcp", cmp.Or(opt.Plain, free)); err != nil {
		return err
	}
	if n.secure, err = net.Listen("tcp", cmp.Or(opt.Secure, free)); err != nil {
		return errors.Join(err, n.plain.Close())
	}
	n.serve()
	return nil
}

// serve begins to answer.
func (n *Net) serve() {
	ctx, stop := context.WithCancel(context.Background())
	n.stop = stop
	n.server = &http.Server{
		Handler:     n,
		ErrorLog:    log.New(io.Discard, "", 0), // clients break off on purpose
		ConnContext: n.log.connection,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	for _, l := range []net.Listener{n.plain, tls.NewListener(n.secure, &tls.Config{GetConfigForClient: n.greet})} {
		n.done.Go(func() { n.server.Serve(l) })
	}
}

// Close ends the test internet: it closes the listeners and cuts every connection.
func (n *Net) Close() error {
	n.stop()
	err := n.server.Close()
	n.done.Wait()
	return err
}

// CA returns the certificate of the authority of all sites, in PEM.
func (n *Net) CA() []byte { return n.ca.pem }

// Roots returns the certificate authority as the only one to trust.
func (n *Net) Roots() *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(n.CA())
	return roots
}

// Log returns the log of requests.
func (n *Net) Log() *Log { return &n.log }

// Hosts returns the names of all sites, sorted.
func (n *Net) Hosts() []string {
	var hosts []string
	for host := range n.sites {
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	return hosts
}

// ServeHTTP answers as the requested site.
func (n *Net) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := hostname(r.Host)
	defer n.log.begin(host, r)()
	site := n.sites[host]
	if site == nil {
		http.Error(w, "no such site in the test internet", http.StatusMisdirectedRequest)
		return
	}
	site.ServeHTTP(w, r)
}

// hostname returns the host without its port.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}
