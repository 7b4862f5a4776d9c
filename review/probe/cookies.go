package probe

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// cookies are those of one redirect chain (RFC 6265: host, path, Secure, public suffixes). Nothing stores or logs them,
// and the next chain begins without any. The zero value keeps none.
type cookies struct {
	jar  *cookiejar.Jar
	sent map[string]string // the cookies of the last request for each URL of the chain
}

func newCookies() cookies {
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		panic(err) // the options are constant
	}
	return cookies{jar, map[string]string{}}
}

// begin notes that the URL is asked now.
func (c cookies) begin(u *url.URL) {
	if c.jar != nil {
		c.sent[u.String()] = c.header(u)
	}
}

// asked reports whether the URL was asked in this chain.
func (c cookies) asked(u *url.URL) bool {
	_, asked := c.sent[u.String()]
	return asked
}

// changed reports whether the URL was asked, and would get other cookies now.
func (c cookies) changed(u *url.URL) bool {
	sent, asked := c.sent[u.String()]
	return asked && sent != c.header(u)
}

// header returns the Cookie header for a URL, or "".
func (c cookies) header(u *url.URL) string {
	if c.jar == nil {
		return ""
	}
	var pairs []string
	for _, cookie := range c.jar.Cookies(u) {
		pairs = append(pairs, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(pairs, "; ")
}

// keep stores the cookies of an answer.
func (c cookies) keep(u *url.URL, answer *http.Response) {
	if c.jar != nil {
		c.jar.SetCookies(u, answer.Cookies())
	}
}
