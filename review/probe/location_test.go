package probe

import (
	"net/http"
	"net/url"
	"testing"
)

func TestFollow(t *testing.T) {
	p := proberFor(t, Config{ExtraPorts: []uint16{9000}})
	v := &visit{Prober: p, clean: p.canonicalizer()}
	from := must(url.Parse("https://www.gob.es/a/b;x/c?q=1"))
	for _, test := range []struct{ location, hop, asked string }{
		{"https://otra.gob.es/d", "https://otra.gob.es/d", "https://otra.gob.es/d"},
		{"/d/e", "https://www.gob.es/d/e", "https://www.gob.es/d/e"},
		{"d?x=1", "https://www.gob.es/a/b;x/d?x=1", "https://www.gob.es/a/b;x/d?x=1"},
		{"?x=1", "https://www.gob.es/a/b;x/c?x=1", "https://www.gob.es/a/b;x/c?x=1"},
		{"//otra.gob.es", "https://otra.gob.es", "https://otra.gob.es"},
		{"../../d", "https://www.gob.es/d", "https://www.gob.es/d"},
		{"  /d  ", "https://www.gob.es/d", "https://www.gob.es/d"},
		{"/d#parte", "https://www.gob.es/d#parte", "https://www.gob.es/d"},
		{"/tr\u00e1mite con espacio", "https://www.gob.es/tr%C3%A1mite%20con%20espacio",
			"https://www.gob.es/tr%C3%A1mite%20con%20espacio"},
		{"/tr\xe1mite", "https://www.gob.es/tr%E1mite", "https://www.gob.es/tr%E1mite"},
		{"/a%2Fb%7e?%E1=100%&x=%zz", "https://www.gob.es/a%2Fb%7e?%E1=100%25&x=%25zz",
			"https://www.gob.es/a%2Fb%7e?%E1=100%25&x=%25zz"},
		{"\\\\otra.gob.es\\d?a=\\", "https://otra.gob.es/d?a=%5C", "https://otra.gob.es/d?a=%5C"},
		{"HTTPS://WWW.Gob.ES:443/D", "https://WWW.Gob.ES:443/D", "https://www.gob.es/D"},
		{"http://www.gob.es:80/", "http://www.gob.es:80/", "http://www.gob.es/"},
		{"https://www.gob.es:8443/d", "https://www.gob.es:8443/d", "https://www.gob.es:8443/d"},
		{"https://www.gob.es:9000/d", "https://www.gob.es:9000/d", "https://www.gob.es:9000/d"},
		{"https://www.gob.es:22/d", "https://www.gob.es:22/d", ""},
		{"https://ana:secreto@www.gob.es/d", "https://www.gob.es/d", "https://www.gob.es/d"},
		{"https://espa\u00f1a.gob.es/d", "https://espa%C3%B1a.gob.es/d", "https://xn--espaa-rta.gob.es/d"},
		{"https://www.gob.es\\@127.0.0.1/", "https://www.gob.es/@127.0.0.1/", "https://www.gob.es/@127.0.0.1/"},
		{"https://[2a00:1450::1]/d", "https://[2a00:1450::1]/d", "https://[2a00:1450::1]/d"},
		{"ftp://www.gob.es/d", "ftp://www.gob.es/d", ""},
		{"javascript:alert(1)", "javascript:alert(1)", ""},
		{"mailto:ana@gob.es", "mailto:ana@gob.es", ""},
		{"file:///etc/passwd", "file:///etc/passwd", ""},
		{"gopher://127.0.0.1:25/_", "gopher://127.0.0.1:25/_", ""},
		{"https://", "https:", ""},
		{"https://www.gob.es:bad/", "https://www.gob.es:bad/", ""},
	} {
		r := &Response{Status: http.StatusFound, Header: http.Header{"Location": {test.location}}}
		next, hop, why := v.follow(from, r)
		asked := ""
		if why == nil {
			asked = next.String()
		}
		if hop != test.hop || asked != test.asked {
			t.Errorf("%q: hop %q asked %q, want %q, %q", test.location, hop, asked, test.hop, test.asked)
		}
	}
}

// TestForm requests the URL as the steps before the redirects leave it.
func TestForm(t *testing.T) {
	p := proberFor(t, Config{})
	for _, test := range []struct {
		in, asked string
		slashless bool
	}{
		{"http://WWW.BOE.es/buscar/?utm_source=x&id=1#top", "https://www.boe.es/buscar?id=1", true},
		{"boe.es", "https://boe.es", false},
		{"https://boe.es/", "https://boe.es", false},
		{"https://boe.es/a/", "https://boe.es/a", true},
		{"https://boe.es/a/;jsessionid=1", "https://boe.es/a", true},
		{"https://boe.es/a?x=/", "https://boe.es/a?x=/", false},
		{"https://boe.es/a/#/b", "https://boe.es/a", true},
		{"https://user:pass@boe.es/a", "https://boe.es/a", false},
		{"https://boe.es/a%e1?p=7", "https://boe.es/a%E1?p=7", false},
	} {
		v := &visit{Prober: p, clean: p.canonicalizer(), target: Target{URL: test.in}}
		u, slashless, why := v.form()
		if why != nil || u.String() != test.asked || slashless != test.slashless {
			t.Errorf("%s: %v, slashless %t (%+v), want %s, %t", test.in, u, slashless, why, test.asked, test.slashless)
		}
	}
}
