package canon_test

import (
	"maps"
	"math/rand/v2"
	"net/netip"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"visto/canon"
)

// comparison is one URL, read by this package and by another parser.
type comparison struct {
	raw    string
	ours   canon.Result // under rfc3986
	theirs string       // the URL as the other parser writes it, without credentials; empty: refused
	host   string       // the other parser's host

	noScheme bool // raw had none
}

func (c *comparison) taken() bool { return c.ours.Verdict != canon.Rejected }

// parseAs parses another text than raw with the other parser.
func (c *comparison) parseAs(text string) {
	c.theirs, c.host = "", ""
	if u, err := whatwg.Parse(text); err == nil && (u.Protocol() == "http:" || u.Protocol() == "https:") {
		c.theirs, c.host = withoutUser(u.Href(false)), u.Hostname()
	}
}

// adopt makes our answer the other parser's answer.
func (c *comparison) adopt() { c.theirs, c.host = c.ours.Canonical, c.ours.Host }

// agrees reports whether both refuse the URL, or both have the same host and the same resource.
func (c *comparison) agrees() bool {
	if !c.taken() || c.theirs == "" {
		return !c.taken() && c.theirs == ""
	}
	return c.ours.Host == c.host && sameResource(c.ours.Canonical, c.theirs)
}

// difference is one justified difference. adapt makes one of the two answers like the other in this respect and reports
// whether it had to; the rest must be equal. differences.txt gives the reason under its name.
type difference struct {
	name  string
	adapt func(*comparison) bool
}

// whatwgDifferences are the differences from github.com/nlnwa/whatwg-url, in the order of their application.
var whatwgDifferences = []difference{
	{"ends", func(c *comparison) bool {
		inner := trimmed(c.raw)
		if stripped(inner) == stripped(c.raw) {
			return false
		}
		c.raw = inner
		c.parseAs(inner)
		return true
	}},
	{"missing-scheme", func(c *comparison) bool {
		if hasScheme(c.raw) || !c.taken() {
			return false
		}
		c.raw = "https://" + stripped(c.raw)
		c.parseAs(c.raw)
		c.noScheme = true
		return true
	}},
	{"bytes", func(c *comparison) bool {
		if utf8.ValidString(c.raw) {
			return false
		}
		c.raw = escapeInvalid(c.raw)
		c.parseAs(c.raw)
		return true
	}},
	{"missing-scheme-port", func(c *comparison) bool {
		stated := "https://" + c.host + ":80/"
		if !c.noScheme || !strings.HasPrefix(c.theirs, stated) {
			return false
		}
		c.theirs = "https://" + c.host + "/" + c.theirs[len(stated):]
		return true
	}},
	{"too-long", func(c *comparison) bool {
		if c.ours.Reason != canon.TooLong || len(c.raw) < 2048 && len(c.theirs) < 1900 {
			return false
		}
		c.adopt()
		return true
	}},
	{"private-address", func(c *comparison) bool {
		if c.ours.Reason != canon.PrivateAddress || !isPrivate(c.host) {
			return false
		}
		c.adopt()
		return true
	}},
	{"second-scheme", func(c *comparison) bool {
		isSecond := c.host == "http" || c.host == "https" ||
			(!strings.ContainsAny(withoutDot(c.host), ".[") || isJoined.MatchString(c.host)) &&
				schemeEnd.MatchString(stripped(c.raw))
		if !isSecond || !strings.Contains(c.ours.Detail, "second scheme") {
			return false
		}
		c.adopt()
		return true
	}},
	{"several-urls", func(c *comparison) bool {
		if !strings.Contains(c.ours.Detail, "several URLs") || !anotherURL.MatchString(c.raw) {
			return false
		}
		c.adopt()
		return true
	}},
	{"no-host", func(c *comparison) bool {
		if c.taken() || !manySlashes.MatchString(stripped(c.raw)) {
			return false
		}
		c.adopt()
		return true
	}},
	{"html-escape", func(c *comparison) bool {
		escaped := numericEscape.ReplaceAllString(stripped(c.raw), "&%23$1")
		if escaped == stripped(c.raw) || c.agrees() {
			return false
		}
		c.parseAs(escaped)
		return true
	}},
	{"empty-punycode", func(c *comparison) bool {
		if c.taken() || !strings.Contains(c.ours.Detail, "IDNA refuses the label") {
			return false
		}
		c.adopt()
		return true
	}},
	{"no-such-name", func(c *comparison) bool {
		if c.taken() || c.theirs == "" || isFindable(strings.Trim(withoutDot(c.host), "[]")) {
			return false
		}
		c.adopt()
		return true
	}},
	{"trailing-dot", func(c *comparison) bool {
		if bare := withoutDot(c.host); bare != c.host && bare == c.ours.Host {
			c.theirs, c.host = strings.Replace(c.theirs, c.host, bare, 1), bare
			return true
		}
		return false
	}},
	{"fragment-hash", func(c *comparison) bool {
		before, fragment, _ := strings.Cut(c.theirs, "#")
		if !strings.Contains(fragment, "#") {
			return false
		}
		c.theirs = before + "#" + strings.ReplaceAll(fragment, "#", "%23")
		return true
	}},
	{"query-quote", func(c *comparison) bool {
		if c.agrees() || !strings.Contains(c.ours.Canonical, "'") {
			return false
		}
		c.ours.Canonical, c.theirs = strings.ReplaceAll(c.ours.Canonical, "%27", "'"),
			strings.ReplaceAll(c.theirs, "%27", "'")
		return true
	}},
	{"library-strict-idna", func(c *comparison) bool {
		if c.theirs != "" || !c.taken() || isLDH(c.ours.Host) || !isMapped(c.raw) {
			return false
		}
		c.adopt()
		return true
	}},
	{"library-signed-ipv4", func(c *comparison) bool {
		ip, err := netip.ParseAddr(c.host)
		if c.agrees() || c.theirs != "" && (err != nil || !ip.Is4()) || !signedLabel.MatchString(stripped(c.raw)) {
			return false
		}
		c.adopt()
		return true
	}},
	{"library-big-number", func(c *comparison) bool {
		if c.theirs != "" || !c.taken() || !bigNumber.MatchString(c.ours.Host) {
			return false
		}
		c.adopt()
		return true
	}},
	{"library-ipv6-tail", func(c *comparison) bool {
		if c.agrees() || c.taken() || !bracketTail.MatchString(stripped(c.raw)) {
			return false
		}
		c.adopt()
		return true
	}},
}

// Hosts that the library reads unlike the standard: with a label that begins with a sign, or with more digits than a
// number has, or with more text in the brackets of an IPv6 address.
var (
	signedLabel = regexp.MustCompile(`(?i)([./:@\\。．｡]|%2e|%40)(0x?)?([+-]|%2b|%2d)`)
	bigNumber   = regexp.MustCompile(`(^|\.)(0x)?[0-9a-f]{16,}[^.]*$`)
	bracketTail = regexp.MustCompile(`\[[0-9a-fA-F:.]+[^0-9a-fA-F:./?#][^/?#]*\]|\[[0-9a-fA-F:.]+\]\]|\[\[[^/?#]*\]`)
)

// trimmed is Trim with regular expressions: it removes one invisible character or one pair of quotes after the other.
func trimmed(raw string) string {
	for {
		inner := blankEnd.ReplaceAllString(raw, "")
		for _, pair := range []string{`""`, "''", "``", "<>", "“”", "‘’", "«»", "‹›", "„“", "‚‘"} {
			if opening, n := utf8.DecodeRuneInString(pair); strings.HasPrefix(inner, string(opening)) &&
				strings.HasSuffix(inner[n:], pair[n:]) {
				inner = strings.TrimSuffix(inner[n:], pair[n:])
				break
			}
		}
		if inner == raw {
			return raw
		}
		raw = inner
	}
}

// blankEnd matches one blank or invisible character at either end.
var blankEnd = regexp.MustCompile(`^[\p{Z}\p{Cc}\p{Cf}]|[\p{Z}\p{Cc}\p{Cf}]$`)

// anotherURL matches a scheme behind white space or a separator.
var anotherURL = regexp.MustCompile(`(?is).([\pZ\p{Cc}\p{Cf}].*|[,;|])https?://`)

// manySlashes matches a scheme with more than two slashes behind it.
var manySlashes = regexp.MustCompile(`^(?i:https?:)?[/\\]{3}`)

// numericEscape matches a numeric HTML escape.
var numericEscape = regexp.MustCompile(`&#((?:[0-9]+|[xX][0-9a-fA-F]+);)`)

// isJoined matches a host that ends in the scheme of another URL.
var isJoined = regexp.MustCompile(`https?$`)

// schemeEnd matches the end of a scheme.
var schemeEnd = regexp.MustCompile(`:[/\\]{2}`)

// stripped returns the URL after the first steps of the standard's parser, without white space and controls at the
// ends, line breaks and tabs.
func stripped(raw string) string {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
}

// hasScheme reports whether the standard finds http or https in the URL.
func hasScheme(raw string) bool {
	scheme, _, ok := strings.Cut(stripped(raw), ":")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// escapeInvalid percent-encodes bytes that are not UTF-8.
func escapeInvalid(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			out.WriteString(escapeAll(s[:1]))
		} else {
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

// isPrivate reports whether a host in its usual notation is this machine, or an address that is not public.
func isPrivate(host string) bool {
	host = withoutDot(host)
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	return !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is4() && (ip.As4()[0] == 0 || ip.As4()[0] >= 240) ||
		ip.Is4In6() ||
		slices.ContainsFunc([]string{"100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "::/96", "64:ff9b::/96",
			"2001::/32", "2002::/16", "::ffff:0:0:0/96", "fec0::/10"},
			func(s string) bool { return netip.MustParsePrefix(s).Contains(ip) })
}

// isLDH reports whether each label of a host consists of letters, digits and inner hyphens, as the DNS wants.
func isLDH(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// isMapped reports whether IDNA may change the host.
func isMapped(raw string) bool {
	return !isASCII(raw) || strings.Contains(strings.ToLower(raw), "xn--") || strings.Contains(raw, "%")
}

func isASCII(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) }

// compare returns the names of the differences found, and whether nothing else differs.
func compare(c *comparison, list []difference) (names []string, agrees bool) {
	for _, d := range list {
		if d.adapt(c) {
			names = append(names, d.name)
		}
	}
	return names, c.agrees()
}

func againstWHATWG(c *canon.Canonicalizer, raw string) (got comparison, names []string, agrees bool) {
	got = comparison{raw: raw, ours: c.Canonicalize(raw, nil)}
	got.parseAs(raw)
	names, agrees = compare(&got, whatwgDifferences)
	return got, names, agrees
}

func TestGeneratedURLsAgainstWHATWG(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	c := canon.New(policyOf(t, "extends: rfc3986"), nil)
	r := rand.New(rand.NewPCG(5, 1))
	found := map[string]int{}
	count := urlCount(t, enoughURLs)
	for n := count; n > 0 && !t.Failed(); n-- {
		raw := randomURL(r)
		got, names, agrees := againstWHATWG(c, raw)
		if !agrees {
			t.Errorf("%q: %q (%s %s), the standard %q, but for %v", raw, got.ours.Canonical, got.ours.Reason,
				got.ours.Detail, got.theirs, names)
		}
		for _, name := range names {
			found[name]++
		}
	}
	t.Logf("differences: %v", found)
	checkReasons(t, "whatwg-url", whatwgDifferences, found, count)
}

// enoughURLs is a number of generated URLs that shows every difference.
const enoughURLs = 20_000

// checkReasons checks that each difference has its reason in differences.txt, and occurs among enough URLs.
func checkReasons(t *testing.T, section string, list []difference, found map[string]int, count int) {
	t.Helper()
	listed := differences(t, section)
	for _, d := range list {
		if listed[`"`+d.name+`"`] == "" {
			t.Errorf("differences.txt has no reason for %q in section %s", d.name, section)
		}
		if found[d.name] == 0 && count >= enoughURLs && !t.Failed() {
			t.Errorf("%q: no such difference any more", d.name)
		}
	}
	if len(listed) != len(list) {
		t.Errorf("differences.txt gives reasons for %v; the differences are others", slices.Sorted(maps.Keys(listed)))
	}
}

// TestImportGraph keeps the peers, which only tests need, out of the program.
func TestImportGraph(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "visto").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		for _, peer := range []string{wptModule, "github.com/PuerkitoBio/purell", "github.com/goware/urlx",
			"golang.org/x/tools"} {
			if strings.HasPrefix(pkg, peer) {
				t.Errorf("the program imports %s", pkg)
			}
		}
	}
}
