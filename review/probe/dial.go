package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

// Resolver looks up the addresses of a host. *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// dialer opens connections: to the destination that the user configured, else to the public addresses of the host.
type dialer struct {
	guard    *guard // nil: any address may be dialled
	routes   *routes
	resolver Resolver
	timeout  time.Duration
	tls      *tls.Config
	open     func(ctx context.Context, network, address string) (net.Conn, error) // nil: a socket
}

// handshakeError marks an error of the TLS handshake, as opposed to one of the connection.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "TLS handshake: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// dial implements http.Transport.DialContext.
func (d *dialer) dial(ctx context.Context, _, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	from, err := splitHostPort(address)
	if err != nil {
		return nil, err
	}
	to, named := d.routes.target(from)
	list, named, err := d.addresses(ctx, to, named)
	if err != nil {
		return nil, err
	}
	return d.first(ctx, list, to.port, named)
}

// dialTLS implements http.Transport.DialTLSContext. The certificate must match the requested host, wherever the
// connection goes.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	cfg := d.tls.Clone()
	cfg.ServerName, _, _ = net.SplitHostPort(address)
	secure := tls.Client(conn, cfg)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &handshakeError{err}
	}
	return secure, nil
}

func splitHostPort(address string) (hostPort, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return hostPort{}, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return hostPort{host, uint16(n)}, err
}

// addresses returns the addresses to dial, and whether the user configured these very addresses.
func (d *dialer) addresses(ctx context.Context, to hostPort, named bool) ([]netip.Addr, bool, error) {
	if list := d.routes.addresses(to); list != nil {
		return list, true, nil
	}
	if a, err := netip.ParseAddr(to.host); err == nil {
		return []netip.Addr{a}, named, nil
	}
	list, err := d.resolver.LookupNetIP(ctx, "ip", to.host)
	if err == nil && len(list) == 0 {
		err = &net.DNSError{Err: "no such host", Name: to.host, IsNotFound: true}
	}
	return list, false, err
}

// first checks all addresses and returns the first connection that succeeds. One address that is not public spoils
// the whole answer: the name of a public site never resolves to one.
func (d *dialer) first(ctx context.Context, list []netip.Addr, port uint16, named bool) (net.Conn, error) {
	guard := d.guard
	if named {
		guard = nil
	}
	list = slices.Clone(list)
	for i, a := range list {
		list[i] = a.Unmap()
		if err := guard.check(list[i]); err != nil {
			return nil, err
		}
	}
	var errs []error
	for i, a := range list {
		conn, err := d.one(ctx, netip.AddrPortFrom(a, port), guard, len(list)-i)
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// one connects to an address. The guard checks the address again at the socket. The address gets an equal share of
// the time left for all remaining addresses.
func (d *dialer) one(ctx context.Context, to netip.AddrPort, guard *guard, left int) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout/time.Duration(left))
	defer cancel()
	if d.open != nil {
		return d.open(ctx, "tcp", to.String())
	}
	socket := net.Dialer{Control: guard.control}
	return socket.DialContext(ctx, "tcp", to.String())
}
