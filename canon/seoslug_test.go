package canon_test

import (
	"fmt"
	neturl "net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"visto/canon"
)

// slugSite holds the options of seoslug under their names in seed 004. The canonical_host is blog.example.com.
type slugSite struct {
	publicBaseURL, trailingSlash                                                string
	enforceHTTPS, lowercasePaths, collapseDuplicateSlashes, stripTrackingParams bool
	allowedQueryParams                                                          []string
}

// slugSites returns three sites with every combination of the options.
func slugSites() (all []slugSite) {
	for _, base := range []string{"http://blog.example.com", "https://blog.example.com/Blog/",
		"https://blog.example.com:8443/Á"} {
		for _, slash := range []string{"always", "never", "preserve"} {
			for _, allowed := range [][]string{nil, {"q", "page"}} {
				for bits := range 1 << 4 {
					all = append(all, slugSite{base, slash, bits&1 > 0, bits&2 > 0, bits&4 > 0, bits&8 > 0, allowed})
				}
			}
		}
	}
	return all
}

// slugInputs returns URLs of the site and of others, and bare paths.
func slugInputs() (all []string) {
	for _, origin := range []string{"", "/", "http://evil.com/", "https://BLOG.example.com:8080/",
		"blog.example.com/"} {
		for _, path := range []string{"", "/", "A//B/", "posts/My-Post", "/Blog//My-Post//", "ÁREA/Pública",
			"%C3%81rea/%7EB/%2F%c3%b1", "Blog/A b/"} {
			for _, query := range []string{"", "?page=1", "?Q=1", "?&q=1&&",
				"?utm_source=twitter&q=python&bad=1#top"} {
				all = append(all, origin+path+query)
			}
		}
	}
	return all
}

// file returns the site as a policy.
func (s slugSite) file() string {
	var b strings.Builder
	b.WriteString("{extends: seoslug, canonical_host: blog.example.com")
	fmt.Fprintf(&b, ", public_base_url: %q, lowercase_paths: %t, collapse_duplicate_slashes: %t", s.publicBaseURL,
		s.lowercasePaths, s.collapseDuplicateSlashes)
	if !s.enforceHTTPS {
		b.WriteString(", scheme: base")
	}
	if s.trailingSlash != "never" { // which keeps the root's
		b.WriteString(", trailing_slash: " + s.trailingSlash)
	}
	if !s.stripTrackingParams {
		b.WriteString(", tracking_params_strip: []")
	}
	if s.allowedQueryParams != nil {
		b.WriteString(", allowed_query_params: [" + strings.Join(s.allowedQueryParams, ", ") + "]")
	}
	return b.String() + "}"
}

var (
	slugOrigin  = regexp.MustCompile(`^(?i:https?://[^/?#]*|blog\.example\.com)`)
	slugSlashes = regexp.MustCompile(`/{2,}`)
	slugEscapes = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+|[^%]+`)
	slugUnsafe  = regexp.MustCompile(`[^!-~]`)
)

// read is a reading of seed 004 from its text, step by step. Where the seed is silent: the path of public_base_url
// leads all routes; bytes that may not stand in a URL are percent-encoded; a fragment is no part of a canonical URL; a
// query keeps its order and its empty parameters, unless parameters are listed.
func (s slugSite) read(input string) string {
	if input == "" {
		return ""
	}
	input, _, _ = strings.Cut(input, "#")
	path, query, _ := strings.Cut(slugOrigin.ReplaceAllString(input, ""), "?")
	base, _ := neturl.Parse(s.publicBaseURL)
	scheme := base.Scheme // step 1
	if s.enforceHTTPS {
		scheme = "https"
	}
	url := scheme + "://" + base.Host + s.route(strings.TrimRight(base.Path, "/"), path) // step 2
	if query = s.query(query); strings.Trim(query, "&") == "" {
		return url
	}
	return url + "?" + query
}

// route takes steps 3 and 4. No path has no slash that could be preserved, but the root gets its own.
func (s slugSite) route(base, path string) string {
	if path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	base, path = s.cased(base), s.cased(path)
	if s.collapseDuplicateSlashes {
		path = slugSlashes.ReplaceAllString(path, "/")
	}
	if path != base && !strings.HasPrefix(path, base+"/") {
		path = base + path
	}
	switch s.trailingSlash {
	case "never":
		path = strings.TrimRight(path, "/")
	case "always":
		path = strings.TrimSuffix(path, "/") + "/"
	}
	if path == "" {
		return "/"
	}
	return path
}

// cased returns a path as it may stand in a URL, in lower case if the site wants that. Text without capitals keeps its
// spelling.
func (s slugSite) cased(path string) string {
	path = slugUnsafe.ReplaceAllStringFunc(path, escapeAll)
	if !s.lowercasePaths {
		return path
	}
	return slugEscapes.ReplaceAllStringFunc(path, func(part string) string {
		plain, err := neturl.PathUnescape(part)
		if err != nil || plain == strings.ToLower(plain) {
			return part
		}
		if !strings.HasPrefix(part, "%") {
			return strings.ToLower(part)
		}
		return slugUnsafe.ReplaceAllStringFunc(strings.ToLower(plain), escapeAll)
	})
}

// query takes step 5.
func (s slugSite) query(query string) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return s.stripTrackingParams && strings.HasPrefix(name, "utm_") ||
			s.allowedQueryParams != nil && !slices.Contains(s.allowedQueryParams, name)
	})
	return strings.Join(pairs, "&")
}

// TestSeoslug compares every combination of inputs and options with a reading of seed 004 ("The result is a clean,
// canonical URL that never changes for the same input"), and with itself ("Normalizing an already normalized URL
// produces the same result").
func TestSeoslug(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	runs := 0
	for _, site := range slugSites() {
		c := canon.New(policyOf(t, site.file()), nil)
		for _, input := range slugInputs() {
			runs++
			r := c.Canonicalize(input, nil)
			if want := site.read(input); r.Canonical != want {
				t.Errorf("%s: %q becomes %q (%s), not %q", site.file(), input, r.Canonical, r.Detail, want)
			}
			if again := c.Canonicalize(r.Canonical, nil); again.Canonical != r.Canonical {
				t.Errorf("%s: %q becomes %q, and that %q", site.file(), input, r.Canonical, again.Canonical)
			}
		}
	}
	if runs != 57_600 {
		t.Errorf("%d combinations", runs)
	}
}
