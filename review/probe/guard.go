package probe

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// errNotPublic is the reason why an address is not dialled.
var errNotPublic = errors.New("not a public address")

// usualPorts are the ports of public sites. Other ports need Config.ExtraPorts.
var usualPorts = []uint16{80, 443, 8080, 8443}

// metadata lists addresses that look public but belong to the machine's own surroundings. Other metadata services use
// link-local, shared or private addresses.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's wire server
}

// guard decides which addresses may be dialled: those that the IANA special-purpose registries leave to the public,
// without IPv6 addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP). The lists are
// those of package ssrf, which generates them from the registries. A nil guard admits every address.
type guard struct{ ssrf *ssrf.Guardian }

func newGuard() *guard {
	return &guard{ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(metadata...))}
}

// control implements net.Dialer.Control. It sees the address that the socket is about to connect to.
func (g *guard) control(network, address string, _ syscall.RawConn) error {
	if g == nil {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%s over %s: %w", address, network, errNotPublic)
	}
	return g.check(to.Addr())
}

// check returns errNotPublic unless the address belongs to the public internet.
func (g *guard) check(a netip.Addr) error {
	if g == nil {
		return nil
	}
	if a.Zone() != "" || isISATAP(a) || g.ssrf.SafeAddr(a) != nil {
		return fmt.Errorf("%s is %w", a, errNotPublic)
	}
	return nil
}

// isISATAP reports whether the interface identifier embeds an IPv4 address (RFC 5214 section 6.1): packets to it
// leave through a tunnel to that address.
func isISATAP(a netip.Addr) bool {
	b := a.As16()
	return a.Is6() && !a.Is4In6() && b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
