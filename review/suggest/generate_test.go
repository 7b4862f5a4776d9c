package suggest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"visto/review/suggest"
)

// link is a URL in its parts.
type link struct {
	host     string
	segments []string
	params   []string // such as "id=7"
}

func parseLink(url string) link {
	rest, query, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "?")
	parts := strings.Split(rest, "/")
	l := link{host: parts[0], segments: parts[1:]}
	if query != "" {
		l.params = strings.Split(query, "&")
	}
	return l
}

func (l link) String() string {
	url := "https://" + strings.Join(append([]string{l.host}, l.segments...), "/")
	if len(l.params) > 0 {
		url += "?" + strings.Join(l.params, "&")
	}
	return url
}

// isUnder reports whether the link is in a section, wherever that is mounted.
func (l link) isUnder(section string) bool {
	return section == "" || slices.Contains(l.segments[:min(2, len(l.segments))], section)
}

func (l link) last() string {
	if len(l.segments) == 0 {
		return ""
	}
	return l.segments[len(l.segments)-1]
}

// with returns the link with a new path.
func (l link) with(segments ...string) link {
	l.segments = segments
	return l
}

// without returns the link without the parameters of the names.
func (l link) without(names ...string) link {
	l.params = slices.DeleteFunc(slices.Clone(l.params), func(p string) bool {
		name, _, _ := strings.Cut(p, "=")
		return slices.Contains(names, name)
	})
	return l
}

// plus returns the link with one more parameter, at any place.
func (l link) plus(r *rand.Rand, param string) link {
	l.params = slices.Insert(slices.Clone(l.params), r.IntN(len(l.params)+1), param)
	return l
}

// generated is a set of sites with planted rules.
type generated struct {
	r     *rand.Rand
	sites []*genSite
	hosts map[string]*genSite // by host and by alias
	urls  []genURL
}

// genURL is a stored URL.
type genURL struct {
	site *genSite
	url  string
	dead bool // it shows an error or a login
}

// genSite is a host with its planted rules. Its pages have one best URL each, which no rule changes.
type genSite struct {
	host  string
	rules []*genRule
	pages map[string]string // texts, by best URL

	canonicals bool // its pages state canonical links
	ticks      bool // its texts have clocks
	portal     bool // it has the texts of its family, which all hosts of the family show
}

// genRule is a planted rule.
type genRule struct {
	kind      suggest.Kind
	site      *genSite
	redirects bool
	spoil     func(link) (link, bool) // makes a duplicate
	clean     func(link) (link, bool) // takes it back
}

// generate returns sites with sizes by Zipf's law: the largest has so many URLs, the k-th one of k parts of them.
func generate(seed uint64, hosts, largest int) *generated {
	g := &generated{r: rand.New(rand.NewPCG(seed, 18)), hosts: map[string]*genSite{}}
	names := g.r.Perm(len(towns) * len(places) * len(offices))
	for k := range hosts {
		n := names[k]
		host := fmt.Sprintf("%s.%s%s.gob.es", offices[n%len(offices)], towns[n/len(offices)%len(towns)],
			places[n/len(offices)/len(towns)])
		g.add(host, max(3, largest/(k+1)))
	}
	slices.SortFunc(g.urls, func(a, b genURL) int { return strings.Compare(a.url, b.url) })
	g.urls = slices.CompactFunc(g.urls, func(a, b genURL) bool { return a.url == b.url })
	return g
}

// add adds a site of about so many URLs. The first of each ten has the software of its family, with the family's rule.
func (g *generated) add(host string, size int) {
	s := &genSite{host: host, pages: map[string]string{}, canonicals: g.r.IntN(3) == 0, ticks: g.r.IntN(4) == 0}
	g.sites = append(g.sites, s)
	g.hosts[host] = s
	b := &siteBuilder{g, s, pick(g.r, sections, 4), g.r.IntN(3), ""}
	if g.r.IntN(3) == 0 {
		b.content = pick(g.r, tracking, 1)[0]
	}
	if len(g.sites)%10 == 1 {
		b.family()
	}
	for range g.r.IntN(4) {
		b.plant(suggest.Kind(1 + g.r.IntN(int(suggest.Capture))))
	}
	b.fill(size)
}

// truth returns the best URL of the page at a URL by the planted rules. A URL without a page stands for itself.
func (g *generated) truth(url string) string {
	l := parseLink(url)
	if s := g.hosts[l.host]; s != nil {
		for range 4 {
			for _, r := range s.rules {
				if to, ok := r.clean(l); ok {
					l = to
				}
			}
		}
		if same, ok := s.pages[l.String()]; ok {
			return same
		}
	}
	return l.String()
}

// siteBuilder makes the URLs of a site.
type siteBuilder struct {
	*generated
	site     *genSite
	sections []string
	style    int    // of its URLs
	content  string // the parameter that selects the content of the last section; "": none
}

// fill adds the pages of a site and their duplicates.
func (b *siteBuilder) fill(size int) {
	crossed := b.r.IntN(6) == 0 // two sections share some pages
	for n := 0; size > 0; n++ {
		section := b.sections[b.r.IntN(len(b.sections)-1)]
		best := b.best(section, n)
		switch {
		case b.content != "" && n%4 == 0:
			best = link{b.site.host, []string{b.sections[3]}, []string{b.content + "=" + slug(n)}}
		case n%11 == 10:
			b.addDead(b.best("area", n), &size)
			continue
		}
		url := best.String()
		b.site.pages[url] = url
		b.addURL(best, &size)
		if crossed && n%5 == 0 && len(best.segments) > 1 && best.segments[0] != b.sections[0] {
			twin := best.with(append([]string{b.sections[0]}, best.segments[1:]...)...)
			b.site.pages[twin.String()] = url
			b.addURL(twin, &size)
		}
		b.duplicates(best, &size)
		if n%9 == 8 { // a version in another language, which is another page
			other := best.with(append([]string{"en"}, best.segments...)...)
			b.site.pages[other.String()] = other.String()
			b.addURL(other, &size)
		}
	}
}

// duplicates adds up to three other URLs of a page, by one rule or by two.
func (b *siteBuilder) duplicates(best link, size *int) {
	for range b.r.IntN(4) {
		if len(b.site.rules) == 0 {
			return
		}
		l, changed := best, false
		for range 1 + b.r.IntN(6)/5 {
			if to, ok := b.site.rules[b.r.IntN(len(b.site.rules))].spoil(l); ok {
				l, changed = to, true
			}
		}
		if changed && b.truth(l.String()) == b.truth(best.String()) {
			b.addURL(l, size)
		}
	}
}

func (b *siteBuilder) addURL(l link, size *int) {
	b.urls = append(b.urls, genURL{b.site, l.String(), false})
	*size--
}

func (b *siteBuilder) addDead(l link, size *int) {
	b.urls = append(b.urls, genURL{b.site, l.String(), true})
	*size--
}

// best returns the best URL of the n-th page.
func (b *siteBuilder) best(section string, n int) link {
	l := link{host: b.site.host}
	switch b.style {
	case 0:
		l.segments = []string{section, topics[n%len(topics)], slug(n)}
	case 1:
		l.segments = []string{section, slug(n)}
	default:
		name := contents[len(section)%len(contents)]
		l.segments = []string{section, "ficha.do"}
		l.params = []string{fmt.Sprint(name, "=", 100+n)}
	}
	for _, r := range b.site.rules {
		if to, ok := r.clean(l); ok {
			l = to
		}
	}
	return l
}

func slug(n int) string {
	return fmt.Sprintf("%s-%s-%d", verbs[n%len(verbs)], topics[n/len(verbs)%len(topics)], n)
}

// pick returns n of a list.
func pick(r *rand.Rand, list []string, n int) (some []string) {
	for _, i := range r.Perm(len(list))[:n] {
		some = append(some, list[i])
	}
	return some
}

// family plants a rule of the software that several hosts run.
func (b *siteBuilder) family() {
	b.sections[0], b.style, b.site.portal = "sta", 0, true
	b.addRule(suggest.DropParam, b.param("sta", "mcont"))
}

// param is a rule about parameters that do not matter below a section.
func (b *siteBuilder) param(section string, names ...string) genRule {
	return genRule{
		spoil: func(l link) (link, bool) {
			for _, name := range names {
				if len(names) == 1 || b.r.IntN(4) > 0 {
					l = l.without(name).plus(b.r, fmt.Sprintf("%s=%d", name, b.r.IntN(30)))
				}
			}
			return l, l.isUnder(section)
		},
		clean: func(l link) (link, bool) {
			to := l.without(names...)
			return to, l.isUnder(section) && len(to.params) < len(l.params)
		},
	}
}

func (b *siteBuilder) addRule(k suggest.Kind, r genRule) {
	r.kind, r.site, r.redirects = k, b.site, b.r.IntN(2) == 0
	b.site.rules = append(b.site.rules, &r)
}

// moved is a rule that takes links from one path prefix to another. Each page has a segment behind it.
func moved(from, to []string) genRule {
	move := func(from, to []string) func(l link) (link, bool) {
		return func(l link) (link, bool) {
			n := len(from)
			if len(l.segments) <= n || !slices.Equal(l.segments[:n], from) {
				return l, false
			}
			return l.with(slices.Concat(to, l.segments[n:])...), true
		}
	}
	return genRule{spoil: move(to, from), clean: move(from, to)}
}

// plant adds a rule of a kind, unless the site has one of the kind.
func (b *siteBuilder) plant(k suggest.Kind) {
	if slices.ContainsFunc(b.site.rules, func(r *genRule) bool { return r.kind == k }) {
		return
	}
	section := b.sections[1]
	switch k {
	case suggest.DropParam:
		names := pick(b.r, tracking, 1)
		if b.r.IntN(2) == 0 && names[0] != b.content {
			section = ""
		}
		b.addRule(k, b.param(section, names...))
	case suggest.KeepParams:
		b.addRule(k, b.param(section, pick(b.r, tracking, 3)...))
	case suggest.DropSegment:
		b.addRule(k, moved([]string{"web", section}, []string{section}))
	case suggest.AddSegment:
		b.addRule(k, moved([]string{section}, []string{"sede", section}))
	case suggest.ReplaceSegment:
		b.addRule(k, moved([]string{section + "-antiguo"}, []string{section}))
	case suggest.LanguagePrefix:
		b.addRule(k, moved([]string{"es", section}, []string{section}))
	case suggest.PathCase:
		b.addRule(k, moved([]string{strings.ToUpper(section[:1]) + section[1:]}, []string{section}))
	case suggest.HostAlias:
		b.alias()
	case suggest.IndexPage, suggest.Extension:
		b.ending(k)
	case suggest.Capture:
		b.capture(section)
	}
}

func (b *siteBuilder) alias() {
	main, other := b.site.host, "antigua-"+b.site.host
	b.hosts[other] = b.site
	to := func(from, to string) func(l link) (link, bool) {
		return func(l link) (link, bool) {
			ok := l.host == from
			l.host = to
			return l, ok
		}
	}
	b.addRule(suggest.HostAlias, genRule{spoil: to(main, other), clean: to(other, main)})
}

// ending is a rule about the end of a path without a dot.
func (b *siteBuilder) ending(k suggest.Kind) {
	end := pick(b.r, []string{".html", ".htm", ".php"}, 1)[0]
	if k == suggest.IndexPage {
		end = "/" + pick(b.r, []string{"index.html", "index.jsp", "default.aspx", "inicio.do"}, 1)[0]
	}
	b.addRule(k, genRule{
		spoil: func(l link) (link, bool) {
			if l.last() == "" || strings.Contains(l.last(), ".") {
				return l, false
			}
			return l.with(strings.Split(strings.Join(l.segments, "/")+end, "/")...), true
		},
		clean: func(l link) (link, bool) {
			path, ok := strings.CutSuffix(strings.Join(l.segments, "/"), end)
			if !ok || path == "" || strings.HasSuffix(path, "/") {
				return l, false
			}
			return l.with(strings.Split(path, "/")...), true
		},
	})
}

// capture is a rule that takes the name of a page from a parameter to the path.
func (b *siteBuilder) capture(section string) {
	const name = "clave="
	b.addRule(suggest.Capture, genRule{
		spoil: func(l link) (link, bool) {
			if len(l.segments) != 2 || l.segments[0] != section || strings.Contains(l.last(), ".") {
				return l, false
			}
			return l.with(section).plus(b.r, name+l.last()), true
		},
		clean: func(l link) (link, bool) {
			i := slices.IndexFunc(l.params, func(p string) bool { return strings.HasPrefix(p, name) })
			if len(l.segments) != 1 || l.segments[0] != section || i < 0 {
				return l, false
			}
			return l.without("clave").with(section, l.params[i][len(name):]), true
		},
	})
}

var (
	offices = []string{"sede", "portal", "tramites"}
	towns   = []string{"villa", "torre", "fuente", "monte", "puebla", "aldea", "rio", "valle", "casa", "puente"}
	places  = []string{"nueva", "alta", "seca", "verde", "mayor", "hermosa", "clara", "umbria", "franca", "real",
		"rubia"}

	sections = []string{"tramites", "ayudas", "servicios", "empleo", "cultura", "normativa", "catalogo", "ciudadania",
		"empresas", "hacienda"}
	topics   = []string{"vivienda", "familia", "comercio", "movilidad", "deporte", "agua", "padron", "infancia"}
	verbs    = []string{"solicitud", "renovacion", "alta", "baja", "recurso", "permiso", "beca", "certificado", "pago"}
	contents = []string{"idTramite", "codTramite", "materia", "numero", "cod", "ambito"}
	tracking = []string{"origen", "fuente", "canal", "vista", "volver", "menu", "desde", "v", "orden", "token"}
)
