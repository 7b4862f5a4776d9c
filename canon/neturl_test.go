package canon_test

import (
	"cmp"
	"math/rand/v2"
	neturl "net/url"
	"strconv"
	"strings"
	"testing"

	"visto/canon"
)

// netURLDifferences are the differences from net/url for URLs that both accept.
var netURLDifferences = []difference{
	{"backslash", func(c *comparison) bool {
		before, after, _ := cutAny(c.raw, "?#")
		if !strings.Contains(before, `\`) {
			return false
		}
		c.raw = strings.ReplaceAll(before, `\`, "/") + after
		c.parseWithNetURL(c.raw)
		return true
	}},
	{"html-escape", func(c *comparison) bool {
		escaped := numericEscape.ReplaceAllString(c.raw, "&%23$1")
		if escaped == c.raw || c.agrees() {
			return false
		}
		c.raw = escaped
		c.parseWithNetURL(c.raw)
		return true
	}},
	{"host-mapping", func(c *comparison) bool {
		last := c.host[strings.LastIndexByte(withoutDot(c.host), '.')+1:]
		if c.host == "" || isASCII(c.host) && !strings.Contains(c.host, "xn--") && !strings.Contains(last, "0x") &&
			!strings.HasPrefix(c.host, "[") && strings.Trim(last, "0123456789.") != "" {
			return false
		}
		c.theirs, c.host = strings.Replace(c.theirs, c.host, c.ours.Host, 1), c.ours.Host
		return true
	}},
	{"trailing-dot", func(c *comparison) bool {
		bare := withoutDot(c.host)
		if bare == c.host || bare != c.ours.Host {
			return false
		}
		c.theirs, c.host = strings.Replace(c.theirs, c.host, bare, 1), bare
		return true
	}},
	{"dot-segments", func(c *comparison) bool {
		if c.agrees() {
			return false
		}
		before, after, _ := cutAny(c.theirs, "?#")
		scheme, rest, _ := strings.Cut(before, "://")
		host, path, _ := strings.Cut(rest, "/")
		c.theirs = scheme + "://" + host + resolved("/"+path) + after
		return true
	}},
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", false
}

// resolved removes dot segments in any spelling (RFC 3986 section 5.2.4).
func resolved(path string) string {
	var kept []string
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		switch strings.NewReplacer("%2e", ".", "%2E", ".").Replace(segment) {
		case "..":
			kept = kept[:max(len(kept)-1, 0)]
		case ".":
		default:
			kept = append(kept, segment)
			continue
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}

// parseWithNetURL parses with net/url. It evens out spellings that are equal under RFC 3986: the case of scheme and
// host, an empty path, the default port.
func (c *comparison) parseWithNetURL(text string) {
	c.theirs, c.host = "", ""
	u, err := neturl.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	path, query, fragment := cmp.Or(u.RawPath, u.EscapedPath(), "/"), "", ""
	if u.ForceQuery || u.RawQuery != "" {
		query = "?" + u.RawQuery
	}
	if strings.Contains(text, "#") {
		fragment = "#" + strings.ReplaceAll(cmp.Or(u.RawFragment, u.EscapedFragment()), "#", "%23")
	}
	c.host = u.Hostname()
	if isASCII(c.host) {
		c.host = strings.ToLower(c.host)
	}
	if strings.Contains(c.host, ":") {
		c.host = "[" + c.host + "]"
	}
	c.theirs = u.Scheme + "://" + c.host + portOf(u) + path + query + fragment
}

// portOf returns the port with its colon, without leading zeros, and "" for the default of the scheme.
func portOf(u *neturl.URL) string {
	n, err := strconv.Atoi(u.Port())
	if err != nil || u.Scheme == "http" && n == 80 || u.Scheme == "https" && n == 443 {
		return ""
	}
	return ":" + strconv.Itoa(n)
}

// TestGeneratedURLsAgainstNetURL compares URLs that both accept. net/url and browsers disagree on which URLs those are.
func TestGeneratedURLsAgainstNetURL(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	c := canon.New(policyOf(t, "extends: rfc3986"), nil)
	r := rand.New(rand.NewPCG(6, 1))
	found, both := map[string]int{}, 0
	count := urlCount(t, enoughURLs)
	for n := count; n > 0 && !t.Failed(); n-- {
		raw := trimmed(stripped(randomURL(r))) // net/url leaves white space to its caller too
		got := comparison{raw: raw, ours: c.Canonicalize(raw, nil)}
		got.parseWithNetURL(raw)
		if !got.taken() {
			continue
		}
		checkReadBack(t, got.ours.Canonical)
		if got.theirs == "" {
			continue
		}
		both++
		names, agrees := compare(&got, netURLDifferences)
		if !agrees {
			t.Errorf("%q: %q, net/url %q, but for %v", raw, got.ours.Canonical, got.theirs, names)
		}
		for _, name := range names {
			found[name]++
		}
	}
	t.Logf("%d taken by both; differences: %v", both, found)
	checkReasons(t, "net/url", netURLDifferences, found, count)
}

// checkReadBack checks that net/url reads a canonical URL back byte for byte, except that it forgets an empty fragment.
func checkReadBack(t *testing.T, canonical string) {
	t.Helper()
	u, err := neturl.Parse(canonical)
	if err != nil || u.String() != strings.TrimSuffix(canonical, "#") || u.User != nil ||
		u.RawPath != "" && u.EscapedPath() != u.RawPath {
		t.Errorf("canonical URL %q: net/url reads %q, %v", canonical, u, err)
	}
}
