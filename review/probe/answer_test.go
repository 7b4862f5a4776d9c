package probe

import (
	"net/http"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/probe/testnet"
)

// TestSeenHosts moves a URL to a preferred host only by what was seen there (spec section 7, "Preferred host"). It asks
// one more page where no redirect leads to that host, and none otherwise.
func TestSeenHosts(t *testing.T) {
	at := func(h map[string]http.Handler) testnet.Site { return testnet.Site{Host: "a.es", Rest: page, Pages: h} }
	plain := func(security testnet.Security) testnet.Site {
		return testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages, Security: security}
	}
	const stays, moves = "https://www.a.es/x", "https://a.es/x"
	const other = ", GET https://a.es/x"
	for name, test := range map[string]struct {
		bare  testnet.Site
		want  string
		extra string // requests besides those for the page and for the home page over http
	}{
		"the certificate is for www alone": {plain(testnet.OtherName), stays, ""},
		"the certificate has expired":      {plain(testnet.Expired), stays, ""},
		"it has no HTTPS":                  {plain(testnet.ClosedSecure), stays, ""},
		"its home page is missing": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/": testnet.Gone(404)}}, stays, ""},
		"it lacks the path": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": testnet.Gone(404)}}, stays, other},
		"it redirects the path": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": testnet.Redirect(301, "https://www.a.es/x")}}, stays, other},
		"robots.txt forbids the path": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Robots: testnet.Robots("User-agent: *", "Disallow: /x")}, stays, ""},
		"it asks for a pause": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": testnet.Gone(429)}}, stays, other},
		"it shows an error page": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": titled("Error interno")}}, stays, other},
		"it wants a login": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": titled("Iniciar sesión")}}, stays, other},
		"it is in maintenance": {testnet.Site{Host: "a.es", Rest: page, Insecure: testnet.SamePages,
			Pages: map[string]http.Handler{"/x": titled("Mantenimiento")}}, stays, other},
		"it shows the path":        {plain(0), moves, other},
		"http only leads to https": {at(nil), moves, ", HEAD https://a.es/" + other},
		"it redirects its home page": {at(map[string]http.Handler{"/": redirectAll("https://www.a.es")}), stays,
			", HEAD https://a.es/, HEAD https://www.a.es/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, testnet.Site{Host: "www.a.es", Rest: page}, test.bare)
			w.cfg.Policy = everyHost(t)
			ev := w.probe(t, "https://www.a.es/x")
			if got := canon.Canonicalize("https://www.a.es/x", w.cfg.Policy, nil, ev).Canonical; got != test.want {
				t.Errorf("canonical %s, want %s; %+v", got, test.want, ev)
			}
			want := "GET https://www.a.es/x, HEAD http://a.es/"
			got := strings.Replace(w.asked(), "HEAD http://a.es/, GET http://a.es/", "HEAD http://a.es/", 1)
			if got != want+test.extra {
				t.Errorf("asked %s, want %s%s", got, want, test.extra)
			}
		})
	}
}

// titled is a short page in Spanish with a title.
func titled(title string) http.Handler { return testnet.Page{Lang: "es", Title: title} }

// TestSeenVersions switches to a Spanish version only if it was asked and is one (spec section 7, "Language versions").
func TestSeenVersions(t *testing.T) {
	const catalan, spanish = "https://a.gob.es/ca/tramit-55", "https://a.gob.es/es/tramite-55"
	clara, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	version := func(links ...string) http.Handler {
		return testnet.Page{Lang: "es", Title: "Trámite", Head: testnet.Alternates(links...)}
	}
	original := testnet.Page{Lang: "ca", Title: "Tràmit 55",
		Head: testnet.Alternates("es", spanish, "fr", "https://a.gob.es/fr/acte-55")}
	for name, test := range map[string]struct {
		answer http.Handler
		robots http.Handler
		want   string
		asked  int // requests for the version
	}{
		"it answers":                 {page, nil, spanish, 1},
		"it is gone":                 {testnet.Gone(404), nil, catalan, 1},
		"it fails":                   {testnet.Gone(403), nil, catalan, 1},
		"it moved":                   {testnet.Redirect(301, "/es/tramite-56"), nil, "https://a.gob.es/es/tramite-56", 1},
		"it leads to the home":       {testnet.Redirect(302, "/"), nil, catalan, 1},
		"it leads back":              {testnet.Redirect(302, "/ca/tramit-55"), nil, catalan, 1},
		"it leads elsewhere":         {testnet.Redirect(302, "https://tienda.example/"), nil, catalan, 1},
		"it leads to a private IP":   {testnet.Redirect(302, "http://10.0.0.1/"), nil, catalan, 1},
		"it lists itself as Catalan": {version("ca", spanish, "es", "https://a.gob.es/es/otro"), nil, catalan, 1},
		"its HTML says Catalan":      {testnet.Page{Lang: "ca", Title: "Trámite"}, nil, spanish, 1},
		"it is an error page":        {titled("Se ha producido un error"), nil, catalan, 1},
		"it is a missing page":       {titled("Página no encontrada"), nil, catalan, 1},
		"it is a wall of cookies":    {titled("Aviso de cookies"), nil, catalan, 1},
		"it is in maintenance":       {titled("Sede en mantenimiento"), nil, catalan, 1},
		"it wants a login":           {titled("Iniciar sesión"), nil, catalan, 1},
		"it leads to a login":        {testnet.Redirect(302, "/login?a=1"), nil, catalan, 1},
		"it leads to cookies":        {testnet.Redirect(302, "/aviso-cookies"), nil, catalan, 1},
		"it leads to maintenance":    {testnet.Redirect(302, "/mantenimiento"), nil, catalan, 1},
		"it wants a pause":           {testnet.Gone(429), nil, catalan, 1},
		"robots.txt forbids it":      {page, testnet.Robots("User-agent: *", "Disallow: /es/"), catalan, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page, Robots: test.robots,
				Pages: map[string]http.Handler{"/es/tramite-55": test.answer, "/ca/tramit-55": original}})
			w.cfg.Policy = clara
			ev := w.probe(t, catalan)
			r := canon.Canonicalize(catalan, w.cfg.Policy, nil, ev)
			if r.Canonical != test.want || r.Codes().Has(canon.NoSpanish) != (test.want == catalan) {
				t.Errorf("canonical %s, flags %v, want %s; %+v", r.Canonical, r.Flags, test.want, ev.Answers)
			}
			if r.Ask.URL != "" {
				t.Errorf("%s was not asked", r.Ask.URL)
			}
			if n := w.net.Log().Asked(spanish); n != test.asked {
				t.Errorf("the version was asked %d times", n)
			}
			if n := w.net.Log().Asked("https://a.gob.es/fr/acte-55"); n > 0 || r.LangVariants["fr"] == "" {
				t.Errorf("the French version was asked %d times, versions %v", n, r.LangVariants)
			}
		})
	}
}
