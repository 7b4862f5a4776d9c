package canon

import (
	"bytes"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// domainToASCII is the processing of UTS 46 with the options of the WHATWG URL standard ("domain to ASCII", beStrict
// false).
var domainToASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.CheckJoiners(true), idna.BidiRule(), idna.VerifyDNSLength(false))

// asciiHost returns the wire form of a host: percent-decoded, mapped to ASCII, in lower case, an address in its usual
// notation, without one trailing dot. It refuses names that no resolver can find, localhost, and addresses that are not
// public. A host in wire form is returned itself, not copied.
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
		if i := slices.IndexFunc(ascii, func(x byte) bool { return !plainHost[x] }); i >= 0 {
			return nil, invalid("a host cannot hold '%c'", ascii[i])
		}
	}
	return mappedHost(dropDot(ascii))
}

// mappedHost is the rest of asciiHost, for a host with nothing to decode, lower or map, and without the dot at its end.
func mappedHost(ascii []byte) ([]byte, *rejection) {
	if endsInNumber(ascii) {
		return ipv4Host(ascii)
	}
	if isLocalhost(ascii) {
		return nil, &rejection{PrivateAddress, "localhost is this machine, not a public site"}
	}
	if bad := checkName(ascii); bad != nil {
		return nil, bad
	}
	return ascii, nil
}

// The limits of the domain name system in bytes, without the dot at the end (RFC 1035 section 2.3.4).
const maxLabel, maxName = 63, 253

// checkName refuses a name that no resolver can find, and a scheme in the place of a name.
func checkName(host []byte) *rejection {
	if string(host) == "https" || string(host) == "http" {
		return secondScheme
	}
	if len(host) > maxName {
		return invalid("the host has %d bytes: no resolver finds one over %d", len(host), maxName)
	}
	n := len(host)
	if 0 < n && n <= maxLabel {
		if dots := dotsOf(host); dots&(dots<<1|1|1<<(n-1)) == 0 {
			return nil // nearly every host
		}
	}
	for label, rest, more := cut(host, '.'); ; label, rest, more = cut(rest, '.') {
		switch n := len(label); {
		case n == 0:
			return invalid("the host has an empty label: no resolver finds it")
		case n > maxLabel:
			return invalid("the host has a label of %d bytes: no resolver finds one over %d", n, maxLabel)
		case !more:
			return nil
		}
	}
}

// plainHost holds the bytes of every name in wire form. Browsers take more; no registry does.
var plainHost = setOf("abcdefghijklmnopqrstuvwxyz0123456789-._")

// isPlainHost reports whether there is nothing to decode, lower or map in the host.
func isPlainHost(host []byte) bool {
	for i, x := range host {
		if !plainHost[x] || x == '-' && i >= 3 && string(host[i-3:i]) == "xn-" {
			return false
		}
	}
	return true
}

// mapHost decodes, lowers and maps a host that is not plain.
func mapHost(host []byte) ([]byte, *rejection) {
	decoded := decode(nil, host)
	if isLatin(decoded) {
		if ascii, err := idna.Punycode.ToASCII(string(decoded)); err == nil {
			return []byte(ascii), nil
		}
	}
	if bad := checkPunycode(decoded); bad != nil {
		return nil, bad
	}
	if bytes.IndexFunc(decoded, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
		decoded = lowerASCII(decoded)
		if !bytes.Contains(decoded, []byte("xn--")) {
			return decoded, nil
		}
	}
	ascii, err := domainToASCII.ToASCII(string(decoded))
	if err != nil || ascii == "" {
		return nil, invalid(`IDNA refuses the host "%s"`, decoded)
	}
	if ascii != string(decoded) {
		if again, err := domainToASCII.ToASCII(ascii); err != nil || again != ascii {
			return nil, invalid(`the host "%s" has no stable IDNA form`, decoded)
		}
	}
	shown := shownHost(ascii)
	if i := strings.IndexFunc(shown, isQuote); i >= 0 {
		c, _ := utf8.DecodeRuneInString(shown[i:])
		return nil, invalid("a host cannot hold '%c'", c)
	}
	return []byte(ascii), nil
}

// checkPunycode refuses a label in wire form that holds nothing, or more than ASCII. golang.org/x/net/idna takes
// "example.com.xn--" for "example.com" (golang/go#81549, #81116).
func checkPunycode(host []byte) *rejection {
	folded := strings.ToLower(norm.NFKC.String(string(host)))
	isDot := func(c rune) bool { return c == '.' || c == '。' }
	for label := range strings.FieldsFuncSeq(folded, isDot) {
		label = strings.Map(withoutInvisible, label)
		code, isMapped := strings.CutPrefix(label, "xn--")
		isASCII := strings.IndexFunc(code, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
		if isMapped && (code == "" || !isASCII) {
			return invalid(`IDNA refuses the label "%s"`, label)
		}
	}
	return nil
}

// withoutInvisible drops the characters that IDNA drops.
func withoutInvisible(c rune) rune {
	if unicode.Is(unicode.Cf, c) {
		return -1
	}
	return c
}

// isLatin reports whether a host has only plain bytes and small letters of Latin-1, as the languages of Spain have.
// IDNA maps and refuses none of them, except in labels in wire form.
func isLatin(host []byte) bool {
	const letters, division = 0xc3, 0xb7 // the first byte of all letters; the second one of the division sign
	for i := 0; i < len(host); i++ {
		if plainHost[host[i]] {
			continue
		}
		if i++; i == len(host) || host[i-1] != letters || host[i] < 0xa0 || host[i] > 0xbf || host[i] == division {
			return false
		}
	}
	return !bytes.Contains(host, []byte("xn--"))
}

// isQuote reports whether c is a quote or bracket of any script. IDNA 2008 allows none (RFC 5892), UTS 46 lets most
// pass. A URL that was copied with half of a pair has one.
func isQuote(c rune) bool {
	isPlain := c < utf8.RuneSelf && plainHost[c]
	return !isPlain && unicode.In(c, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe)
}

// dropDot drops the one trailing dot of a fully qualified name (RFC 3986 section 3.2.2).
func dropDot(host []byte) []byte {
	if n := len(host); host[n-1] == '.' {
		return host[: n-1 : n-1]
	}
	return host
}

func isLocalhost(host []byte) bool {
	if n := len(host); n == 0 || host[n-1] != 't' {
		return false // nearly every host
	}
	name, isLocal := bytes.CutSuffix(host, []byte("localhost"))
	return isLocal && (len(name) == 0 || name[len(name)-1] == '.')
}

// endsInNumber is the "ends in a number checker" of the WHATWG URL standard. Such a host is an IPv4 address or invalid.
func endsInNumber(host []byte) bool {
	last := host[bytes.LastIndexByte(host, '.')+1:]
	if len(last) == 0 || !isDigit(last[0]) {
		return false // a number begins with a digit in every notation
	}
	_, ok := ipv4Number(string(last))
	return ok || isDigits(last)
}

// ipv4Host is the IPv4 parser of the WHATWG URL standard. It reads every notation that resolvers take: decimal, octal,
// hexadecimal, and fewer than four parts.
func ipv4Host(host []byte) ([]byte, *rejection) {
	parts := strings.Split(string(host), ".")
	if len(parts) > 4 {
		return nil, invalid(`"%s" looks like an IPv4 address and is none`, host)
	}
	var addr uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		limit, shift := uint64(256), 8*(3-i)
		if i == len(parts)-1 { // the rest of the address
			limit, shift = 1<<(8*(4-i)), 0
		}
		if !ok || n >= limit {
			return nil, invalid(`"%s" looks like an IPv4 address and is none`, host)
		}
		addr += n << shift
	}
	ip := netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)})
	return publicAddress(ip, []byte(ip.String()))
}

// ipv4Number reads one part of an IPv4 address. The standard reads a bare "0x" as zero.
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
	if err != nil { // all are digits, so there are too many
		return 1 << 62, true
	}
	return n, true
}

// ipv6Host reads an address in brackets. It refuses zones, which name an interface of this machine. An address with one
// is rejected like that without it, and is no URL if it is public.
func ipv6Host(host []byte) ([]byte, *rejection) {
	if host[len(host)-1] != ']' {
		return nil, invalid("the bracket of the IPv6 address is not closed")
	}
	text, _, hasZone := cut(host[1:len(host)-1], '%')
	ip, err := netip.ParseAddr(string(text))
	if err != nil || !ip.Is6() {
		return nil, invalid(`"%s" is not an IPv6 address`, host)
	}
	ascii, bad := publicAddress(ip, []byte("["+ip.String()+"]"))
	if bad == nil && hasZone {
		return nil, invalid(`"%s" is not an IPv6 address of a site: it names an interface`, host)
	}
	return ascii, bad
}

// notPublic holds the address ranges without public sites (IANA special-purpose registries; seed 003 "No local/private
// IPs"). IPv6 ranges that carry an IPv4 address are among them, because the packets go to that address.
var notPublic = func() (list []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32",
		"2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
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
