package suggest_test

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review/health"
	"visto/review/suggest"
)

// probe returns the page of a URL as a probe would see it, with wrong facts for some of noise.
func (g *generated) probe(u genURL, noise float64) suggest.Page {
	p := suggest.Page{URL: u.url}
	l := parseLink(u.url)
	for range 3 {
		for _, r := range u.site.rules {
			if to, ok := r.clean(l); ok && r.redirects {
				l = to
			}
		}
	}
	if l.String() != u.url {
		p.Final = l.String()
	}
	text := g.truth(u.url)
	if u.dead {
		text = u.site.at("error")
	} else if u.site.canonicals {
		p.Canonical = text
	}
	if g.r.Float64() < noise {
		text = g.mislead(&p, u, text)
	}
	u.site.show(&p, text, g.r.IntN(1e6))
	return p
}

func (s *genSite) at(path string) string { return "https://" + s.host + "/" + path }

// mislead puts a wrong fact into a page, and returns the text that it shows.
func (g *generated) mislead(p *suggest.Page, u genURL, text string) string {
	at := g.r.IntN(len(g.urls))
	for g.urls[at].site != u.site {
		at = (at + 1) % len(g.urls)
	}
	other := g.urls[at].url
	switch g.r.IntN(6) {
	case 0:
		p.Final, p.Canonical = other, ""
	case 1:
		p.Canonical = other
		return text
	case 2:
		p.Canonical = u.url
		return text
	case 3:
		p.Final, p.Canonical = u.site.at("inicio"), ""
		return p.Final
	case 4:
		return fmt.Sprint(text, g.r.IntN(1e6))
	}
	return g.truth(other)
}

// show sets the text of a page. The tick is the clock of a site that has one.
func (s *genSite) show(p *suggest.Page, text string, tick int) {
	if s.portal {
		text = strings.Replace(text, s.host+"/sta/", "familia/", 1)
	}
	if !s.ticks {
		p.SHA256 = text
		return
	}
	plain := strings.NewReplacer("/", " sobre ", "-", " de ", "?", " ", "=", " ", ".", " ")
	words := plain.Replace(text[len("https://"):])
	p.Sketch = health.SketchOf(words, fmt.Sprintf("Información y requisitos de %s, en la oficina del registro.\n\n"+
		"Hora: %02d:%02d", words, tick/60%24, tick%60))
}

// keepBase keeps the URLs that the policy leaves as they are.
func (g *generated) keepBase(c *canon.Canonicalizer) {
	g.urls = slices.DeleteFunc(g.urls, func(u genURL) bool { return c.Canonicalize(u.url, nil).Canonical != u.url })
}
