package canon

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// domainToASCII is UTS 46 processing as the WHATWG URL standard asks for it ("domain to ASCII", beStrict false).
var domainToASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(false))

// asciiHost returns the host as it goes over the wire: percent-decoded, mapped to ASCII, in lower case, an address in
// its usual notation, one trailing dot dropped. An address that is not public is refused, and so is localhost.
// The result is host itself where that already is the answer.
func asciiHost(host []byte) ([]byte, *rejection) {
	if host[0] == '[' {
		return ipv6Host(host)
	}
	ascii := host
	if !isPlainHost(host) {
		var bad *rejection
		if ascii, bad = mapHost(host); bad != nil {
			return nil, bad
		}
		if i := bytes.IndexFunc(ascii, isForbidden); i >= 0 {
			return nil, invalid("a host cannot hold '%c'", ascii[i])
		}
	}
	ascii = dropDot(ascii)
	if endsInNumber(ascii) {
		return ipv4Host(ascii)
	}
	if isLocalhost(ascii) {
		return nil, &rejection{PrivateAddress, "localhost is this machine, not a public site"}
	}
	return ascii, nil
}

// plainHost is what nearly every host is made of.
var plainHost = setOf("abcdefghijklmnopqrstuvwxyz0123456789-._")

// isPlainHost reports whether the host has nothing to decode, lower, map or refuse.
func isPlainHost(host []byte) bool {
	for _, x := range host {
		if !plainHost[x] {
			return false
		}
	}
	return !bytes.Contains(host, []byte("xn--"))
}

// mapHost decodes, lowers and maps a host that is not plain.
func mapHost(host []byte) ([]byte, *rejection) {
	decoded := decode(nil, host)
	if isASCII(decoded) {
		decoded = lowerASCII(decoded)
		if !bytes.Contains(decoded, []byte("xn--")) {
			return decoded, nil
		}
	}
	ascii, err := domainToASCII.ToASCII(string(decoded))
	if err != nil || ascii == "" {
		return nil, invalid(`IDNA refuses the host "%s"`, decoded)
	}
	if again, err := domainToASCII.ToASCII(ascii); err != nil || again != ascii {
		return nil, invalid(`the host "%s" has no stable IDNA form`, decoded)
	}
	return []byte(ascii), nil
}

func isASCII(b []byte) bool {
	for _, x := range b {
		if x >= 0x80 {
			return false
		}
	}
	return true
}

// isForbidden is the standard's "forbidden domain code point".
func isForbidden(r rune) bool {
	return r <= ' ' || r == 0x7f || r < 0x80 && strings.IndexByte(`#/:<>?@[\]^|%`, byte(r)) >= 0
}

// dropDot drops the one trailing dot of a fully qualified name. A host of which an empty label would be left
// ("h..") stays as it is, so that dropping twice is dropping once.
func dropDot(host []byte) []byte {
	n := len(host)
	if n > 1 && host[n-1] == '.' && host[n-2] != '.' {
		return host[: n-1 : n-1]
	}
	return host
}

func isLocalhost(host []byte) bool {
	return string(host) == "localhost" || bytes.HasSuffix(host, []byte(".localhost"))
}

// endsInNumber is the standard's "ends in a number checker": such a host is an IPv4 address or nothing.
func endsInNumber(host []byte) bool {
	last := host[bytes.LastIndexByte(host, '.')+1:]
	if len(last) == 0 || !isDigit(last[0]) {
		return false // a number begins with a digit in every notation
	}
	digits := true
	for _, x := range last {
		digits = digits && isDigit(x)
	}
	if digits {
		return true
	}
	_, ok := ipv4Number(string(last))
	return ok
}

// ipv4Host is the standard's IPv4 parser: every notation that a resolver takes, decimal, octal, hexadecimal, and
// fewer than four parts.
func ipv4Host(host []byte) ([]byte, *rejection) {
	parts := strings.Split(string(host), ".")
	if len(parts) > 4 {
		return nil, invalid(`"%s" looks like an IPv4 address and is none`, host)
	}
	var addr uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		limit := uint64(256)
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		if !ok || n >= limit {
			return nil, invalid(`"%s" looks like an IPv4 address and is none`, host)
		}
		if i == len(parts)-1 {
			addr += n
		} else {
			addr += n << (8 * (3 - i))
		}
	}
	ip := netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)})
	return publicAddress(ip, []byte(ip.String()))
}

// ipv4Number reads one part of an IPv4 address. A bare "0x" is zero, as the standard has it.
func ipv4Number(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	for _, x := range []byte(s) {
		if !isHex(x) || int(unhex(x)) >= base {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s, base, 63)
	if err != nil { // they are digits, only too many
		return 1 << 62, true
	}
	return n, true
}

// ipv6Host reads a bracketed address. Zones name an interface of this machine, so they are refused.
func ipv6Host(host []byte) ([]byte, *rejection) {
	if host[len(host)-1] != ']' {
		return nil, invalid("the bracket of the IPv6 address is not closed")
	}
	ip, err := netip.ParseAddr(string(host[1 : len(host)-1]))
	if err != nil || !ip.Is6() || ip.Zone() != "" {
		return nil, invalid(`"%s" is not an IPv6 address`, host)
	}
	return publicAddress(ip, []byte("["+ip.String()+"]"))
}

// notPublic are the ranges that are not anybody's public site (IANA special-purpose registries; seed 003 "No
// local/private IPs"). The IPv6 ranges that carry an IPv4 address are in it as well: what they reach is not what
// they show.
var notPublic = func() (list []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2002::/16", "fc00::/7", "fe80::/10",
		"fec0::/10", "ff00::/8",
	} {
		list = append(list, netip.MustParsePrefix(s))
	}
	return list
}()

func publicAddress(ip netip.Addr, text []byte) ([]byte, *rejection) {
	for _, prefix := range notPublic {
		if prefix.Contains(ip) {
			return nil, &rejection{PrivateAddress, "the address " + ip.String() + " is not public"}
		}
	}
	return text, nil
}
