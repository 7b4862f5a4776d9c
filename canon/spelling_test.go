package canon_test

import (
	"strings"
	"testing"

	"visto/canon"
)

// promises are the equivalences that the seed of a policy promises, not those of its switches.
type promises struct {
	name, file string
	escapes    bool // percent-encoding in normal form, dot segments resolved
	https      bool // the scheme does not matter
	slashes    bool // the number of slashes in a row does not matter
	lower      bool // the case of a path does not matter
	end        bool // the slash at the end does not matter
	fragment   bool // the fragment does not matter
	tracking   bool // utm_source does not matter
	sessions   bool // jsessionid does not matter
	sorted     bool // the order of names does not matter
	byValue    bool // the order of values under one name does not matter
	escaped    bool // a reserved character in a value and its escape are one
	plus       bool // a plus in a query is a space
	www        bool // "www." before a name does not matter
	empty      bool // an empty query is none
}

var promised = []promises{
	{name: "clara", file: "extends: clara", escapes: true, https: true, end: true, fragment: true, tracking: true,
		sessions: true, empty: true},
	{name: "rfc3986", file: "extends: rfc3986", escapes: true},
	{name: "aggressive", file: "extends: aggressive", escapes: true, https: true, slashes: true, end: true,
		fragment: true, sessions: true, sorted: true, escaped: true, plus: true, www: true, empty: true},
	{name: "curious-now-v0", file: "extends: curious-now-v0", slashes: true, end: true, fragment: true, tracking: true,
		sorted: true, byValue: true, empty: true},
	{name: "fetch-guidelines", file: "extends: fetch-guidelines", escapes: true, end: true, tracking: true,
		sorted: true},
	{name: "seoslug", file: "{extends: seoslug, canonical_host: www.example.gob.es}", https: true, slashes: true,
		lower: true, end: true, fragment: true, tracking: true, empty: true},
}

// classes are spellings of one URL, under the policies that when selects.
var classes = []struct {
	name      string
	when      func(promises) bool
	spellings []string
}{
	{"host in any case", always, []string{"https://www.example.gob.es/a", "https://WWW.Example.GOB.es/a",
		"hTTps://wWw.example.gob.ES/a"}},
	{"default port", always, []string{"https://www.example.gob.es/a", "https://www.example.gob.es:443/a",
		"https://www.example.gob.es:0443/a", "https://www.example.gob.es:/a"}},
	{"default port of http", always, []string{"http://www.example.gob.es/a", "http://www.example.gob.es:80/a",
		"http://www.example.gob.es:00080/a"}},
	{"a dot at the end of the host", always, []string{"https://www.example.gob.es/a", "https://www.example.gob.es./a",
		"https://www.example.gob.es。/a"}},
	{"IDNA", always, []string{"https://españa.gob.es/a", "https://ESPAÑA.gob.es/a", "https://espan\u0303a.gob.es/a",
		"https://xn--espaa-rta.gob.es/a",
		"https://XN--ESPAA-RTA.gob.es/a", "https://espa%C3%B1a.gob.es/a", "https://ｅｓｐａñａ.gob.es/a",
		"https://espa\u00adña.gob.es/a"}},
	{"full-width letters and dots", always, []string{"https://www.example.gob.es/a", "https://ｗｗｗ.example.gob.es/a",
		"https://www。example｡gob．es/a", "https://www%2eexample%2Egob.es/a", "https://%77ww.example.gob.es/a"}},
	{"IPv4", always, []string{"http://8.8.8.8/a", "http://134744072/a", "http://0x08080808/a", "http://010.8.8.8/a",
		"http://8.8.2056/a", "http://8.526344/a", "http://0X8.0x8.8.8./a", "http://8.8.8.%38/a", "http://８.8.8.8/a"}},
	{"IPv6", always, []string{"http://[2001:db8::1]/a", "http://[2001:DB8:0:0:0:0:0:1]/a", "http://[2001:0db8::0001]/a",
		"http://[2001:db8::0.0.0.1]/a"}},
	{"slashes of either kind before the query", always,
		[]string{"https://www.example.gob.es/a/b?c=\\", "https:\\\\www.example.gob.es\\a\\b?c=\\",
			"https:/www.example.gob.es/a\\b?c=\\", "https:www.example.gob.es/a/b?c=%5C"}},
	{"white space", always, []string{"https://www.example.gob.es/a?b", " https://www.example.gob.es/a?b\n",
		"\x00\x1f\thttps://www.example.gob.es/a?b\r\n", "ht\ntps://www.exa\tmple.gob.es/\ra?\nb"}},
	{"no scheme", func(p promises) bool { return p.name != "aggressive" },
		[]string{"https://www.example.gob.es/a", "www.example.gob.es/a", "//www.example.gob.es/a",
			"www.example.gob.es:443/a", "www.example.gob.es:80/a"}},
	{"credentials", always, []string{"https://www.example.gob.es/a", "https://ana@www.example.gob.es/a",
		"https://ana:cl@ve@www.example.gob.es/a", "https://@www.example.gob.es/a"}},
	{"bytes that have no place", func(p promises) bool { return !p.escapes && !p.lower || p.escapes },
		[]string{"https://www.example.gob.es/a b/\"<>^`{|}/ñ?q=[]",
			"https://www.example.gob.es/a%20b/%22%3C%3E%5E%60%7B%7C%7D/%C3%B1?q=%5B%5D"}},
	{"case of escapes", func(p promises) bool { return p.escapes },
		[]string{"https://www.example.gob.es/%C3%B1%2F?id=%E1%26", "https://www.example.gob.es/%c3%b1%2f?id=%e1%26"}},
	{"unreserved characters", func(p promises) bool { return p.escapes },
		[]string{"https://www.example.gob.es/~a-B._9?id=~", "https://www.example.gob.es/%7Ea%2DB%2e%5f%39?%69d=%7e"}},
	{"dot segments", func(p promises) bool { return p.escapes },
		[]string{"https://www.example.gob.es/a/b/", "https://www.example.gob.es/./a/b/.",
			"https://www.example.gob.es/../a/x/../b/c/..",
			"https://www.example.gob.es/%2e%2E/a/%2e/b/", "https://www.example.gob.es/a/b/.%2e/b/%2e",
			"https://www.example.gob.es\\..\\a/b\\."}},
	{"a percent sign that is no escape", func(p promises) bool { return p.escapes },
		[]string{"https://www.example.gob.es/100%/%zz/a?id=%&b=%2",
			"https://www.example.gob.es/100%25/%25zz/a?id=%25&b=%252"}},
	{"the root", always, []string{"https://www.example.gob.es", "https://www.example.gob.es/"}},
	{"the root before a query", always, []string{"https://www.example.gob.es?id=1",
		"https://www.example.gob.es/?id=1"}},
	{"scheme", func(p promises) bool { return p.https },
		[]string{"https://www.example.gob.es/a", "http://www.example.gob.es/a", "http://www.example.gob.es:80/a",
			"https://www.example.gob.es:443/a"}},
	{"slashes in a row", func(p promises) bool { return p.slashes },
		[]string{"https://www.example.gob.es/a/b", "https://www.example.gob.es/a//b",
			"https://www.example.gob.es///a/\\/b"}},
	{"case of the path", func(p promises) bool { return p.lower },
		[]string{"https://www.example.gob.es/a/b", "https://www.example.gob.es/A/b", "https://www.example.gob.es/a/B"}},
	{"slash at the end", func(p promises) bool { return p.end },
		[]string{"https://www.example.gob.es/a/b", "https://www.example.gob.es/a/b/",
			"https://www.example.gob.es/a/b//"}},
	{"fragment", func(p promises) bool { return p.fragment },
		[]string{"https://www.example.gob.es/a?id=1", "https://www.example.gob.es/a?id=1#",
			"https://www.example.gob.es/a?id=1#x?y=1#z"}},
	{"tracking", func(p promises) bool { return p.tracking },
		[]string{"https://www.example.gob.es/a?id=1", "https://www.example.gob.es/a?utm_source=x&id=1",
			"https://www.example.gob.es/a?id=1&UTM_Source=%00",
			"https://www.example.gob.es/a?%75tm_source=&id=1&gclid=2",
			"https://www.example.gob.es/a?id=1&utm%5fcampaign"}},
	{"sessions", func(p promises) bool { return p.sessions },
		[]string{"https://www.example.gob.es/a/b?id=1", "https://www.example.gob.es/a;jsessionid=0/b?id=1",
			"https://www.example.gob.es/a/b;JSessionId=1.node2?id=1",
			"https://www.example.gob.es/(S(lit3py55))/a/b?id=1&PHPSESSID=3",
			"https://www.example.gob.es/a/b?%4aSESSIONID=1&id=1"}},
	{"order of names", func(p promises) bool { return p.sorted },
		[]string{"https://www.example.gob.es/a?a=2&a=1&b=3&c", "https://www.example.gob.es/a?c&a=2&b=3&a=1",
			"https://www.example.gob.es/a?b=3&a=2&a=1&c"}},
	{"order of values", func(p promises) bool { return p.byValue },
		[]string{"https://www.example.gob.es/a?a=2&a=1", "https://www.example.gob.es/a?a=1&a=2"}},
	{"reserved characters in values", func(p promises) bool { return p.escaped },
		[]string{"https://www.example.gob.es/a?id=x/y:z", "https://www.example.gob.es/a?id=x%2Fy%3Az"}},
	{"a plus and a space", func(p promises) bool { return p.plus },
		[]string{"https://www.example.gob.es/a?b+c=d+e", "https://www.example.gob.es/a?b%20c=d%20e",
			"https://www.example.gob.es/a?b c=d+e"}},
	{"www", func(p promises) bool { return p.www }, []string{"https://www.example.gob.es/a", "https://example.gob.es/a",
		"https://www.www.example.gob.es/a", "https://www12.example.gob.es/a"}},
	{"empty query", func(p promises) bool { return p.empty },
		[]string{"https://www.example.gob.es/a", "https://www.example.gob.es/a?", "https://www.example.gob.es/a?&&"}},
}

func always(promises) bool { return true }

// TestSpellingsBecomeOne checks that all spellings of a class have the same canonical URL.
func TestSpellingsBecomeOne(t *testing.T) {
	for _, p := range promised {
		c := canon.New(policyOf(t, p.file), nil)
		for _, class := range classes {
			if !class.when(p) {
				continue
			}
			first := c.Canonicalize(class.spellings[0], nil)
			if first.Verdict == canon.Rejected {
				t.Errorf("%s, %s: %q: %s", p.name, class.name, class.spellings[0], first.Detail)
			}
			for _, url := range class.spellings[1:] {
				if r := c.Canonicalize(url, nil); r.Canonical != first.Canonical {
					t.Errorf("%s, %s: %q becomes %q (%s), and %q %q", p.name, class.name, class.spellings[0],
						first.Canonical, r.Detail, url, r.Canonical)
				}
			}
		}
	}
}

// pairs name two resources, under the policies that when selects.
var pairs = []struct {
	name string
	when func(promises) bool
	a, b string
}{
	{"a slash and its escape", always, "https://www.example.gob.es/a/b/c", "https://www.example.gob.es/a%2Fb/c"},
	{"a question mark and its escape", always, "https://www.example.gob.es/a?b", "https://www.example.gob.es/a%3Fb"},
	{"a number sign and its escape", always, "https://www.example.gob.es/a#b", "https://www.example.gob.es/a%23b"},
	{"a percent sign and what it begins", always, "https://www.example.gob.es/%41", "https://www.example.gob.es/%2541"},
	{"an escaped backslash and a slash", always, "https://www.example.gob.es/a%5Cb", "https://www.example.gob.es/a/b"},
	{"a semicolon and its escape", always, "https://www.example.gob.es/a;b", "https://www.example.gob.es/a%3Bb"},
	{"an ampersand and its escape", always, "https://www.example.gob.es/a?b=1&c",
		"https://www.example.gob.es/a?b=1%26c"},
	{"an equals sign and its escape in a name", always, "https://www.example.gob.es/a?b=c",
		"https://www.example.gob.es/a?b%3Dc"},
	{"an equals sign and its escape in a value", func(p promises) bool { return !p.escaped },
		"https://www.example.gob.es/a?b=c=d", "https://www.example.gob.es/a?b=c%3Dd"},
	{"no value and an empty one", always, "https://www.example.gob.es/a?id", "https://www.example.gob.es/a?id="},
	{"plus and space", func(p promises) bool { return !p.plus }, "https://www.example.gob.es/a?id=b+c",
		"https://www.example.gob.es/a?id=b%20c"},
	{"plus and its escape", always, "https://www.example.gob.es/a?id=b+c", "https://www.example.gob.es/a?id=b%2Bc"},
	{"plus and its escape in a path", always, "https://www.example.gob.es/b+c", "https://www.example.gob.es/b%2Bc"},
	{"space and encoded plus", always, "https://www.example.gob.es/a?id=b%20c",
		"https://www.example.gob.es/a?id=b%2Bc"},
	{"two Latin-1 bytes", always, "https://www.example.gob.es/%E1", "https://www.example.gob.es/%F3"},
	{"two raw Latin-1 bytes", always, "https://www.example.gob.es/\xe1", "https://www.example.gob.es/\xf3"},
	{"a Latin-1 letter and the UTF-8 one", always, "https://www.example.gob.es/%E1",
		"https://www.example.gob.es/%C3%A1"},
	{"a byte and the replacement character", always, "https://www.example.gob.es/%E1",
		"https://www.example.gob.es/%EF%BF%BD"},
	{"composed and decomposed letters in a path", always, "https://www.example.gob.es/ñ",
		"https://www.example.gob.es/n\u0303"},
	{"case of the path", func(p promises) bool { return !p.lower }, "https://www.example.gob.es/a/B",
		"https://www.example.gob.es/a/b"},
	{"case of a name", always, "https://www.example.gob.es/a?ID=1", "https://www.example.gob.es/a?id=1"},
	{"case of a value", always, "https://www.example.gob.es/a?id=A", "https://www.example.gob.es/a?id=a"},
	{"order of parameters", func(p promises) bool { return !p.sorted }, "https://www.example.gob.es/a?id=1&tipo=2",
		"https://www.example.gob.es/a?tipo=2&id=1"},
	{"order of repeated names", func(p promises) bool { return !p.byValue }, "https://www.example.gob.es/a?id=1&id=2",
		"https://www.example.gob.es/a?id=2&id=1"},
	{"once and twice", always, "https://www.example.gob.es/a?id=1", "https://www.example.gob.es/a?id=1&id=1"},
	{"slashes in a row", func(p promises) bool { return !p.slashes }, "https://www.example.gob.es/a//b",
		"https://www.example.gob.es/a/b"},
	{"slash at the end", func(p promises) bool { return !p.end }, "https://www.example.gob.es/a/",
		"https://www.example.gob.es/a"},
	{"a matrix parameter", always, "https://www.example.gob.es/a;v=1/b", "https://www.example.gob.es/a/b"},
	{"two matrix parameters", always, "https://www.example.gob.es/a;v=1/b", "https://www.example.gob.es/a;v=2/b"},
	{"a session of two visitors, where it counts", func(p promises) bool { return !p.sessions },
		"https://www.example.gob.es/a;jsessionid=1", "https://www.example.gob.es/a;jsessionid=2"},
	{"tracking, where it counts", func(p promises) bool { return !p.tracking },
		"https://www.example.gob.es/a?utm_source=1", "https://www.example.gob.es/a"},
	{"a fragment, where it counts", func(p promises) bool { return !p.fragment }, "https://www.example.gob.es/a#b",
		"https://www.example.gob.es/a"},
	{"scheme, where it counts", func(p promises) bool { return !p.https }, "http://www.example.gob.es/a",
		"https://www.example.gob.es/a"},
	{"an empty query, where it counts", func(p promises) bool { return !p.empty }, "https://www.example.gob.es/a?",
		"https://www.example.gob.es/a"},
	{"dot segments, where they count", func(p promises) bool { return !p.escapes }, "https://www.example.gob.es/a/../b",
		"https://www.example.gob.es/b"},
	{"escapes, where they count", func(p promises) bool { return !p.escapes }, "https://www.example.gob.es/%7Ea",
		"https://www.example.gob.es/~a"},
	{"a dot segment and one that has more dots", always, "https://www.example.gob.es/a/.../b",
		"https://www.example.gob.es/a/b"},
	{"a parameter behind HTML's ampersand", always, "https://www.example.gob.es/a?id=1&amp;b=2",
		"https://www.example.gob.es/a?id=1&b=2"},
	{"a semicolon between pairs", always, "https://www.example.gob.es/a?id=1;b=2",
		"https://www.example.gob.es/a?id=1&b=2"},
	{"www, where it counts", func(p promises) bool { return !p.www && p.name != "seoslug" },
		"https://www.example.gob.es/a", "https://example.gob.es/a"},
	{"two ports", func(p promises) bool { return p.name != "seoslug" }, "https://www.example.gob.es:8080/a",
		"https://www.example.gob.es:8081/a"},
	{"a port and none", func(p promises) bool { return p.name != "seoslug" }, "https://www.example.gob.es:8080/a",
		"https://www.example.gob.es/a"},
	{"two hosts", func(p promises) bool { return p.name != "seoslug" }, "https://www.example.gob.es/a",
		"https://www.ejemplo.gob.es/a"},
	{"ß and ss in a host", func(p promises) bool { return p.name != "seoslug" }, "https://straße.es/a",
		"https://strasse.es/a"},
}

// TestPairsStayDistinct checks that two resources have two canonical URLs and two comparison keys.
func TestPairsStayDistinct(t *testing.T) {
	for _, p := range promised {
		c := canon.New(policyOf(t, p.file), nil)
		for _, pair := range pairs {
			if !pair.when(p) {
				continue
			}
			a, b := c.Canonicalize(pair.a, nil), c.Canonicalize(pair.b, nil)
			if a.Verdict == canon.Rejected || b.Verdict == canon.Rejected || a.Canonical == b.Canonical {
				t.Errorf("%s, %s: %q and %q become %q %s and %q %s", p.name, pair.name, pair.a, pair.b, a.Canonical,
					a.Detail, b.Canonical, b.Detail)
			}
			onlyOrder := strings.HasPrefix(pair.name, "order of")
			if (a.Hash() == b.Hash()) != onlyOrder {
				t.Errorf("%s, %s: keys of %q and %q", p.name, pair.name, a.Normalized(), b.Normalized())
			}
		}
	}
}

// TestSpellingsOfPrivateAddresses checks that every notation of resolvers is refused.
func TestSpellingsOfPrivateAddresses(t *testing.T) {
	for _, host := range []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001",
		"0x7F.0x0.0x0.0x1", "127.0.0.1.", "127。0．0｡1", "１２７.0.0.1", "%31%32%37.1",
		"0", "0.0.0.0", "0x", "0x0", "10.1.2.3", "0xa.1", "012.1.2.3", "192.168.1", "192.168.0.0x1", "172.16.0.1",
		"172.31.255.255", "169.254.169.254", "0xa9fea9fe", "100.64.0.1", "224.0.0.1", "255.255.255.255",
		"4294967295",
		"198.18.0.1", "192.0.0.8", "localhost", "LOCALHOST", "localhost.", "a.localhost", "%6cocalhost", "ｌocalhost",
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:8.8.8.8]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fe80::1]",
		"[fc00::1]", "[fd12::1]",
		"[ff02::1]", "[64:ff9b::8.8.8.8]", "[2002:7f00:1::]", "[fec0::1]", "[100::1]", "[2001::7f00:1]",
		"[::ffff:0:7f00:1]", "[64:ff9b:1::1]",
	} {
		for _, p := range promised {
			c := canon.New(policyOf(t, p.file), nil)
			for _, url := range []string{"http://" + host, "https://ana@" + host + ":8080/a?b#c", "//" + host + "/",
				"http:\\\\" + host + "\\a"} {
				if p.name == "seoslug" && !hasScheme(url) {
					continue // a path of the site
				}
				if r := c.Canonicalize(url, nil); r.Reason != canon.PrivateAddress {
					t.Errorf("%s: %q: %q %v %s", p.name, url, r.Canonical, r.Reason, r.Detail)
				}
			}
		}
	}
}
