package canon_test

import (
	"slices"
	"strings"
	"testing"

	"visto/canon"
)

// Spec 6: "the list holds no name of Clara's preserved ones and none that sites use for content".
func TestAdvertisersSelectNoPage(t *testing.T) {
	list := canon.Advertisers()
	if len(list) < 90 {
		t.Errorf("%d names", len(list))
	}
	seen := map[string]bool{}
	for _, a := range list {
		if a.Name == "" || a.Whose == "" || a.Source == "" || seen[strings.ToLower(a.Name)] {
			t.Errorf("a row without a cell, or twice: %+v", a)
		}
		seen[strings.ToLower(a.Name)] = true
	}
	for _, name := range []string{"lang", "idioma", "locale", "id", "codigo", "expediente", "page", "pagina", "p", "tipo",
		"category", "seccion", "source", "s", "cid", "campaign", "ref", "origin", "q"} {
		if a, isListed := canon.AdvertiserOf(name); isListed {
			t.Errorf("%s is content, and on the list as %+v", name, a)
		}
	}
	for _, name := range []string{"gbraid", "WBRAID", "srsltid", "msclkid", "ttclid", "mtm_campaign", "mtm_*"} {
		if _, isListed := canon.AdvertiserOf(name); !isListed {
			t.Errorf("%s is not on the list", name)
		}
	}
}

// Spec 6: a rule for host "*" without a path may drop parameters of the list, and only those.
func TestRuleForEveryHost(t *testing.T) {
	anywhere := canon.Match{Host: "*"}
	c := canon.New(clara(t), compiled(t, clara(t),
		`[{"match":{"host":"*"},"drop_query_params":["gbraid","mtm_*"]}]`))
	for _, host := range []string{"www.boe.es", "www.sepe.es"} {
		url := "https://" + host + "/a/b/ficha-1"
		if r := c.Canonicalize(url+"?id=1&gbraid=2&mtm_kwd=3", nil); r.Canonical != url+"?id=1" || len(r.Flags) > 0 {
			t.Errorf("%s: %v", r.Canonical, r.Flags)
		}
	}
	for _, refused := range []struct {
		rule canon.Override
		key  string
	}{
		{canon.Override{Match: anywhere}, "match"},
		{canon.Override{Match: anywhere, DropQueryParams: []string{"gbraid", "cid"}}, "drop_query_params"},
		{canon.Override{Match: anywhere, DropQueryParams: []string{"g*"}}, "drop_query_params"},
		{canon.Override{Match: anywhere, DropQueryParams: []string{"gbraid"}, Accept: []string{"home-page"}}, "accept"},
		{canon.Override{Match: anywhere, KeepQueryParams: []string{"gbraid"}}, "keep_query_params"},
		{canon.Override{Match: canon.Match{Host: "*", PathPrefix: "/"}, Scheme: "http"}, "scheme"},
	} {
		if key, err := refused.rule.Check(); err == nil || key != refused.key {
			t.Errorf("%+v: %q %v, want an error for %s", refused.rule, key, err, refused.key)
		}
	}
}

func TestAdvertiserInDetail(t *testing.T) {
	r := canon.Canonicalize("https://www.boe.es/a/b/c?gbraid=1&plaza=2", clara(t), nil, nil)
	want := `no list knows "gbraid", "plaza": keep it or drop it on this host; "gbraid" marks visitors for ` +
		`Google Ads, clicks from iOS apps (Google Ads help), and one rule for host "*" may drop it everywhere`
	if len(r.Flags) != 1 || r.Flags[0].Detail != want {
		t.Errorf("got %+v", r.Flags)
	}
}

// Spec 5: a list of names in a file that extends a policy adds to its list if every item begins with "+".
func TestListThatAdds(t *testing.T) {
	parse := func(file string) (*canon.Policy, error) {
		return canon.ParsePolicy(canon.PolicyFile{Name: "p.yaml", Data: []byte(file)})
	}
	p, err := parse("extends: clara\ntracking_params_strip: [+gbraid, +gclid]\nallowlist: [+a.example]\n")
	if err != nil {
		t.Fatal(err)
	}
	r := canon.Canonicalize("https://a.example/a/b/ficha-1?gbraid=1&fbclid=2&plaza=3", p, nil, nil)
	if r.Canonical != "https://a.example/a/b/ficha-1?plaza=3" || r.Codes() != canon.SetOf(canon.UnknownParam) {
		t.Errorf("%s %v", r.Canonical, r.Flags)
	}
	if !p.Allows("www.boe.es") {
		t.Error("the allowlist of clara is gone")
	}
	for file, want := range map[string]string{
		"extends: clara\ntracking_params_strip:\n- +gbraid\n- gclid\n": "p.yaml:4: tracking_params_strip: " +
			`"gclid" does not begin`,
		"tracking_params_strip:\n- +gbraid\n": `p.yaml:2: tracking_params_strip: "+gbraid" adds to a list`,
		"extends: clara\nallowlist: [+a/b]\n": "p.yaml:2: allowlist: bad pattern",
	} {
		if _, err := parse(file); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", file, err, want)
		}
	}
}

func TestReplacedLists(t *testing.T) {
	got, err := canon.ReplacedLists(canon.PolicyFile{Name: "p.yaml",
		Data: []byte("extends: clara\npagination_params: [page, hoja]\nindex_pages: [+principal]\n")})
	if err != nil || !slices.Equal(got, []canon.ReplacedList{{Key: "pagination_params", Dropped: 2}}) {
		t.Errorf("%v %v", got, err)
	}
}

// Spec 5: "Seed 004's own option names are read".
func TestOptionsOfSeoslug(t *testing.T) {
	p := policyOf(t, "extends: seoslug\ncanonical_host: a.es\nenforce_https: false\npublic_base_url: http://a.es\n"+
		"strip_tracking_params: false\nlowercase_paths: true\n")
	if r := canon.Canonicalize("https://b.es/A?fbclid=1", p, nil, nil); r.Canonical != "http://a.es/a?fbclid=1" {
		t.Errorf("%s %s", r.Canonical, r.Detail)
	}
	p = policyOf(t, "extends: seoslug\ncanonical_host: a.es\nenforce_https: true\nstrip_tracking_params: true\n")
	got := canon.Canonicalize("http://b.es/a?q=1&ref=2&source=3&igclid=4&_gac=5&_gu=6", p, nil, nil)
	if got.Canonical != "https://a.es/a?q=1" {
		t.Errorf("%s %s", got.Canonical, got.Detail)
	}
}
