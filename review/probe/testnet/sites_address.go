package testnet

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"visto/canon"
)

// addressSites lead to addresses that are not public: by redirect, and by name (spec sections 2 and 7). The names
// lead only to loopback: a broken probe must not reach a real network.
func addressSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	redirects := Site{Host: "inward.gob.es", About: "redirects to addresses that are not public, in many notations",
		Pages: map[string]http.Handler{}}
	for i, location := range privateURLs {
		from := fmt.Sprintf("/tramites/salto-interior-%d", i)
		redirects.Pages[from] = Redirect(302, location)
		redirects.URLs = append(redirects.URLs, Want{URL: "https://inward.gob.es" + from, Reason: canon.PrivateAddress,
			Evidence: stopped(hop(302, resolved(location)))})
	}
	return []Site{
		redirects,
		{Host: "no-such-host.gob.es", About: "a name that does not exist", Unresolved: true,
			Facts: Facts{HTTPS: Unknown, Prefers: Nobody},
			URLs:  []Want{lostName("no-such-host.gob.es", "no such host", path)}},
		{Host: "loopback-name.gob.es", About: "a name that resolves to loopback, IPv6 first",
			Addresses: answers("::1 127.0.0.1"), Rest: ordinary,
			Facts: Facts{HTTPS: Unknown, Prefers: Nobody},
			URLs:  []Want{lostName("loopback-name.gob.es", "not a public address", path)}},
		{Host: "loopback-net-name.gob.es", About: "a name that resolves to another address of the loopback network",
			Addresses: answers("127.77.0.1"), Rest: ordinary,
			Facts: Facts{HTTPS: Unknown, Prefers: Nobody},
			URLs:  []Want{lostName("loopback-net-name.gob.es", "127.77.0.1", path)}},
		{Host: "mapped-name.gob.es", About: "a name that resolves to loopback as an IPv4-mapped address",
			Addresses: answers("::ffff:127.0.0.1"), Rest: ordinary,
			Facts: Facts{HTTPS: Unknown, Prefers: Nobody},
			URLs:  []Want{lostName("mapped-name.gob.es", "not a public address", path)}},
	}
}

// privateURLs are redirects to addresses that are not public.
var privateURLs = []string{
	"http://127.0.0.1/", "http://127.0.0.1:8080/admin", "https://169.254.169.254/latest/meta-data/",
	"http://10.0.0.1/", "http://192.168.1.1/",
	"http://172.16.0.1/", "http://100.64.0.1/", "http://0.0.0.0/", "http://localhost/", "http://[::1]/",
	"http://[::ffff:127.0.0.1]/",
	"http://[fd00::1]/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/",
	"http://0x7f.1/",
	"//127.0.0.1/", "http://ana@127.0.0.1/", "http://127.0.0.1./",
}

// resolved returns the recorded form of a Location in privateURLs: absolute and without credentials.
func resolved(location string) string {
	if strings.HasPrefix(location, "//") {
		return "https:" + location
	}
	return strings.Replace(location, "ana@", "", 1)
}

func lostName(host, why, path string) Want {
	return Want{URL: "https://" + host + path, Canonical: "https://" + host + path, Flags: flags(canon.Unreachable),
		Evidence: Evidence{Error: why}}
}

// answers parses the answers of the resolver, each with addresses separated by spaces.
func answers(each ...string) (all [][]netip.Addr) {
	for _, answer := range each {
		var one []netip.Addr
		for _, a := range strings.Fields(answer) {
			one = append(one, netip.MustParseAddr(a))
		}
		all = append(all, one)
	}
	return all
}
