package probe

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"visto/canon"
)

// ending is the way in which a redirect chain ended.
type ending uint8

const (
	arrived       ending = iota // at an answer that is no redirect
	tooManyHops                 // more redirects than the policy allows
	redirectLoop                // at a URL of the chain
	offAllowlist                // at a host that is not on the allowlist
	forbidden                   // at an address or port that must not be asked, or at no http(s) URL
	robotsBlocked               // at a URL that robots.txt forbids
	noAnswer                    // without an answer
)

// obstacle is the reason why a URL must not be requested.
type obstacle struct {
	ending ending
	fail   *failure // with ending forbidden, if canon cannot see the reason in the URL
}

// follow returns the target of a redirect or refresh, as text and, unless there is an obstacle, as the URL to request.
func (v *visit) follow(from *url.URL, r *Response) (*url.URL, string, *obstacle) {
	target := r.page.Refresh
	if isRedirect(r.Status) {
		target = r.Header.Get("Location")
	}
	text := escape(target)
	ref, err := url.Parse(text)
	if err != nil {
		return nil, text, &obstacle{ending: forbidden,
			fail: &failure{kind: notAsked, text: fmt.Sprintf("%s redirects to %q, which is no URL", from.Host, text)}}
	}
	next := from.ResolveReference(ref)
	next.User = nil
	asked, why := v.admit(next)
	return asked, next.String(), why
}

// escape writes a Location as RFC 3986 requires. It percent-encodes the bytes that may not stand in a URL one by one,
// because a server that sends Latin-1 expects Latin-1 back; also a "%" without two hex digits. "\" counts as "/"
// before the query, as in browsers.
func escape(location string) string {
	var b strings.Builder
	query := false
	location = strings.TrimSpace(location)
	for i := range len(location) {
		switch x := location[i]; {
		case x == '\\' && !query:
			b.WriteByte('/')
		case x <= ' ' || x >= 0x7f || strings.IndexByte("\"<>\\^`{|}", x) >= 0, x == '%' && !isEscape(location[i:]):
			fmt.Fprintf(&b, "%%%02X", x)
		default:
			query = query || x == '?' || x == '#'
			b.WriteByte(x)
		}
	}
	return b.String()
}

// isEscape reports whether the text begins with "%" and two hex digits.
func isEscape(s string) bool {
	if len(s) < 3 {
		return false
	}
	_, err := strconv.ParseUint(s[1:3], 16, 8)
	return err == nil
}

// admit returns the form of a URL to request: host in ASCII, no credentials, no default port, no fragment.
func (v *visit) admit(u *url.URL) (*url.URL, *obstacle) {
	clean := v.clean.Clean(u.String())
	private := clean.Reason == canon.PrivateAddress
	if clean.Verdict == canon.Rejected && !(private && v.cfg.AllowPrivate) {
		return nil, &obstacle{ending: forbidden}
	}
	asked := *u
	asked.Scheme, asked.User, asked.Fragment, asked.RawFragment = strings.ToLower(u.Scheme), nil, "", ""
	port := u.Port()
	if port == defaultPort(asked.Scheme) {
		port = ""
	}
	if asked.Host = clean.InHost; private {
		asked.Host = bracketed(strings.ToLower(u.Hostname()))
	}
	if port == "" {
		return &asked, nil
	}
	asked.Host = asked.Host + ":" + port
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || !v.ports[uint16(n)] {
		text := fmt.Sprintf("port %s of %s is not one of those that are asked", port, u.Hostname())
		return nil, &obstacle{ending: forbidden, fail: &failure{kind: notAsked, text: text}}
	}
	return &asked, nil
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// bracketed returns a host as written in a URL.
func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// isRedirect reports whether a status is a redirect to follow (seed 000 rule 7).
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		return true
	}
	return false
}

// originOf returns scheme, host and, if it is not the default, port.
func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }
