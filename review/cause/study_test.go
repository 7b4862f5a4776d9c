package cause_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/read"
	"visto/review/suggest"
)

// reasonsText writes the fixes that have reasons: a star if recommended, the title, the reasons.
func reasonsText(s *cause.Study) string {
	var list []string
	for _, r := range s.Fixes {
		if len(r.Reasons) == 0 {
			continue
		}
		star := ""
		if r.Recommended {
			star = "*"
		}
		list = append(list, star+r.Title+": "+strings.Join(r.Reasons, "; "))
	}
	return strings.Join(list, " | ")
}

func evidence(set func(*canon.Evidence)) *canon.Evidence {
	ev := &canon.Evidence{Status: 200}
	set(ev)
	return ev
}

// TestReasons has one case for each reason, and for facts that are no reason.
func TestReasons(t *testing.T) {
	no := new(bool)
	const host = "https://sede.ejemplo.gob.es"
	page := func(url string, set func(*canon.Evidence)) review.Found {
		return review.Found{URL: url, Evidence: evidence(set)}
	}
	nothing := func(*canon.Evidence) {}
	// named are pages that name canonical links, shown are pages with bodies: "PATH LINK" or "PATH BODY".
	pages := func(set func(ev *canon.Evidence, text string), pairs ...string) (list []review.Found) {
		for _, pair := range pairs {
			path, text, _ := strings.Cut(pair, " ")
			list = append(list, page(host+path, func(ev *canon.Evidence) { set(ev, text) }))
		}
		return list
	}
	named := func(pairs ...string) []review.Found {
		return pages(func(ev *canon.Evidence, to string) { ev.RelCanonical = host + to }, pairs...)
	}
	shown := func(pairs ...string) []review.Found {
		return pages(func(ev *canon.Evidence, sum string) { ev.SHA256 = sum }, pairs...)
	}
	titled := func(title string, list []review.Found) []review.Found {
		for i := range list {
			list[i].Evidence.Title = title
		}
		return list
	}
	missing := func(urls ...string) (list []review.Found) {
		for _, url := range urls {
			list = append(list, review.Found{URL: host + url, Evidence: &canon.Evidence{Status: 404}})
		}
		return list
	}
	same := []string{"/t/uno-dos?rara=1 a", "/t/uno-dos?rara=2 a", "/t/uno-tres?rara=1 b", "/t/uno-tres?rara=2 b",
		"/t/uno-mil?rara=1 c", "/t/uno-mil?rara=2 c"}
	for _, test := range []struct {
		name, cause string
		found       []review.Found
		before      func(d *desk)
		want        string
	}{
		{"nothing is known", "unknown-param rara on sede.ejemplo.gob.es",
			[]review.Found{{URL: host + "/tramites/uno-dos?rara=1"}}, nil, ""},
		{"canonical links", "unknown-param rara on sede.ejemplo.gob.es",
			named("/t/uno-dos?rara=1 /t/uno-dos", "/t/uno-tres?rara=1 /t/uno-tres",
				"/t/uno-mil?rara=1 /t/uno-mil"), nil,
			"*drop rara on sede.ejemplo.gob.es: 3 pages leave it out of their canonical links"},
		{"too few canonical links", "unknown-param rara on sede.ejemplo.gob.es",
			named("/t/uno-dos?rara=1 /t/uno-dos"), nil, "drop rara on sede.ejemplo.gob.es: " +
				"1 page leaves it out of its canonical link: too few to recommend"},
		{"canonical links that keep it", "unknown-param rara on sede.ejemplo.gob.es",
			named("/t/uno?rara=1 /t/uno?rara=1", "/t/uno?rara=2 /t/uno?rara=2", "/t/uno?rara=3 /t/uno?rara=3"), nil,
			"*keep rara on sede.ejemplo.gob.es: 3 pages have it in their canonical links"},
		{"pages that disagree", "unknown-param rara on sede.ejemplo.gob.es", named("/t/uno-dos?rara=1 /t/uno-dos",
			"/t/uno-mil?rara=1 /t/uno-mil", "/t/uno-seis?rara=1 /t/uno-seis",
			"/t/uno-tres?rara=1 /t/uno-tres?rara=1"), nil,
			"keep rara on sede.ejemplo.gob.es: 1 page has it in its canonical link: too few to recommend | " +
				"drop rara on sede.ejemplo.gob.es: 3 pages leave it out of their canonical links: " +
				"too much speaks against it"},
		{"the same pages", "unknown-param rara on sede.ejemplo.gob.es", shown(same...), nil,
			"*drop rara on sede.ejemplo.gob.es: 3 pages show the same text with another value"},
		{"a page without the parameter, which no longer waits", "unknown-param rara on sede.ejemplo.gob.es",
			append(named("/t/uno-dos?rara=1 /t/uno-dos", "/t/uno-tres?rara=1 /t/uno-tres"),
				shown("/t/uno-mil a", "/t/uno-mil?rara=1 a")...), nil,
			"*drop rara on sede.ejemplo.gob.es: 2 pages leave it out of their canonical links; " +
				"1 page shows the same text with another value"},
		{"pages that all say the same error", "unknown-param rara on sede.ejemplo.gob.es",
			titled("Error interno", shown(same...)), nil, ""},
		{"a text under many paths", "unknown-param rara on sede.ejemplo.gob.es", shown("/t/uno-dos?rara=1 a",
			"/t/uno-dos?rara=2 a", "/t/uno-tres?rara=1 a", "/t/uno-tres?rara=2 a", "/t/uno-mil?rara=1 a",
			"/t/uno-mil?rara=2 a", "/t/uno-seis?rara=1 a", "/t/uno-seis?rara=2 a"), nil, ""},
		{"a decision against", "unknown-param rara on sede.ejemplo.gob.es",
			append(shown(same...), review.Found{URL: host + "/t/uno-diez?rara=1"}), func(d *desk) {
				d.decide(review.Approve, host+"/t/uno-diez?rara=1")
			}, "drop rara on sede.ejemplo.gob.es: 3 pages show the same text with another value: " +
				"a person decided otherwise"},
		{"other pages", "unknown-param rara on sede.ejemplo.gob.es",
			shown("/t/uno-dos?rara=1 a", "/t/uno-dos?rara=2 b", "/t/uno-dos?rara=3 c", "/t/uno-dos?rara=4 d"), nil,
			"*keep rara on sede.ejemplo.gob.es: 3 pages show another text with another value"},
		{"pages that are missing without it", "unknown-param rara on sede.ejemplo.gob.es", append(
			shown("/t/uno-dos?rara=1 a", "/t/uno-tres?rara=1 b", "/t/uno-mil?rara=1 c"), missing("/t/uno-dos",
				"/t/uno-tres", "/t/uno-mil")...), nil,
			"*keep rara on sede.ejemplo.gob.es: 3 pages are missing without it"},
		{"a single other page", "unknown-param rara on sede.ejemplo.gob.es",
			shown("/t/uno-dos?rara=1 a", "/t/uno-dos?rara=2 b"), nil, "keep rara on sede.ejemplo.gob.es: " +
				"1 page shows another text with another value: too few to recommend"},
		{"canonical links of several parameters", "unknown-param otra, rara on sede.ejemplo.gob.es",
			named("/t/uno-dos?rara=1&otra=1 /t/uno-dos?otra=1&rara=1", // for keeping them
				"/t/uno-tres?rara=1&otra=1 /t/uno-tres?rara=1"), nil, // for neither
			"keep otra, rara on sede.ejemplo.gob.es: 1 page has them in its canonical link: too few to recommend"},
		{"rules elsewhere for several parameters", "unknown-param otra, rara on sede.ejemplo.gob.es",
			[]review.Found{{URL: host + "/tramites/uno-dos?rara=1&otra=1"}}, func(d *desk) {
				d.save(canon.Override{Match: canon.Match{Host: "otro.gob.es"}, DropQueryParams: []string{"otra"}},
					canon.Override{Match: canon.Match{Host: "y.gob.es"}, KeepQueryParams: []string{"otra", "rara"}})
			}, "*keep otra, rara on sede.ejemplo.gob.es: 1 rule elsewhere keeps them"},
		{"pages by several parameters", "unknown-param otra, rara on sede.ejemplo.gob.es",
			shown("/t/uno-dos?rara=1&otra=1 a", "/t/uno-dos?rara=2&otra=2 a", "/t/uno-dos?rara=2&otra=3 b"), nil,
			"keep otra, rara on sede.ejemplo.gob.es: 1 page shows another text with other values: " +
				"too few to recommend | drop otra, rara on sede.ejemplo.gob.es: " +
				"1 page shows the same text with other values: too few to recommend"},
		{"approved before with one parameter of two", "unknown-param otra, rara on sede.ejemplo.gob.es", []review.Found{
			{URL: host + "/tramites/uno-uno?rara=1"}, {URL: host + "/tramites/uno-dos?rara=1"},
			{URL: host + "/tramites/uno-tres?rara=1"}, {URL: host + "/tramites/uno-cuatro?rara=1&otra=1"},
		}, func(d *desk) {
			d.decide(review.Approve, host+"/tramites/uno-uno?rara=1", host+"/tramites/uno-dos?rara=1",
				host+"/tramites/uno-tres?rara=1")
		}, ""},
		{"a rule elsewhere", "unknown-param plaza on sede.ejemplo.gob.es",
			[]review.Found{{URL: host + "/tramites/uno-dos?plaza=1"}}, func(d *desk) {
				d.save(canon.Override{Match: canon.Match{Host: "otro.gob.es"}, DropQueryParams: []string{"PLA*"}})
			}, "*drop plaza on sede.ejemplo.gob.es: 1 rule elsewhere drops it"},
		{"approved before", "home-page on sede.ejemplo.gob.es", []review.Found{
			{URL: host + "/uno"}, {URL: host + "/dos"}, {URL: host + "/tres"}, {URL: host + "/"},
		}, func(d *desk) {
			d.decide(review.Approve, host+"/uno", host+"/dos", host+"/tres")
		}, "*accept home-page on sede.ejemplo.gob.es: 3 of 3 decided before were approved unchanged"},
		{"decided both ways", "home-page on sede.ejemplo.gob.es", []review.Found{
			{URL: host + "/uno"}, {URL: host + "/dos"}, {URL: host + "/tres"}, {URL: host + "/"},
		}, func(d *desk) {
			d.decide(review.Approve, host+"/uno", host+"/dos")
			d.decide(review.Reject, host+"/tres")
		}, ""},
		{"rejected before", "home-page on sede.ejemplo.gob.es", []review.Found{
			{URL: host + "/uno"}, {URL: host + "/dos"}, {URL: host + "/tres"}, {URL: host + "/"},
		}, func(d *desk) {
			d.decide(review.Reject, host+"/uno", host+"/dos", host+"/tres")
		}, "*reject the one URL: 3 of 3 decided before were rejected"},
		{"no HTTPS", "http-only on plano.ejemplo.es", []review.Found{
			page("http://plano.ejemplo.es/tramites/uno-dos", func(ev *canon.Evidence) { ev.HTTPS = no }),
		}, nil, "*keep http on plano.ejemplo.es: asked about 1 of them: no answer over HTTPS"},
		{"the slash", "trailing-slash on sede.ejemplo.gob.es", []review.Found{
			page(host+"/tramites/uno-dos",
				func(ev *canon.Evidence) { ev.Hops = []canon.Hop{{Status: 301, URL: host + "/tramites/uno-dos/"}} }),
		}, nil, "*keep the slash on sede.ejemplo.gob.es: asked about 1 of them: the server leads back to the slash"},
		{"a slash of an error page", "trailing-slash on sede.ejemplo.gob.es", []review.Found{
			page(host+"/tramites/uno-dos", func(ev *canon.Evidence) {
				ev.Hops, ev.Title = []canon.Hop{{Status: 301, URL: host + "/tramites/uno-dos/"}}, "Error interno"
			}),
		}, nil, ""},
		{"a port that answers", "nonstandard-port on sede.ejemplo.gob.es",
			[]review.Found{page(host+":8443/tramites/uno-dos", nothing)}, nil,
			"*accept nonstandard-port on sede.ejemplo.gob.es: asked about 1 of them: the page answers so"},
		{"a port that answers for one of several", "nonstandard-port on sede.ejemplo.gob.es", []review.Found{
			page(host+":8443/tramites/uno-dos", nothing), {URL: host + ":8443/tramites/uno-tres"},
		}, nil, "accept nonstandard-port on sede.ejemplo.gob.es: asked about 1 of them: the page answers so: " +
			"too few to recommend"},
		{"a port with an error page", "nonstandard-port on sede.ejemplo.gob.es", []review.Found{
			page(host+":8443/tramites/uno-dos", func(ev *canon.Evidence) { ev.Title = "Acceso denegado" }),
		}, nil, ""},
		{"a port that does not", "nonstandard-port on sede.ejemplo.gob.es", []review.Found{
			page(host+":8443/tramites/uno-dos", nothing),
			page(host+":8443/tramites/uno-tres", func(ev *canon.Evidence) { ev.Status = 404 }),
		}, nil, ""},
		{"versions without Spanish", "no-spanish on web.gencat.cat", []review.Found{
			page("https://web.gencat.cat/ca/tramits/uno-dos", func(ev *canon.Evidence) {
				ev.Language, ev.LangVariants = "ca",
					map[string]string{"en": "https://web.gencat.cat/en/tramits/uno-dos"}
			}),
		}, nil, "*accept no-spanish on web.gencat.cat: each page names its language versions, " +
			"and Spanish is not among them"},
		{"versions of an error page", "no-spanish on web.gencat.cat", []review.Found{
			page("https://web.gencat.cat/ca/tramits/uno-dos", func(ev *canon.Evidence) {
				ev.Language, ev.Title = "ca", "Error 500"
				ev.LangVariants = map[string]string{"en": "https://web.gencat.cat/en/tramits/uno-dos"}
			}),
		}, nil, ""},
		{"a host that imitates another", "suspicious-host on xn--sde-rdd.seg-social.gob.es", []review.Found{
			page("https://sеde.seg-social.gob.es/a/b/c-d", nothing),
			page("https://sеde.seg-social.gob.es/a/b/c-e", nothing),
			page("https://sеde.seg-social.gob.es/a/b/c-f", nothing),
			page("https://sеde.seg-social.gob.es/a/b/c-g", nothing),
		}, func(d *desk) {
			d.decide(review.Approve, "https://sеde.seg-social.gob.es/a/b/c-d",
				"https://sеde.seg-social.gob.es/a/b/c-e", "https://sеde.seg-social.gob.es/a/b/c-f")
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.addFound(test.found...)
			if test.before != nil {
				test.before(d)
			}
			got := reasonsText(d.study(test.cause))
			if got != test.want {
				t.Errorf("%q\nwant %q", got, test.want)
			}
		})
	}
}

func inField(field string, urls ...string) []review.Found {
	var list []review.Found
	for _, u := range urls {
		list = append(list, review.Found{URL: u, Place: read.Place{File: "r.yaml", Field: field}})
	}
	return list
}

func TestFieldMadeForItsPages(t *testing.T) {
	d := newDesk(t)
	d.addFound(inField("portal_url", "https://a.gob.es/", "https://b.gob.es/", "https://c.gob.es/",
		"https://d.gob.es/", "https://e.gob.es/x/y/z-z-z")...)
	d.addFound(inField("sede_url", "https://a.gob.es/", "https://h.gob.es/", "https://i.gob.es/x/y/z-z-z")...)
	links := inField("link", "https://f.gob.es/", "https://g.gob.es/", "https://e.gob.es/x/y/z-z-1",
		"https://e.gob.es/x/y/z-z-2")
	for i := range links {
		links[i].Place.File = "links.yaml"
	}
	d.addFound(links...)
	both := d.study("home-page in portal_url, sede_url (5 hosts)")
	if got := reasonsText(both); got != "" {
		t.Errorf("5 of 7 in both: %q", got)
	}
	const want = "*accept home-page in field portal_url: 4 of the 5 URLs in portal_url are such pages: " +
		"the field is made for them"
	one, err := cause.Examine(t.Context(), d, both.Cause.Narrow("portal_url"))
	if got := reasonsText(one); err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	d.addFound(inField("sede_url", "https://j.gob.es/", "https://k.gob.es/", "https://l.gob.es/")...)
	const wantBoth = "*accept home-page in sede_url, portal_url: 8 of the 10 URLs in sede_url, portal_url " +
		"are such pages: the fields are made for them"
	if got := reasonsText(d.study("home-page in sede_url, portal_url (8 hosts)")); got != wantBoth {
		t.Errorf("%q", got)
	}
	if got := reasonsText(d.study("home-page in link (2 hosts)")); got != "" {
		t.Errorf("half of a field: %q", got)
	}
}

func TestSpanishPrefixesAreOffered(t *testing.T) {
	d := newDesk(t)
	ca := func(n int) string { return fmt.Sprintf("https://web.gencat.cat/ca/tramits/tramit-1234%d", n) }
	for n := range 4 {
		d.addFound(review.Found{URL: ca(n), Evidence: &canon.Evidence{Language: "ca"}})
	}
	s := d.study("no-spanish on web.gencat.cat")
	if r := s.Fixes[0]; r.Kind != cause.FixMapLanguage || r.Rules[0].Spanish == nil ||
		*r.Rules[0].Spanish != (canon.Prefixes{From: "/ca/", To: "/es/"}) || r.Recommended {
		t.Errorf("a guess alone: %+v", r)
	}
	d.addFound(review.Found{URL: "https://web.gencat.cat/es/tramites/tramite-66666",
		Evidence: &canon.Evidence{Status: 404, Language: "es"}})
	if s = d.study("no-spanish on web.gencat.cat"); s.Fixes[0].Recommended {
		t.Errorf("with a page that is gone: %+v", s.Fixes[0])
	}
	d.add("https://web.gencat.cat/es/tramites/tramite-77777")
	s = d.study("no-spanish on web.gencat.cat")
	if r := s.Fixes[0]; !r.Recommended ||
		r.Reasons[0] != "4 of them lie under /ca/, and 1 Spanish page of the host lies under /es/" {
		t.Errorf("with Spanish pages: %+v", r)
	}
	d.save(s.Fixes[0].Rules[0])
	if it := d.item(ca(1)); it.Open() || it.Computed.Canonical != "https://web.gencat.cat/es/tramits/tramit-12341" {
		t.Errorf("after it: %+v", it)
	}
	if s = d.examine(s.Cause); s.Cause.N != 0 || len(s.Fixes) != 0 {
		t.Errorf("after the fix: %+v", s)
	}
}

func TestHostIsPinned(t *testing.T) {
	d := newDesk(t)
	d.add("https://www.ejemplo.gob.es/tramites/lista-de-cosas/1",
		"https://ejemplo.gob.es/tramites/lista-de-cosas/2?rara=1")
	for _, r := range d.study("unknown-param rara on ejemplo.gob.es").Fixes {
		if r.Kind == cause.FixHost {
			if r.Rules[0].CanonicalHost != "www.ejemplo.gob.es" || r.Recommended {
				t.Errorf("%+v", r)
			}
			return
		}
	}
	t.Error("the host is not offered")
}

func TestNarrow(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.gob.es/es/t/uno?rara=1", "https://a.gob.es/es/t/dos?rara=1", "https://a.gob.es/es/t/tres?rara=1",
		"https://a.gob.es/es/x/uno?rara=1", "https://a.gob.es/es/x/dos?rara=1")
	s := d.study("unknown-param rara on a.gob.es")
	if want := []review.Bucket{{Value: "/es/t", N: 3}, {Value: "/es/x", N: 2}}; !slices.Equal(s.Under, want) {
		t.Errorf("under %v", s.Under)
	}
	narrow := d.examine(s.Cause.Narrow("/es/t"))
	if narrow.Cause.N != 3 || narrow.Fixes[0].Title != "keep rara on a.gob.es/es/t" || len(narrow.Samples) != 3 {
		t.Errorf("%+v", narrow)
	}
	d.save(narrow.Fixes[0].Rules[0])
	if n, _ := d.Count(t.Context(), s.Cause.Filter()); n != 2 {
		t.Errorf("%d are left", n)
	}
}

// A fix approves only URLs without another flag, which nobody would see. It may reject others.
func TestFixApprovesOnlyURLsWithoutOtherFlag(t *testing.T) {
	d := newDesk(t)
	links := inField("link", "https://a.gob.es/", "https://b.gob.es/", "https://c.gob.es:8443/")
	for i := range links {
		links[i].Place.File = "links.yaml"
	}
	portals := inField("portal_url", "https://a.gob.es/", "https://b.gob.es/", "https://c.gob.es:8443/")
	d.addFound(append(links, portals...)...)
	c := d.study("home-page in portal_url (3 hosts)").Cause
	d.save(c.Fixes()[0].Rules...)
	for _, r := range d.examine(c).Fixes {
		n, err := d.Count(t.Context(), r.Only)
		d.must(err)
		if want := map[cause.FixKind]int{cause.FixAccept: 2, cause.FixReject: 3}[r.Kind]; n != want {
			t.Errorf("%s: is about %d", r.Title, n)
		}
	}
}

// A flag of hosts in a field has one rule for each of its hosts, all in one batch, and none for the hosts to come. Where
// the cause is narrowed to a field, the hosts are those of that field.
func TestHostsOfAFieldAreTrusted(t *testing.T) {
	d := newDesk(t)
	one, two := "https://uno.ejemplo.com/a/b/c", "https://dos.ejemplo.com/a/b/c"
	d.addFound(append(inField("portal_url", one, two), inField("sede_url", two, "https://tres.ejemplo.com/a/b/c")...)...)
	s := d.study("off-allowlist in portal_url, sede_url (3 hosts)")
	hosts := func(fixes []cause.Fix) (list []string) {
		for _, rule := range fixes[0].Rules {
			list = append(list, rule.Match.String())
		}
		return list
	}
	all := []string{"dos.ejemplo.com", "tres.ejemplo.com", "uno.ejemplo.com"}
	if got := hosts(s.Fixes); !slices.Equal(got, all) || !slices.Equal(s.Cause.On.List(), all) {
		t.Errorf("rules for %v, listed %v", got, s.Cause.On.List())
	}
	narrow := d.examine(s.Cause.Narrow("sede_url"))
	if got := hosts(narrow.Fixes); !slices.Equal(got, all[:2]) {
		t.Errorf("rules for %v in sede_url", got)
	}
	if !narrow.Cause.Same(s.Cause.Narrow("sede_url")) {
		t.Error("a cause is another one once its hosts are known")
	}
	d.save(s.Fixes[0].Rules...)
	if n, _ := d.Count(t.Context(), s.Cause.Filter()); n != 0 {
		t.Errorf("%d are left", n)
	}
	d.addFound(inField("portal_url", "https://cuatro.ejemplo.com/a/b/c")...)
	later := d.study("off-allowlist on cuatro.ejemplo.com")
	for _, f := range later.Fixes {
		if f.Recommended || len(f.Reasons) > 0 {
			t.Errorf("%s is recommended for a host that nobody looked at: %v", f.Title, f.Reasons)
		}
	}
}

// Where each field of a cause has its rule, its URLs wait for other fields that cite them: a decision is left.
func TestRuledFieldIsDecided(t *testing.T) {
	d := newDesk(t)
	urls := []string{"https://a.gob.es/", "https://b.gob.es/"}
	links := append(inField("link", urls...), inField("link", "https://b.gob.es/x/y/z-z-z")...)
	for i := range links {
		links[i].Place.File = "links.yaml"
	}
	d.addFound(append(links, inField("portal_url", append(urls, "https://c.gob.es/")...)...)...)
	c := d.study("home-page in portal_url (3 hosts)").Cause
	titles := func(when, want string) {
		t.Helper()
		got := ""
		for _, f := range d.examine(c).Fixes {
			got += f.Title + ";"
		}
		if got != want {
			t.Errorf("%s: %s", when, got)
		}
	}
	titles("before", "accept home-page in field portal_url;reject the 3 URLs;")
	d.save(c.Fixes()[0].Rules...)
	titles("after", "approve the 2 URLs;reject the 2 URLs;")
}

// A study says how many URLs its cause settles, and names the other flags of the rest.
func TestLeft(t *testing.T) {
	d := newDesk(t)
	at := func(urls ...string) {
		for _, u := range urls {
			d.addFound(review.Found{URL: u, Place: read.Place{File: "r.yaml", Field: "portal_url"}})
		}
	}
	at("https://a.gob.es/", "https://b.gob.es/", "https://www.uno.example/", "https://www.dos.example:8443/",
		"https://a.gob.es/x/y/z-z-z?uno=1", "https://a.gob.es/x/y/z-z-z?uno=1&dos=2",
		"https://a.gob.es:81/x/y/z-z-z?uno=1")
	for name, want := range map[string]string{
		"home-page in portal_url (4 hosts)": "4 2 [{off-allowlist 2} {nonstandard-port 1}]",
		"unknown-param uno on a.gob.es":     "3 1 [{nonstandard-port 1} {unknown-param dos 1}]",
		"home-page on b.gob.es":             "1 1 []",
	} {
		s := d.study(name)
		if got := fmt.Sprint(s.Cause.N, s.Settles, s.Left); got != want || s.Cause.Sole != s.Settles {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Home pages have no path to narrow a cause to: a rule for "/" would hold for the whole host.
func TestHomePagesHaveNoPath(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.gob.es/?rara=1", "https://a.gob.es/?rara=2", "https://a.gob.es/x/lista-de-cosas?rara=1")
	if s := d.study("unknown-param rara on a.gob.es"); len(s.Under) > 0 {
		t.Errorf("to narrow it to: %v", s.Under)
	}
}

// TestAsk names URLs to ask about while nothing tells the effect of a parameter: first those of one page.
func TestAsk(t *testing.T) {
	d := newDesk(t)
	const page = "https://sede.ejemplo.gob.es/t/"
	d.add(page+"uno?plaza=1", page+"dos?plaza=1", page+"tres?plaza=1", page+"tres?plaza=2")
	d.addFound(review.Found{URL: page + "cuatro?plaza=1", Evidence: &canon.Evidence{Status: 200}})
	ask := func() []int64 {
		t.Helper()
		list, err := cause.List(t.Context(), d, review.Filter{})
		d.must(err)
		s, err := cause.Examine(t.Context(), d, list[0])
		d.must(err)
		return s.Ask
	}
	if got, want := ask(), []int64{3, 4, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	for _, name := range []string{"cinco", "seis", "siete"} {
		d.addFound(review.Found{URL: page + name + "?plaza=1",
			Evidence: &canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: page + name}}}})
	}
	if got := ask(); got != nil {
		t.Errorf("%v though to drop it is recommended", got)
	}
}

// TestDoubtfulSuggestions lists 20 suggestions that are not recommended, after the causes, and counts the others.
func TestDoubtfulSuggestions(t *testing.T) {
	d := newDesk(t)
	var found []review.Found
	for i := range 22 {
		for _, name := range []string{"uno", "dos"} {
			page := fmt.Sprintf("https://sede%d.gob.es/t/%s", i, name)
			found = append(found, review.Found{URL: fmt.Sprintf("%s?plaza%c=1", page, 'a'+i),
				Evidence: &canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: page}}}})
		}
	}
	d.addFound(found...)
	suggested, err := suggest.List(t.Context(), d, nil)
	d.must(err)
	list, more := cause.WithSuggestions([]cause.Cause{{Host: "boe.es"}}, suggested)
	if len(list) != 21 || more != 2 || list[0].Suggestion != nil || list[20].Suggestion == nil {
		t.Errorf("%d causes and %d more: %v", len(list), more, list)
	}
}
