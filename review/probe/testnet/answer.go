package testnet

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// Redirect answers with a status and the literal Location, whatever its bytes; empty: without one.
func Redirect(status int, location string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.WriteHeader(status)
	})
}

// MovedTo redirects every path and query to the same on another origin, such as "https://www.boe.es".
func MovedTo(origin string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", origin+r.RequestURI)
		w.WriteHeader(http.StatusMovedPermanently)
	})
}

// Gone answers with an error status and an error page.
func Gone(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, http.StatusText(status), status)
	})
}

// RetryAfter answers 429 or 503 with a Retry-After header.
func RetryAfter(status int, when string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", when)
		http.Error(w, http.StatusText(status), status)
	})
}

// Sequence answers the n-th request with the n-th handler, and all later ones with the last.
func Sequence(answers ...http.Handler) http.Handler {
	var mu sync.Mutex
	n := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := answers[min(n, len(answers)-1)]
		n++
		mu.Unlock()
		h.ServeHTTP(w, r)
	})
}

// HeadRefused answers HEAD with the status, and every other method as get does.
func HeadRefused(status int, get http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			w.WriteHeader(status)
			return
		}
		get.ServeHTTP(w, r)
	})
}

// Session redirects clients without a session to a new one in the path, as Java servers do for clients without
// cookies.
func Session(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.RequestURI, ";jsessionid=") {
			page.ServeHTTP(w, r)
			return
		}
		path, query, ok := strings.Cut(r.RequestURI, "?")
		if ok {
			query = "?" + query
		}
		w.Header().Set("Set-Cookie", "JSESSIONID=0000")
		w.Header().Set("Location", path+";jsessionid=0A1B2C.node3"+query)
		w.WriteHeader(http.StatusFound)
	})
}

// CookieGate redirects clients without its cookie in a circle.
func CookieGate(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			page.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Set-Cookie", "visited=1")
		w.Header().Set("Location", r.RequestURI)
		w.WriteHeader(http.StatusFound)
	})
}

// CookieElse answers clients with any cookie as with does, and all others as without does.
func CookieElse(without, with http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			with.ServeHTTP(w, r)
			return
		}
		without.ServeHTTP(w, r)
	})
}

// NewCookie redirects to the path with another cookie each time.
func NewCookie(path string) http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", fmt.Sprintf("visit=%d", n.Add(1)))
		Redirect(http.StatusFound, path).ServeHTTP(w, r)
	})
}

// ForeignCookie redirects to the path with a cookie for a domain that may not have one.
func ForeignCookie(path, domain string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "all=1; Domain="+domain)
		Redirect(http.StatusFound, path).ServeHTTP(w, r)
	})
}

// Chain is n redirects below a path, from /0 on, with the page at the end.
func Chain(path string, n int, page http.Handler) map[string]http.Handler {
	pages := map[string]http.Handler{fmt.Sprint(path, n): page}
	for i := range n {
		pages[fmt.Sprint(path, i)] = Redirect(http.StatusFound, fmt.Sprint(path, i+1))
	}
	return pages
}

// Validated answers 304 to clients that have the page already (RFC 9110 section 13).
func Validated(etag, modified string, page Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if etag != "" {
			w.Header().Set("ETag", etag)
		}
		if modified != "" {
			w.Header().Set("Last-Modified", modified)
		}
		match := r.Header.Get("If-None-Match")
		since := r.Header.Get("If-Modified-Since")
		if etag != "" && match == etag || match == "" && modified != "" && since == modified {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// Robots is a robots.txt with these lines.
func Robots(lines ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/plain; charset=utf-8", []byte(strings.Join(lines, "\n")+"\n"))
	})
}

// Data answers with bytes of a media type; empty: without a Content-Type.
func Data(contentType string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if contentType == "" {
			w.Header()["Content-Type"] = nil
		}
		send(w, contentType, body)
	})
}
