package probe

import (
	"errors"
	"net"
	"strings"
	"syscall"
)

// ErrOffline ends a probe when the machine has no network: there is no route, or no resolver answers, and no host has
// answered this Prober yet. Nothing is known of the URL then, so there is no report.
var ErrOffline = errors.New("no network: no host can be reached from here, and nothing was recorded")

// offline reports whether the failure of a connection may be that of the machine's own network. A resolver that answers
// "server misbehaving" is there; an IPv6 address without a route is common where IPv4 works.
func offline(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return !dns.IsNotFound && !strings.Contains(dns.Err, "misbehaving")
	}
	if !errors.Is(err, syscall.ENETUNREACH) && !errors.Is(err, syscall.ENETDOWN) {
		return false
	}
	op, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return true
	}
	addr, ok := op.Addr.(*net.TCPAddr)
	return !ok || addr.IP.To4() != nil
}
