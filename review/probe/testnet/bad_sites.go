package testnet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// pair is a domain whose host www answers every page. bare is its other host, which answers over HTTP too.
func pair(bare Site) []Site {
	bare.Insecure = SamePages
	return []Site{bare, {Host: "www." + bare.Host, Rest: ordinary}}
}

// certified is a pair whose bare host has a certificate for other names.
func certified(bare string, names ...string) []Site {
	return pair(Site{Host: bare, CertifiedFor: names, Rest: ordinary})
}

// bareError is a pair whose bare host answers every page with an error.
func bareError(bare string, status int) []Site {
	return pair(Site{Host: bare, Pages: pages("/", Gone(status)), Rest: Gone(status)})
}

// bareLacks is a pair whose bare host has a home page, and one answer for all other pages.
func bareLacks(bare string, others http.Handler) []Site { return pair(Site{Host: bare, Rest: others}) }

// bareForbids is a pair whose bare host has every page, and a robots.txt that forbids some.
func bareForbids(bare, pattern string) []Site {
	return pair(Site{Host: bare, Rest: ordinary, Robots: Robots("User-agent: *", "Disallow: "+pattern)})
}

// bareRedirects is a pair whose bare host redirects every page to www.
func bareRedirects(bare string, status int) []Site {
	toWWW := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Redirect(status, "https://www."+bare+r.RequestURI).ServeHTTP(w, r)
	})
	return pair(Site{Host: bare, Pages: pages("/", toWWW), Rest: toWWW})
}

// twins is a pair whose hosts both answer every page.
func twins(bare string) []Site { return pair(Site{Host: bare, Rest: ordinary}) }

// foreign is a host that has a certificate for other names, and answers every page over HTTP.
func foreign(host string, names ...string) []Site {
	return []Site{{Host: host, CertifiedFor: names, Insecure: SamePages, Rest: ordinary}}
}

// all is a host with one answer for all pages but the home page.
func all(host string, page http.Handler) []Site { return []Site{{Host: host, Rest: page}} }

// drawn is a host whose every page is empty until a script writes a page in its place.
func drawn(host string, page Page) []Site {
	recorder := httptest.NewRecorder()
	page.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/", nil))
	return all(host, Data("text/html; charset=utf-8", fmt.Appendf(nil, `<!DOCTYPE html>
<html lang="es"><title>Sede electrónica</title><div id="root"></div><script>document.write(%q)</script></html>
`, recorder.Body)))
}

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

// wrongLang is a page in Spanish whose HTML says that it is in Galician.
var wrongLang = Page{Lang: "gl", Title: "Cita médica"}

// refreshing is a host whose pages have an element in their head, but those below /nuevo/.
func refreshing(host, element string) []Site { return all(host, refreshed(Page{Head: element + "\n"})) }

// refreshHeader is the answer of a host whose pages have the header Refresh, but those below /nuevo/.
func refreshHeader(value string) http.Handler {
	return refreshed(Page{Header: map[string]string{"Refresh": value}})
}

// refreshed answers with a page that has no text, and below /nuevo/ with an ordinary one.
func refreshed(old Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.RequestURI, "/nuevo/") {
			ordinary.ServeHTTP(w, r)
			return
		}
		for name, value := range old.Header {
			w.Header().Set(name, value)
		}
		send(w, old.contentType(), fmt.Appendf(nil, "<!DOCTYPE html>\n<html lang=\"es\">\n<head>\n<title>Página "+
			"trasladada</title>\n%s</head>\n<body></body>\n</html>\n", old.Head))
	})
}

// gate redirects clients without its cookie to the same URL.
func gate(status int, cookie string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			ordinary.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Set-Cookie", cookie)
		Redirect(status, r.RequestURI).ServeHTTP(w, r)
	})
}

// checked is a host whose page sends clients to a check, which wants the page's cookie, sets another one and leads
// back.
func checked(host, path, check string) []Site {
	passed := func(r *http.Request, name string) bool {
		_, err := r.Cookie(name)
		return err == nil
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if passed(r, "checked") {
			ordinary.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Set-Cookie", "begun=1; Path=/")
		Redirect(http.StatusFound, check).ServeHTTP(w, r)
	})
	back := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !passed(r, "begun") {
			Gone(http.StatusBadRequest).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Set-Cookie", "checked=1; Path=/")
		Redirect(http.StatusFound, path).ServeHTTP(w, r)
	})
	return []Site{{Host: host, Pages: map[string]http.Handler{path: page, check: back}}}
}

// withStatus answers with a page and another status than 200.
func withStatus(status int, page Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", page.contentType())
		w.WriteHeader(status)
		w.Write(page.Bytes())
	})
}

// cutGzip answers with a page in gzip that ends in the middle.
var cutGzip = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(ordinary.Bytes())
	z.Close()
	w.Header().Set("Content-Encoding", "gzip")
	send(w, ordinary.contentType(), b.Bytes()[:20])
})

// cutBody closes the connection after the first bytes of a page.
var cutBody = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", ordinary.contentType())
	w.Header().Set("Content-Length", "9000")
	w.Write([]byte("<!DOCTYPE html>\n<html lang=\"es\">\n<head>\n<title>Poda</title>\n"))
})

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
