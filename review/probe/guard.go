package probe

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// errNotPublic is why an address is not dialled.
var errNotPublic = errors.New("not a public address")

// usualPorts are those at which public sites are served; others are asked only if Config.ExtraPorts has them.
var usualPorts = []uint16{80, 443, 8080, 8443}

// metadata are addresses that are public by their number and yet belong to the machine's own surroundings. The other
// metadata services stand at link-local, shared or private addresses.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's wire server
}

// guard says which addresses may be dialled: those that the IANA special-purpose registries leave to the public, in IPv6 those
// that also carry no IPv4 address within them (mapped, compatible, NAT64, 6to4, Teredo, ISATAP). The lists are those of package
// ssrf, which are generated from the registries and are made for this place. A nil guard lets everything pass.
type guard struct{ ssrf *ssrf.Guardian }

func newGuard() *guard {
	return &guard{ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(metadata...))}
}

// control is for net.Dialer.Control: it sees the address to which the socket is about to be connected.
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

// check returns an error that is errNotPublic unless the address is one of the public internet.
func (g *guard) check(a netip.Addr) error {
	if g == nil {
		return nil
	}
	if a.Zone() != "" || isISATAP(a) || g.ssrf.SafeAddr(a) != nil {
		return fmt.Errorf("%s is %w", a, errNotPublic)
	}
	return nil
}

// isISATAP reports an interface identifier that carries an IPv4 address (RFC 5214 section 6.1): packets to it leave through a tunnel
// to that address.
func isISATAP(a netip.Addr) bool {
	b := a.As16()
	return a.Is6() && !a.Is4In6() && b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
