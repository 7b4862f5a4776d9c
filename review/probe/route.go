package probe

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"visto/review/lazyregexp"
)

// ConnectTo redirects connections for a host and port to another, as curl's --connect-to. An empty Host or a zero
// Port matches any; an empty ToHost or a zero ToPort keeps that part. The first match counts. An address that the
// user names literally is dialled even if it is not public.
type ConnectTo struct {
	Host   string
	Port   uint16
	ToHost string
	ToPort uint16
}

// Resolve gives a host and port their addresses in place of DNS, as curl's --resolve. Host may be "*". The last entry
// for a host and port counts; one without Addrs cancels earlier ones. These addresses are dialled even if they are
// not public.
type Resolve struct {
	Host  string
	Port  uint16
	Addrs []netip.Addr
}

// ParseConnectTo parses texts such as "HOST1:PORT1:HOST2:PORT2". Each part may be empty; IPv6 addresses stand in
// brackets.
func ParseConnectTo(texts ...string) (list []ConnectTo, err error) {
	for _, text := range texts {
		c, err := parseConnectTo(text)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func parseConnectTo(text string) (ConnectTo, error) {
	m := connectToForm().FindStringSubmatch(text)
	if m == nil {
		return ConnectTo{}, fmt.Errorf("connect-to %q: it is HOST1:PORT1:HOST2:PORT2, each of which may be empty, "+
			"IPv6 addresses in brackets", text)
	}
	port, err := portPart(m[2])
	toPort, toErr := portPart(m[4])
	if err = cmp.Or(err, toErr); err != nil {
		return ConnectTo{}, fmt.Errorf("connect-to %q: %w", text, err)
	}
	return ConnectTo{hostPart(m[1]), port, hostPart(m[3]), toPort}, nil
}

// ParseResolve parses "[+]HOST:PORT:ADDR[,ADDR]…", or "-HOST:PORT", which cancels earlier entries. The "+", a timeout
// in curl, has no meaning here.
func ParseResolve(text string) (Resolve, error) {
	m := resolveForm().FindStringSubmatch(text)
	if m == nil || (m[1] == "-") != (m[4] == "") {
		return Resolve{}, fmt.Errorf("resolve %q: it is HOST:PORT:ADDR[,ADDR], or -HOST:PORT", text)
	}
	port, err := portPart(m[3])
	if err == nil && port == 0 {
		err = errors.New("the port is missing")
	}
	var addrs []netip.Addr
	if err == nil && m[4] != "" {
		addrs, err = parseAddrs(m[4][1:])
	}
	if err != nil {
		return Resolve{}, fmt.Errorf("resolve %q: %w", text, err)
	}
	return Resolve{hostPart(m[2]), port, addrs}, nil
}

// The forms of the arguments. A colon within brackets separates nothing.
var (
	connectToForm = lazyregexp.New(`^(\[[^]]*\]|[^:[]*):([^:]*):(\[[^]]*\]|[^:[]*):([^:]*)$`)
	resolveForm   = lazyregexp.New(`^([-+]?)(\[[^]]*\]|[^:[]+):([^:]*)(:.*)?$`)
)

// hostPart returns a host in the form for comparing and dialling: lower case, without brackets.
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

// routes are the user's connection rules.
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

// target returns the destination of a connection, and whether the user configured it.
func (r *routes) target(from hostPort) (to hostPort, named bool) {
	for _, c := range r.connectTo {
		if c.Host != "" && c.Host != from.host || c.Port != 0 && c.Port != from.port {
			continue
		}
		to = from
		if c.ToHost != "" {
			to.host, named = c.ToHost, true
		}
		if c.ToPort != 0 {
			to.port = c.ToPort
		}
		return to, named
	}
	return from, false
}

// addresses returns the addresses that the user configured for a host and port; nil: none.
func (r *routes) addresses(to hostPort) []netip.Addr {
	if list, ok := r.resolve[to]; ok {
		return list
	}
	return r.resolve[hostPort{"*", to.port}]
}
