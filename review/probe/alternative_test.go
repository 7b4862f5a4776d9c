package probe

import (
	"context"
	"net/http"
	"testing"

	"visto/canon"
	"visto/review/probe/testnet"
)

// withEarlier is a cache with the evidence of the last probe.
type withEarlier struct {
	Cache
	earlier *canon.Evidence
}

func (c withEarlier) Earlier(context.Context, Target) (*canon.Evidence, error) { return c.earlier, nil }

// Spec 15: an alternative URL known for a page (another host of the same domain, the canonical URL that it had or
// named, its Spanish version) is tried before a person is asked. Other pages are passed over.
func TestAlternatives(t *testing.T) {
	const path = "/tramites/ayuda"
	ca := testnet.Page{Lang: "ca", Title: "Ajuda"}
	at := func(path string, h http.Handler) map[string]http.Handler {
		return map[string]http.Handler{path: h, "/": page}
	}
	sites := []testnet.Site{
		{Host: "gone.es", Pages: at(path, testnet.Gone(404))},
		{Host: "down.es", Rest: testnet.Gone(500)},
		{Host: "new.es", Pages: at(path, page)},
		{Host: "ca.es", Pages: at(path, ca)},
		{Host: "home.es", Pages: at(path, testnet.Redirect(301, "/"))},
		{Host: "closed.es", Rest: page, Robots: testnet.Robots("User-agent: *", "Disallow: /tramites")},
		{Host: "login.es", Pages: at(path, testnet.Gone(401))},
		{Host: "www.dead.es", Rest: page},
		{Host: "undead.es", Rest: page},
		{Host: "www.gone.es", Rest: page},
		{Host: "shop.example", Rest: page},
	}
	const gone, fresh = "https://gone.es" + path, "https://new.es" + path
	was := func(ev canon.Evidence) *canon.Evidence {
		ev.URL, ev.Status = gone, 200
		return &ev
	}
	for name, test := range map[string]struct {
		url     string
		earlier *canon.Evidence
		want    string
	}{
		"never seen":             {gone, nil, ""},
		"where it redirected to": {gone, was(canon.Evidence{FinalURL: fresh, Title: "Ayuda", Language: "es"}), fresh},
		"what it named": {gone, was(canon.Evidence{RelCanonical: fresh, Title: "Ayuda", Language: "es"}),
			fresh},
		"the Spanish version": {gone, was(canon.Evidence{LangVariants: map[string]string{"es": fresh}, Title: "Ajuda",
			Language: "ca"}), fresh},
		"another title": {gone, was(canon.Evidence{RelCanonical: fresh, Title: "Beca", Language: "es"}), ""},
		"known since it went": {gone, &canon.Evidence{Status: 404, Alternative: fresh, Title: "Ayuda",
			Language: "es"},
			fresh},
		"the preferred host":    {gone, was(canon.Evidence{PreferredHost: "new.es"}), fresh},
		"redirects home":        {gone, was(canon.Evidence{RelCanonical: "https://home.es" + path}), ""},
		"closed by robots.txt":  {gone, was(canon.Evidence{RelCanonical: "https://closed.es" + path}), ""},
		"behind a login":        {gone, was(canon.Evidence{RelCanonical: "https://login.es" + path}), ""},
		"off the allowlist":     {gone, was(canon.Evidence{RelCanonical: "https://shop.example" + path}), ""},
		"private":               {gone, was(canon.Evidence{RelCanonical: "https://127.0.0.1" + path}), ""},
		"no URL":                {gone, was(canon.Evidence{RelCanonical: "://"}), ""},
		"gone too":              {gone, was(canon.Evidence{RelCanonical: "https://new.es/no"}), ""},
		"dead, with www":        {"https://dead.es" + path, nil, "https://www.dead.es" + path},
		"dead, without www":     {"https://www.undead.es" + path, nil, "https://undead.es" + path},
		"a server error":        {"https://down.es" + path, was(canon.Evidence{RelCanonical: fresh}), fresh},
		"it answers":            {fresh, was(canon.Evidence{RelCanonical: "https://ca.es" + path}), ""},
		"behind a login itself": {"https://login.es" + path, was(canon.Evidence{RelCanonical: fresh}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, sites...)
			w.cfg.Policy, w.cfg.Archive = everyEs(t), "-"
			w.cfg.Cache = withEarlier{w.cfg.Cache, test.earlier}
			ev := w.probe(t, test.url)
			if ev.Alternative != test.want {
				t.Fatalf("%q, want %q: %+v", ev.Alternative, test.want, ev)
			}
			if n := len(w.net.Log().Requests("shop.example")); n > 0 {
				t.Error("a host off the allowlist was asked")
			}
			if test.want == "" {
				return
			}
			if ev.Status == 200 || ev.FinalURL != "" || ev.Title != "Ayuda" || len(ev.Caveats) != 1 {
				t.Errorf("%+v", ev)
			}
			res := canon.New(w.cfg.Policy, nil).Canonicalize(test.url, ev)
			if res.Canonical != test.want || res.Codes().Has(canon.Unreachable) {
				t.Errorf("%q, %v", res.Canonical, res.Flags)
			}
		})
	}
}

// everyEs returns a policy whose allowlist is .es.
func everyEs(t *testing.T) *canon.Policy {
	t.Helper()
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "es.yaml",
		Data: []byte("extends: clara\nallowlist: ['*.es']\n")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
