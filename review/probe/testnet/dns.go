package testnet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// names is the stub resolver.
type names struct {
	sorted []string // all hosts

	mu    sync.Mutex
	asked map[string]int
}

// LookupNetIP resolves a name by the site's table, as net.Resolver does. A site without addresses in the table gets a
// public one of its own; a name of no site does not exist.
func (n *Net) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	host = strings.TrimSuffix(host, ".")
	site := n.sites[host]
	if site == nil && host == "archive.org" {
		return []netip.Addr{n.names.address(host)}, nil // as everywhere, unless a site says otherwise
	}
	if site == nil || site.Unresolved {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	nth := n.names.count(host)
	if len(site.Addresses) == 0 {
		return []netip.Addr{n.names.address(host)}, nil
	}
	return slices.Clone(site.Addresses[min(nth, len(site.Addresses)-1)]), nil
}

// address returns the public address of a host. Nobody may be asked there: ConnectTo leads to loopback, and a test
// without it runs where these addresses are its own.
func (s *names) address(host string) netip.Addr {
	i, _ := slices.BinarySearch(s.sorted, host)
	return netip.AddrFrom4([4]byte{151, 101, byte(i / 250), byte(1 + i%250)})
}

// count counts the lookups of a name and returns their number before this one.
func (s *names) count(host string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[host]++
	return s.asked[host] - 1
}

// Looked returns the number of lookups of a name.
func (n *Net) Looked(host string) int {
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	return n.names.asked[host]
}

// closed is an address at which nothing listens: that of the TCP port multiplexer, which no system has had for
// decades.
const closed = "127.0.0.1:1"

// ConnectTo returns the rules that lead a client to the test internet, in the form of curl's --connect-to. The
// resolver decides about names that do not exist and names with addresses in the table, so they have no rules.
func (n *Net) ConnectTo() []string {
	var rules []string
	for _, host := range n.Hosts() {
		site := n.sites[host]
		if site.Unresolved || len(site.Addresses) > 0 {
			continue
		}
		for _, port := range []int{80, 8080, 443, 8443} {
			rules = append(rules, fmt.Sprintf("%s:%d:%s", host, port, n.target(site, port)))
		}
	}
	return rules
}

// target returns the address that answers at a port of the site.
func (n *Net) target(site *Site, port int) string {
	switch {
	case port == 80 && site.Insecure == ClosedPlain, port == 443 && site.Security == ClosedSecure:
		return closed
	case port == 80, port == 8080:
		return n.plain.Addr().String()
	}
	return n.secure.Addr().String()
}
