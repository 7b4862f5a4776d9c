package cause_test

import (
	"fmt"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/read"
)

// towns returns a desk with three towns that run the same portal, among other URLs from fields of a registry.
func towns(t *testing.T) *desk {
	d := newDesk(t)
	var found []review.Found
	add := func(field string, urls ...string) {
		for _, u := range urls {
			found = append(found,
				review.Found{URL: u, Place: read.Place{File: "registry.yaml", Field: field, Path: "1"}})
		}
	}
	for i, town := range []string{"uno", "dos", "tres"} {
		host := "https://" + town + ".ejemplo.gob.es"
		add("portal_url", host+"/", host+"/Inicio")
		add("sede_url", fmt.Sprintf("%s/sta/CarpetaPublic/doEvent?APP_CODE=STA&PAGE_CODE=%d", host, i))
		add("api_url", host+"/api/"+town+"/lista-de-cosas?Clave=1", host+"/api/"+town+"/otra-cosa-mas?clave=2")
	}
	add("link", "https://solo.ejemplo.gob.es/sta/CarpetaPublic/doEvent?APP_CODE=1&APP_CODE=2",
		"https://solo.ejemplo.gob.es/x/y/z-z-z?unica=1",
		"https://dos.ejemplo.gob.es/x/y/z-z-z?estrella*=1", "https://dos.ejemplo.gob.es:8443/x/y/z-z-z",
		"http://www.ejemplo.gob.es/x/y/z-z-z", "https://uno.ejemplo.gob.es/x/y/ya-esta-bien")
	d.addFound(found...)
	d.decide(review.Approve, "https://tres.ejemplo.gob.es/")
	return d
}

func TestCauses(t *testing.T) {
	d := towns(t)
	var got []string
	for _, c := range d.causes(review.Filter{}) {
		if c.N > 1 {
			got = append(got, fmt.Sprintf("%d %d %d %s", c.N, c.Sole, c.Hosts, c))
		}
	}
	want := []string{
		"5 5 3 home-page in portal_url (3 hosts)",
		"3 3 3 unknown-param Clave under /api (3 hosts)",
		"3 3 3 unknown-param clave under /api (3 hosts)",
		"4 1 4 unknown-param APP_CODE under /sta/CarpetaPublic/doEvent (4 hosts)",
		"2 2 1 home-page on dos.ejemplo.gob.es",
		"2 2 1 home-page on uno.ejemplo.gob.es",
		"3 0 3 unknown-param PAGE_CODE under /sta/CarpetaPublic/doEvent (3 hosts)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("causes\n\t%q\nwant\n\t%q", got, want)
	}
}

// The filter of a cause selects exactly the URLs that the cause counts.
func TestCauseFilter(t *testing.T) {
	d := towns(t)
	// Gives a URL an incoming host that differs from its canonical one.
	d.save(canon.Override{Match: canon.Match{Host: "tres.ejemplo.gob.es"}, CanonicalHost: "dos.ejemplo.gob.es"})
	causes := d.causes(review.Filter{})
	kinds := map[cause.Kind]int{}
	for _, c := range causes {
		kinds[c.Kind]++
		if c.Kind != cause.ByHost && c.Hosts < 2 {
			t.Errorf("%s is on one host alone", c)
		}
		n, err := d.Count(t.Context(), c.Filter())
		d.must(err)
		if n != c.N || !c.Filter().Open {
			t.Errorf("%s: %d, its filter %d", c, c.N, n)
		}
		sole := 0
		for _, it := range d.items(c.Filter()) {
			if it.Computed.Flags.Len() == 1 && cause.NamesOf(it.Computed.Unknown...).Within(c.Params.List()) {
				sole++
			}
		}
		if sole != c.Sole {
			t.Errorf("%s: %d settled by it alone, says %d", c, sole, c.Sole)
		}
	}
	if kinds[cause.ByHost] < 5 || kinds[cause.ByField] < 1 || kinds[cause.ByPath] < 3 {
		t.Errorf("kinds %v", kinds)
	}
}

// Each fix settles at least the URLs without another flag.
func TestFixes(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a store for each way to settle a cause")
	}
	for i, c := range towns(t).causes(review.Filter{}) {
		for n := range c.Fixes() {
			d := towns(t)
			c := d.causes(review.Filter{})[i]
			r := c.Fixes()[n]
			open := len(d.items(review.Filter{Open: true}))
			if len(r.Rules) == 0 {
				_, err := d.DecideAll(t.Context(), review.Choice{Kind: r.Decision}, r.Only)
				d.must(err)
			} else {
				d.save(r.Rules...)
			}
			if settled := open - len(d.items(review.Filter{Open: true})); settled < c.Sole ||
				r.Decision == review.Approve && settled != c.Sole {
				t.Errorf("%s: %s: settled %d of %d (%d)", c, r.Title, settled, c.N, c.Sole)
			}
			if n, err := d.Count(t.Context(), c.Filter()); r.Decision != review.Approve && n != 0 || err != nil {
				t.Errorf("%s: %s: %d are left, %v", c, r.Title, n, err)
			}
		}
	}
}

func TestFixTitles(t *testing.T) {
	for _, test := range []struct {
		cause cause.Cause
		want  string
	}{
		{cause.Cause{Kind: cause.ByHost, Flag: canon.HomePage, Host: "a.es", N: 4, Sole: 3},
			"accept home-page on a.es;reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.HomePage, Host: "a.es", Path: "/p", N: 1, Sole: 1},
			"accept home-page on a.es/p;reject the one URL;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "a.es",
			Params: cause.NamesOf("p"), N: 2, Sole: 2},
			"keep p on a.es;drop p on a.es;keep all parameters on a.es;reject the 2 URLs;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "a.es",
			Params: cause.NamesOf("p*"), N: 2, Sole: 2},
			"keep all parameters on a.es;reject the 2 URLs;"},
		{cause.Cause{Kind: cause.ByPath, Flag: canon.UnknownParam, Path: "/sta",
			Params: cause.NamesOf("p"), N: 2, Sole: 2},
			"keep p on */sta;drop p on */sta;keep all parameters on */sta;reject the 2 URLs;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "a.es", Params: cause.NamesOf("p", "q"), N: 2},
			"keep p, q on a.es;drop p, q on a.es;keep all parameters on a.es;reject the 2 URLs;"},
		{cause.Cause{Kind: cause.ByField, Flag: canon.HomePage, Fields: cause.NamesOf("portal_url"), N: 4, Sole: 4},
			"accept home-page in field portal_url;reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByField, Flag: canon.HomePage, Fields: cause.NamesOf("a", "b"), N: 4, Sole: 4},
			"accept home-page in a, b;reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByField, Flag: canon.SuspiciousHost, Fields: cause.NamesOf("a"), N: 4, Sole: 4,
			On: cause.NamesOf("a.es", "b.es", "c.es", "d.es")},
			"accept suspicious-host on each of 4 hosts: a.es, b.es, c.es, …;reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByField, Flag: canon.OffAllowlist, Fields: cause.NamesOf("a"), N: 4, Sole: 4,
			On: cause.NamesOf("a.es", "b.es")}, "accept off-allowlist on a.es, b.es;reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByField, Flag: canon.OffAllowlist, Fields: cause.NamesOf("a"), N: 4, Sole: 4},
			"reject the 4 URLs;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.ChangedSinceApproval, Host: "a.es", N: 1, Sole: 1},
			"approve the one URL;reject the one URL;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.HTTPOnly, Host: "a.es", N: 1, Sole: 1},
			"keep http on a.es;accept http-only on a.es;reject the one URL;"},
		{cause.Cause{Kind: cause.ByHost, Flag: canon.TrailingSlash, Host: "a.es", N: 1, Sole: 1},
			"keep the slash on a.es;accept trailing-slash on a.es;reject the one URL;"},
	} {
		got := ""
		for _, r := range test.cause.Fixes() {
			got += r.Title + ";"
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.cause, got, test.want)
		}
	}
}

// Spec 10, and the issue of records: home-page in portal_url, sede_url, catalogo_url is one row, for the flag occurs in
// mostly the same files under each of them. A field of other files is a row of its own.
func TestFieldsOfOneMeaningAreOneCause(t *testing.T) {
	d := newDesk(t)
	at := func(file, field string, urls ...string) {
		for _, u := range urls {
			d.addFound(review.Found{URL: u, Place: read.Place{File: file, Field: field}})
		}
	}
	at("registry.yaml", "sede_url", "https://a.gob.es/")
	at("registry.yaml", "portal_url", "https://b.gob.es/", "https://c.gob.es/", "https://a.gob.es/")
	at("tramites.json", "fuente_url", "https://d.gob.es/", "https://e.gob.es/")
	at("local.yaml", "sede_url", "https://a.gob.es/")
	var got []string
	for _, c := range d.causes(review.Filter{}) {
		if c.Kind == cause.ByField {
			got = append(got, fmt.Sprintf("%d %s", c.N, c))
		}
	}
	want := []string{"3 home-page in portal_url, sede_url (3 hosts)", "2 home-page in fuente_url (2 hosts)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s := d.study("home-page in portal_url, sede_url (3 hosts)")
	if under := fmt.Sprint(s.Under); under != "[{portal_url 3} {sede_url 1}]" {
		t.Errorf("to narrow it to: %s", under)
	}
	one := s.Cause.Narrow("sede_url")
	if n, err := d.Count(t.Context(), one.Filter()); n != 1 || err != nil {
		t.Errorf("%s: %d, %v", one, n, err)
	}
	if !one.Within(s.Cause) || s.Cause.Within(one) {
		t.Errorf("%s is within %s", one, s.Cause)
	}
}

// Parameters that occur on the same URLs of a place are one row, which settles the URLs with these alone. One rule
// keeps or drops them all, and the row can be narrowed to one of them.
func TestParametersOfTheSameURLsAreOneCause(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.gob.es/x/y/z-z-1?uno=1&dos=1", "https://a.gob.es/x/y/z-z-2?dos=1&uno=1",
		"https://a.gob.es:81/x/y/z-z-3?dos=1&uno=1", "https://a.gob.es/x/y/z-z-4?dos=1&uno=1&tres=1",
		"https://a.gob.es/x/y/z-z-5?solo=1",
		"https://b.gob.es/x/y/z-z-8?uno=1&dos=1", "https://b.gob.es/x/y/z-z-9?dos=1")
	var got []string
	for _, c := range d.causes(review.Filter{}) {
		if c.Flag == canon.UnknownParam {
			got = append(got, fmt.Sprintf("%d %d %s", c.N, c.Sole, c))
		}
	}
	want := []string{
		"5 4 unknown-param dos, solo, tres, uno on a.gob.es", "6 1 unknown-param dos under /x/y (2 hosts)",
		"4 2 unknown-param dos, uno on a.gob.es", "5 0 unknown-param uno under /x/y (2 hosts)",
		"2 2 unknown-param dos, uno on b.gob.es", "2 1 unknown-param dos on b.gob.es",
		"1 1 unknown-param solo on a.gob.es", "1 0 unknown-param tres on a.gob.es", "1 0 unknown-param uno on b.gob.es",
	}
	if !slices.Equal(got, want) {
		t.Errorf("causes\n\t%q\nwant\n\t%q", got, want)
	}
	s := d.study("unknown-param dos, uno on a.gob.es")
	if under := fmt.Sprint(s.Under); under != "[{dos 4} {uno 4}]" {
		t.Errorf("to narrow it to: %s", under)
	}
	one := s.Cause.Narrow("dos")
	if !one.Within(s.Cause) || s.Cause.Within(one) || one.Fixes()[0].Title != "keep dos on a.gob.es" {
		t.Errorf("%s is within %s", one, s.Cause)
	}
	rules := s.Fixes[1].Rules
	if len(rules) != 1 || !slices.Equal(rules[0].DropQueryParams, []string{"dos", "uno"}) {
		t.Errorf("%+v", rules)
	}
	d.save(rules...)
	if n, err := d.Count(t.Context(), s.Cause.Filter()); n != 0 || err != nil {
		t.Errorf("%d are left, %v", n, err)
	}
}

// Under the same path of several hosts too.
func TestParametersUnderTheSamePathAreOneCause(t *testing.T) {
	d := newDesk(t)
	for _, host := range []string{"https://a.gob.es", "https://b.gob.es"} {
		d.add(host+"/sta/Carpeta/do-event?APP_CODE=1&PAGE_CODE=2", host+"/otra/Carpeta/do-event?APP_CODE=1")
	}
	var got []string
	for _, c := range d.causes(review.Filter{}) {
		if c.Kind == cause.ByPath {
			got = append(got, fmt.Sprintf("%d %d %s", c.N, c.Sole, c))
		}
	}
	if want := []string{"2 2 unknown-param APP_CODE under /otra/Carpeta/do-event (2 hosts)",
		"2 2 unknown-param APP_CODE, PAGE_CODE under /sta/Carpeta/do-event (2 hosts)"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Two rows with the same names in another order are the same cause, whatever is in the names.
func TestNamesAsOneText(t *testing.T) {
	names := []string{"a", "", `"b"`, "c, d", "\x00\xff"}
	if got := cause.NamesOf(names...).List(); !slices.Equal(got, names) {
		t.Errorf("%q", got)
	}
	a := cause.Cause{Kind: cause.ByField, Fields: cause.NamesOf("a", "b"), N: 1}
	b := cause.Cause{Kind: cause.ByField, Fields: cause.NamesOf("b", "a"), N: 2}
	if !a.Same(b) || a.Same(b.Narrow("a")) {
		t.Error("the order tells them apart, or the fields do not")
	}
}

func TestCausesUnderFilter(t *testing.T) {
	d := towns(t)
	for _, c := range d.causes(review.Filter{Flags: canon.SetOf(canon.HomePage),
		Hosts: []string{"uno.ejemplo.gob.es"}}) {
		if c.Flag != canon.HomePage || c.Kind == cause.ByHost && c.Host != "uno.ejemplo.gob.es" || c.N != 2 {
			t.Errorf("%+v", c)
		}
	}
}

// Causes of one place approve together the URLs that have no flags but theirs.
func TestApproveTogether(t *testing.T) {
	at := func(host string, flag canon.Code) cause.Cause {
		return cause.Cause{Kind: cause.ByHost, Flag: flag, Host: host}
	}
	broken, moved := at("a.es", canon.LinkBroken), at("a.es", canon.RedirectChanged)
	for _, test := range []struct {
		with []cause.Cause
		want bool
	}{
		{nil, true}, {[]cause.Cause{broken, at("b.es", canon.RedirectChanged)}, true},
		{[]cause.Cause{broken, moved}, false},
	} {
		fix, decides := broken.Approve(test.with...)
		if got := fix.Only.Not.Flags.Has(canon.RedirectChanged); got != test.want || !decides {
			t.Errorf("with %v: leaves out what else changed: %v", test.with, got)
		}
	}
	if _, decides := at("a.es", canon.HomePage).Approve(); decides {
		t.Error("a decision stands in the place of a rule")
	}
}
