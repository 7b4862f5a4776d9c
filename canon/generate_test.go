package canon_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"visto/canon"
)

// urlCount is how many URLs a test generates for each policy: few, unless VISTO_URLS asks for more. A million each, of
// the fixed point alone and of all laws:
//
//	VISTO_URLS=1000000 go test ./canon -run GeneratedFixedPoints -timeout 1h
//	VISTO_URLS=1000000 go test ./canon -run Generated -timeout 8h
func urlCount(t testing.TB, few int) int {
	t.Helper()
	more := os.Getenv("VISTO_URLS")
	if more == "" {
		return few
	}
	n, err := strconv.Atoi(more)
	if err != nil || n < 1 {
		t.Fatalf("VISTO_URLS is %q: a number is wanted", more)
	}
	return n
}

// pieces are the parts of generated URLs: usual ones, and some that trip canonicalizers.
var pieces = struct {
	spaces, schemes, users, hosts, labels, ports, segments, names, values, fragments, hostile []string
}{
	spaces: []string{"", "", "", "", "", " ", "\n", " \t", "\x00", "\x1f ", "\u00a0", "\ufeff"},
	schemes: []string{"https://", "https://", "http://", "http://", "HTTP://", "hTTps:\\\\", "//", "\\\\", "", "https:",
		"http:/", "http:///",
		"ftp://", "ht\ntp://", "javascript:", "https:\\/", "h:", "https%3A//", "view-source:https://"},
	users: []string{"", "", "", "", "", "ana@", "ana:clave@", "@", ":@", "a@b@", "boe.es@", "boe.es:80@", "%40@",
		"boe.es%2F@", "a:b:c@", "é:ñ@"},
	hosts: []string{"boe.es", "boe.es", "www.boe.es", "WWW.BOE.ES.", "sepe.es", "agenciatributaria.es",
		"sede.example.gob.es", "m.example.gob.es",
		"web.gencat.cat", "españa.gob.es", "xn--espaa-rta.gob.es", "XN--ESPAA-RTA.gob.es", "espan\u0303a.gob.es",
		"％41.es", "ｂｏｅ。es", "boe｡es",
		"1.2.3.4", "0x8.8", "127.1", "010.8.8.8", "134744072", "0X08080808", "8.8.8.8.", "8.8.8.256", "1.2.3.4.5",
		"8.8.8.-1", "+8.8", "a.99999999999999999999f", "99999999999999999999w", "[::ffff:8.8.8.8]]",
		"[2001::8.8.8.8 ]", "256", "0x", "1.0xg", "[2001:db8::1]",
		"[2001:DB8:0:0::1]", "[::1]", "[::ffff:8.8.8.8]", "[fe80::1%25eth0]", "[::", "[1:2]", "a..b", "h.", "h..", ".",
		"..", ".a", "bit.ly", "ss.gob.es",
		"ß.es", "b\u00ade.es", "b\u200doe.es", "a%2ees", "b%6fe.es", "boe%2ees", "boe.es%00", "boe.es%", "boe.es%4",
		"boe.es%2F", "boe.es%40evil.com", "localhost",
		"a.localhost", "LOCALHOST.", "seрe.es", "xn--a", "xn--", "xn--a-", "euskadi.eus", "www.gob.es", "www.com",
		"www.www.example.com", "www.example.com", "www12.www.example.com",
		"example.com", "blog.example.com", "co.uk", "www.co.uk", "a b.es", "a_b.es", "-a.es", "a-.es", "a&b.es",
		"a'b.es", "a\"b.es", "a|b.es", "a<b.es", "",
		"\U0001f4a9.la", "☕.us", "ＧＯ.es", "א.es", "1.א", "a\u0301.es", "ﬁ.es", "İ.es", "K.es"},
	labels: []string{"a", "B", "ñ", "1", "0x1", "www", "xn--4ca", "%61", "-", "_", "ｘ", "\u00ad",
		"long-label-long-label-long-label-long-label-long-label-long-label-long-label"},
	ports: []string{"", "", "", "", "", ":80", ":443", ":8080", ":0443", ":00080", ":", ":99999", ":65535", ":0",
		":-1", ":8a", ":４４３", ": 80", ":%38"},
	segments: []string{"", "a", "b.html", ".", "..", "...", "%2e", "%2E%2e", ".%2e", "%2E.", ". ", "..;", ".;a", "%2F",
		"%2f%2F", "%5C", "é", "\xe1", "%e1", "%E1%E9", "%C3",
		"%c3%a9", "%zz", "%", "%2", "%25", "%2541", "%25252e", "+", "%2B", " ", "%20", "ca", "es", "EU", "de", "es-es",
		"ca_ES", "ru", "ZH-cn", "id", "en-vivo", "it-2023", "index.html", "INDEX.php", "default",
		"(S(abc))", "%28S(x)%29", "(A(b)S(c))", "(x)", "x;jsessionid=1", ";JSESSIONID", "v;a=1;session=2;b",
		"..;jsessionid=1", "a;jsessionid=1;.",
		"(S(a));b", "x%3Bjsessionid=1", ";sid=1", "a;jsessionid%3D1%3Fb", "%3bsid%3d1;sid", "12345",
		"prestacion-desempleo", "doc.PDF", "\\", "a\\..\\b", "amp", "A", "~",
		"%7E", "%7e", "tab\there", "sta", "CarpetaPublic",
		"aB%aBc", "%41", "|", "<x>", "{}", "^`", "\"", "a=b&c", "a:b", "@", "a@b", "%40", "!$&'()*+,;=", "\x7f",
		"\u202e", "C|", "//"},
	names: []string{"id", "id", "tipo", "utm_source", "UTM_x", "utm", "%75tm_a", "utm%5Fa", "sid", "mySession", "p",
		"page", "PAGINA", "%70age", "lang", "idioma", "plaza", "a", "b",
		"", "amp;b", "src", "%", "\xff", "%ff", "ref", "se%73sion", "a%3Db", "a%26b", "+", "%2B", "%20", "jsessionid",
		"source", "%2575tm_a", "%4", "a%", "q", "a[]", "ñ", "gclid", "_ga"},
	values: []string{"", "=", "=", "=1", "=2", "=7", "=ca", "=ca_ES", "=es", "=uk", "=rus", "=zh-Hans-CN", "=a+b",
		"=a%20b", "=a%2Bb", "=%e1", "=%F3", "=%zz", "=%", "=%4", "=a%E", "=x=y", "==", "=123456789012", "=%37", "=/../",
		"=é", "=\xe9", "=1;2", "=1;sid=2", "=1%3bsession%3D2%2Fsid", ";cfid", "=2;a=%3F;jsessionid", "=a?b", "=%26",
		"=%3D", "=%23", "='", "=\"", "=a/b:c@d", "=|", "=\\",
		"=https://boe.es/?a=b%26c", "=inicio"},
	fragments: []string{"", "", "", "#top", "#/route", "#!x", "#", "#a#b", "#%e1", "#é", "#a b", "#?a=b", "#/../x"},
	hostile: []string{"\t", "\n", "\r", "\\", "/", "//", "..", "/../", "/./", "%", "%2e", "%2E%2E", "%2f", "%5c", "%00",
		"\x00", "\x7f", "\xc3", "\xff", "é", "\u200b", "\u202e", "\ufeff",
		"。", "．", "@", ":", "?", "#", "&", "&&", ";", "=", "+", " ", "[", "]", "xn--", "%25", "%2525", "https://",
		"www.", "\x1b[31m", "'", "|", "&#38;", "&#x26;"},
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// randomURL follows the grammar of a URL, with usual and hostile pieces. A third of the URLs are damaged further.
func randomURL(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(randomOrigin(r))
	for range r.IntN(6) {
		b.WriteString(pick(r, []string{"/", "/", "/", "/", "/", "/", "\\", "//"}) + pick(r, pieces.segments))
	}
	if r.IntN(4) == 0 {
		b.WriteString(pick(r, []string{"/", "//", "/.", "/..", "/%2e", "/./", "/../"}))
	}
	for i := range r.IntN(5) {
		b.WriteString("?&"[min(i, 1):][:1] + pick(r, pieces.names) + pick(r, pieces.values))
	}
	b.WriteString(pick(r, []string{"", "", "", "", "", "?", "&", "&&"}) +
		pick(r, pieces.fragments) + pick(r, pieces.spaces))
	url := b.String()
	switch r.IntN(600) {
	case 0:
		return url + strings.Repeat(pick(r, []string{"a", "/a", "ñ", "%41", "\xe1"}),
			r.IntN(2048)) // around the length limit
	default:
		if r.IntN(3) > 0 {
			return url
		}
		return damage(r, url)
	}
}

// randomOrigin returns an origin that the fast scan reads in half of the cases, so that the rest of the URL is tested.
func randomOrigin(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return pick(r, []string{"https://", "https://", "http://", "HTTPS://"}) +
			pick(r, []string{"www.boe.es", "boe.es", "web.gencat.cat", "sede.example.gob.es", "www.example.com",
				"bit.ly", "WWW.Sepe.es"})
	}
	return pick(r, pieces.spaces) + pick(r, pieces.schemes) + pick(r, pieces.users) + randomHost(r) +
		pick(r, pieces.ports)
}

func randomHost(r *rand.Rand) string {
	if r.IntN(4) > 0 {
		return pick(r, pieces.hosts)
	}
	host := pick(r, pieces.labels)
	for range r.IntN(4) {
		host += pick(r, []string{".", ".", ".", "。", "．", "｡", "%2e"}) + pick(r, pieces.labels)
	}
	return host
}

// damage changes a URL in one to three places: bytes, escapes, order and repetition.
func damage(r *rand.Rand, url string) string {
	for range 1 + r.IntN(3) {
		at := r.IntN(len(url) + 1)
		before, after := url[:at], url[at:]
		switch r.IntN(6) {
		case 0:
			url = before + pick(r, pieces.hostile) + after
		case 1:
			url = before + after[min(len(after), 1+r.IntN(3)):]
		case 2:
			url = before + string([]byte{byte(r.IntN(256))}) + after[min(len(after), 1):]
		case 3:
			url = before + escapeAll(after[:min(len(after), 1)]) + after[min(len(after), 1):]
		case 4:
			url = before + after[:min(len(after), r.IntN(8))] + after
		default:
			url = before + strings.ToUpper(after[:min(len(after), r.IntN(6))]) + after[min(len(after), 6):]
		}
	}
	return url
}

// randomEvidence returns possible answers of a network to any of these URLs, hostile ones among them.
func randomEvidence(r *rand.Rand) *canon.Evidence {
	ev := &canon.Evidence{Status: []int{0, 0, 200, 404, -1}[r.IntN(5)],
		Title: pick(r, []string{"", "Solicitud de ayuda", "\xff\x00", "Inicio"}), TotalPages: r.IntN(4) - 1}
	for range r.IntN(4) * r.IntN(3) {
		ev.Hops = append(ev.Hops, canon.Hop{Status: 301, URL: randomHop(r)})
	}
	if r.IntN(3) == 0 {
		ev.FinalURL = randomHop(r)
	}
	if r.IntN(5) == 0 {
		ev.Alternative = randomHop(r)
	}
	yes := r.IntN(2) == 0
	if r.IntN(2) == 0 {
		ev.HTTPS = &yes
	}
	ev.PreferredHost = pick(r, []string{"", "", "www.boe.es", "sepe.es", "WWW.EXAMPLE.com", "10.0.0.1",
		"m.example.gob.es", "a b", "["})
	ev.Language = pick(r, []string{"", "", "es", "ca", "eu-ES", "zh-CN", "\xff"})
	if r.IntN(3) == 0 {
		tag := pick(r, []string{"es", "es-ES", "ES", "fr", "uk", "x-default", ""})
		ev.LangVariants = map[string]string{tag: randomHop(r), "en": randomHop(r)}
	}
	if r.IntN(3) == 0 {
		ev.Hosts = canon.Hosts{pick(r, []string{"boe.es", "www.boe.es", "sepe.es"}): {HTTPS: &yes,
			PreferredHost: pick(r, pieces.hosts)}}
	}
	ev.Robots = pick(r, []string{"", "", "allowed", "blocked"})
	return ev
}

func randomHop(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return randomURL(r)
	}
	return "https://" + pick(r, []string{"boe.es", "www.boe.es", "www.sepe.es", "sede.example.gob.es",
		"www.example.com", "bit.ly", "127.0.0.1"}) + pick(r, []string{"", "/", "/a", "/a/", "/ca/a/b/c", "/es/a/b/c"})
}

// randomOverrides returns rules for a few hosts that affect each other.
func randomOverrides(r *rand.Rand) (list []canon.Override) {
	hosts := []string{"boe.es", "www.boe.es", "sede.example.gob.es", "m.example.gob.es", "web.gencat.cat"}
	paths := []string{"", "/", "/a", "/a/", "/a/b", "/ca", "/es", "/ca/", "/%7Ea", "/a/..", "/A", "/a?x=1", "/a;v=1"}
	some := func(list ...string) (chosen []string) {
		for _, s := range list {
			if r.IntN(4) == 0 {
				chosen = append(chosen, s)
			}
		}
		return chosen
	}
	prefix := func() string {
		return pick(r, []string{"https://", "https://", "http://"}) + pick(r, hosts) + pick(r, paths)
	}
	for range 1 + r.IntN(3) {
		o := canon.Override{Match: canon.Match{Host: pick(r, append(hosts, "*.gob.es", "*.boe.es", "*"))}}
		if o.Match.Host == "*" || r.IntN(3) == 0 {
			o.Match.PathPrefix = pick(r, []string{"/a", "/ca", "/es/a", "/sta"})
		}
		switch r.IntN(6) {
		case 0:
			o.DropQueryParams, o.KeepQueryParams = some("id", "tipo", "p", "lang"), some("utm_*", "sid", "a", "plaza")
		case 1:
			o.CanonicalHost = pick(r, hosts)
		case 2:
			o.Spanish = &canon.Prefixes{From: pick(r, []string{"/ca", "/eu/", "/a/ca"}),
				To: pick(r, []string{"/es", "/", "/a/es", "/ca/es"})}
		case 3:
			o.PaginationParams, o.NotPaginationParams, o.TrailingSlash = some("id", "a"), some("p", "page"),
				pick(r, []string{"", "keep"})
		case 4:
			o.Scheme, o.Accept = pick(r, []string{"", "http"}), some("home-page", "unknown-param", "http-only")
		default:
			for range 1 + r.IntN(2) {
				o.RewriteRules = append(o.RewriteRules, canon.Rewrite{FromPrefix: prefix(), ToPrefix: prefix()})
			}
			if r.IntN(2) == 0 {
				o.RewriteRules[0] = canon.Rewrite{
					From: pick(r, []string{"/a/{x}", "/{y}/b/{x}", "/{x}a?id={y}", "/a?x={x}"}),
					To:   pick(r, []string{"/a", "/a/{x}/b", "/es/{x}a", "/sta/{x}?x=2", "/b?id={x}"})}
			}
		}
		list = append(list, o)
	}
	return list
}
