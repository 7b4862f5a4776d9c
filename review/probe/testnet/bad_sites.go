package testnet

import (
	"fmt"
	"net/http"
	"strings"
)

// pair is a domain whose host www answers every page. bare is its other host, which answers over HTTP too.
func pair(bare Site) []Site {
	bare.Insecure = SamePages
	return []Site{bare, {Host: "www." + bare.Host, Rest: ordinary}}
}

// bareRedirects is a pair whose bare host redirects every page to www.
func bareRedirects(bare string, status int) []Site {
	toWWW := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Redirect(status, "https://www."+bare+r.RequestURI).ServeHTTP(w, r)
	})
	return pair(Site{Host: bare, Pages: pages("/", toWWW), Rest: toWWW})
}

// foreign is a host that has a certificate for other names, and answers every page over HTTP.
func foreign(host string, names ...string) []Site {
	return []Site{{Host: host, CertifiedFor: names, Insecure: SamePages, Rest: ordinary}}
}

// all is a host with one answer for all pages but the home page.
func all(host string, page http.Handler) []Site { return []Site{{Host: host, Rest: page}} }

// one is a host with an answer of its own for one page.
func one(host, path string, page http.Handler) []Site {
	return []Site{{Host: host, Pages: pages(path, page), Rest: ordinary}}
}

// leads is a host that redirects every page to one place, which shows a page.
func leads(host string, status int, location string, page http.Handler) []Site {
	path := strings.FieldsFunc(location, func(r rune) bool { return r == '?' || r == '#' })[0]
	return []Site{{Host: host, Pages: pages(path, page), Rest: Redirect(status, location)}}
}

// translated is a host whose pages are in another language and name one Spanish version; nil: which is not on the host.
func translated(host, language, spanish string, answer http.Handler) []Site {
	page := Page{Lang: language, Title: "Tràmit 4711", Head: Alternates("es", spanish)}
	site := Site{Host: host, Rest: page}
	if answer != nil {
		site.Pages = pages(spanish, answer)
	}
	return []Site{site}
}

// signIn is a login form.
var signIn = Page{Lang: "es", Title: "Identificación",
	Body: `<form method="post"><input name="usuario"><input type="password" name="clave"></form>` + "\n"}

// longer returns the page with a text that no error page has.
func longer(p Page) Page {
	const more = "<p>La explicación sigue, con los casos más frecuentes y el modo de resolverlos.</p>\n"
	p.Body += strings.Repeat(more, 60)
	return p
}

// refreshes returns the page with a refresh in its head.
func (p Page) refreshes(content string) Page {
	p.Head += fmt.Sprintf("<meta http-equiv=\"refresh\" content=%q>\n", content)
	return p
}

// with returns the page with more in its body.
func (p Page) with(body string) Page {
	p.Body += body
	return p
}
