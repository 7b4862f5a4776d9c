package probe

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// ConnectTo makes connections for one host and port go to another, as curl's --connect-to. An empty Host or a zero Port
// stands for any; an empty ToHost or a zero ToPort leaves that part as it is. Of several that match the first counts. What the
// user sends to an address in so many words is dialled even where that address is not public.
type ConnectTo struct {
	Host   string
	Port   uint16
	ToHost string
	ToPort uint16
}

// Resolve gives a host and port its addresses in the place of DNS, as curl's --resolve. Host may be "*". Of several
// for one host and port the last counts; one without Addrs takes the earlier ones back. Such an address is dialled even where
// it is not public.
type Resolve struct {
	Host  string
	Port  uint16
	Addrs []netip.Addr
}

// ParseConnectTo reads "HOST1:PORT1:HOST2:PORT2", each part of which may be empty and IPv6 addresses stand in brackets.
func ParseConnectTo(text string) (ConnectTo, error) {
	var c ConnectTo
	var err error
	parts := splitColons(text)
	if len(parts) != 4 {
		return c, fmt.Errorf("connect-to %q: it is HOST1:PORT1:HOST2:PORT2, each of which may be empty, IPv6 addresses in brackets", text)
	}
	c.Host, c.ToHost = hostPart(parts[0]), hostPart(parts[2])
	if c.Port, err = portPart(parts[1]); err == nil {
		c.ToPort, err = portPart(parts[3])
	}
	if err != nil {
		return c, fmt.Errorf("connect-to %q: %w", text, err)
	}
	return c, nil
}

// ParseResolve reads "[+]HOST:PORT:ADDR[,ADDR]…", or "-HOST:PORT", which takes earlier ones back. The "+", with which curl lets an
// entry grow old, says nothing here.
func ParseResolve(text string) (Resolve, error) {
	rest, remove := strings.CutPrefix(text, "-")
	if !remove {
		rest = strings.TrimPrefix(text, "+")
	}
	parts := splitColons(rest)
	if len(parts) < 2 || remove != (len(parts) == 2) || parts[0] == "" {
		return Resolve{}, fmt.Errorf("resolve %q: it is HOST:PORT:ADDR[,ADDR], or -HOST:PORT", text)
	}
	r := Resolve{Host: hostPart(parts[0])}
	var err error
	if r.Port, err = portPart(parts[1]); err == nil && r.Port == 0 {
		err = errors.New("the port is missing")
	}
	if err == nil && !remove {
		r.Addrs, err = parseAddrs(strings.Join(parts[2:], ":"))
	}
	if err != nil {
		return r, fmt.Errorf("resolve %q: %w", text, err)
	}
	return r, nil
}

// splitColons splits at the colons that do not stand in brackets.
func splitColons(text string) (parts []string) {
	begin, inside := 0, false
	for i := range len(text) {
		switch text[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ':':
			if !inside {
				parts = append(parts, text[begin:i])
				begin = i + 1
			}
		}
	}
	return append(parts, text[begin:])
}

// hostPart returns a host as it is compared and dialled: in lower case, without brackets.
func hostPart(text string) string {
	return strings.ToLower(strings.Trim(text, "[]"))
}

func portPart(text string) (uint16, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no port", text)
	}
	return uint16(n), nil
}

func parseAddrs(text string) (list []netip.Addr, err error) {
	for part := range strings.SplitSeq(text, ",") {
		a, err := netip.ParseAddr(strings.Trim(strings.TrimSpace(part), "[]"))
		if err != nil {
			return nil, fmt.Errorf("%q is no address", part)
		}
		list = append(list, a)
	}
	return list, nil
}

// hostPort is a host in lower case, without brackets, and a port.
type hostPort struct {
	host string
	port uint16
}

// routes is where the user sends connections.
type routes struct {
	connectTo []ConnectTo
	resolve   map[hostPort][]netip.Addr
}

func newRoutes(connectTo []ConnectTo, resolve []Resolve) *routes {
	r := &routes{resolve: map[hostPort][]netip.Addr{}}
	for _, c := range connectTo {
		c.Host, c.ToHost = hostPart(c.Host), hostPart(c.ToHost)
		r.connectTo = append(r.connectTo, c)
	}
	for _, e := range resolve {
		key := hostPort{hostPart(e.Host), e.Port}
		if len(e.Addrs) == 0 {
			delete(r.resolve, key)
			continue
		}
		r.resolve[key] = e.Addrs
	}
	return r
}

// target returns where a connection for the host and port goes, and whether the user has said so.
func (r *routes) target(from hostPort) (to hostPort, told bool) {
	for _, c := range r.connectTo {
		if c.Host != "" && c.Host != from.host || c.Port != 0 && c.Port != from.port {
			continue
		}
		to = from
		if c.ToHost != "" {
			to.host, told = c.ToHost, true
		}
		if c.ToPort != 0 {
			to.port = c.ToPort
		}
		return to, told
	}
	return from, false
}

// addresses returns the addresses that the user has given for a host and port; nil: none.
func (r *routes) addresses(to hostPort) []netip.Addr {
	if list, ok := r.resolve[to]; ok {
		return list
	}
	return r.resolve[hostPort{"*", to.port}]
}
