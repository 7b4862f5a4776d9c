package canon_test

import (
	"regexp"
	"strings"
	"testing"

	"visto/canon"
)

// setup is a policy and a set of overrides under which every law must hold.
type setup struct {
	name      string
	policy    *canon.Policy
	overrides *canon.Overrides
	moves     []func(host string) []string // the hosts to which policy and overrides may lead from a host
	fragments bool                         // the policy keeps fragments
	site      string                       // the host of a policy for one site
}

// policyFiles covers every built-in policy, and every value of every switch, laid over a built-in policy or "nothing".
// moves returns the hosts to which the policy may lead.
var policyFiles = []struct {
	name, file string
	moves      func(host string) []string
	fragments  bool
}{
	{"clara", "extends: clara", claraMap, false},
	{"rfc3986", "extends: rfc3986", nil, true},
	{"aggressive", "extends: aggressive", stripWWW, false},
	{"curious-now-v0", "extends: curious-now-v0", nil, false},
	{"fetch-guidelines", "extends: fetch-guidelines", nil, true},
	{"seoslug", "{extends: seoslug, canonical_host: blog.example.com}", theBlog, false},
	{"seoslug, its options", "{extends: seoslug, canonical_host: blog.example.com, scheme: base, " +
		"public_base_url: 'http://x.es:8080/A/%7e/../b', " +
		"trailing_slash: always, allowed_query_params: [id, p, a], lowercase_paths: false}", theBlog, false},
	{"seoslug, its other options", "{extends: seoslug, canonical_host: blog.example.com, " +
		"public_base_url: 'https://x.es/A/%7E', percent_encoding: normal, " +
		"resolve_dot_segments: true, trailing_slash: preserve, tracking_params_strip: []}", theBlog, false},
	{"aggressive, otherwise",
		"{extends: aggressive, www: add, scheme: keep, trailing_slash: always, percent_encoding: keep, " +
			"default_values: {id: '', a: b, p: '1'}, sort_query: key-value}", addWWW, false},
	{"nothing", "{extends: nothing, name: bare}", nil, true},
	{"clara, tidy", "{extends: clara, trailing_slash: always, remove_index_pages: true, sort_query: key, " +
		"empty_query: keep, collapse_duplicate_slashes: true}", claraMap, false},
	{"clara, bare", "{extends: clara, fragment: keep, resolve_dot_segments: false, lowercase_paths: true, " +
		"escape_query_values: true, www: strip}", stripWWW, true},
}

func claraMap(host string) []string {
	to, ok := map[string]string{
		"boe.es": "www.boe.es", "sepe.es": "www.sepe.es", "seg-social.es": "www.seg-social.es",
		"agenciatributaria.es": "sede.agenciatributaria.gob.es", "comunidad.madrid": "www.comunidad.madrid",
	}[strings.TrimPrefix(host, "www.")]
	if !ok {
		return nil
	}
	return []string{to}
}

// stripWWW returns the hosts that are left without each www, of which the policy may reach some.
func stripWWW(host string) (list []string) {
	for www := leadingWWW.FindString(host); www != ""; www = leadingWWW.FindString(host) {
		host = host[len(www):]
		list = append(list, host)
	}
	return list
}

var leadingWWW = regexp.MustCompile(`^www[0-9]*\.`)

func addWWW(host string) []string { return []string{"www." + host} }

func theBlog(string) []string { return []string{"blog.example.com"} }

// overrideSets are accepted by CheckFixedPoint under clara.
var overrideSets = []struct {
	list  string
	moves func(host string) []string
}{
	{`[]`, nil},
	{`[{"match":{"host":"sede.example.gob.es"},` +
		`"drop_query_params":["plaza","a"],"keep_query_params":["sid","utm_*"],"trailing_slash":"keep",` +
		`"accept":["home-page"]}]`, nil},
	{`[{"match":{"host":"*.example.gob.es"},"canonical_host":"sede.example.gob.es"},` +
		`{"match":{"host":"sede.example.gob.es"},` +
		`"scheme":"http","not_pagination_params":["p"],"pagination_params":["id"]}]`,
		func(host string) []string {
			if strings.HasSuffix(host, ".example.gob.es") {
				return []string{"sede.example.gob.es"}
			}
			return nil
		}},
	{`[{"match":{"host":"www.boe.es"},` +
		`"rewrite_rules":[{"from_prefix":"https://www.boe.es/a/","to_prefix":"https://www.boe.es/"},` +
		`{"from_prefix":"https://www.boe.es/ca","to_prefix":"https://m.example.gob.es/../es"},` +
		`{"from":"/{x}?id={y}","to":"/b/{x}-{y}/c"},` +
		`{"from":"https://www.boe.es/{x}.{z}","to":"https://www.boe.es/b/{x}?z={z}"}]},` +
		`{"match":{"host":"m.example.gob.es"},"drop_query_params":["id"]}]`,
		func(host string) []string {
			if host == "www.boe.es" {
				return []string{"m.example.gob.es"}
			}
			return nil
		}},
	{`[{"match":{"host":"*","path_prefix":"/sta"},"keep_query_params":["a","b"]},{"match":{"host":"web.gencat.cat"},` +
		`"spanish":{"from_prefix":"/ca","to_prefix":"/es"}},` +
		`{"match":{"host":"web.gencat.cat","path_prefix":"/es/a"},"drop_query_params":["b"]}]`, nil},
}

func compiled(t testing.TB, p *canon.Policy, list string) *canon.Overrides {
	t.Helper()
	overrides, err := canon.ParseOverrides("set", []byte(`{"version":1,"overrides":`+list+`}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := canon.CheckFixedPoint(p, overrides, nil); err != nil {
		t.Fatal(err)
	}
	set, err := canon.CompileOverrides(overrides)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// setups returns all policies, without overrides and with each set.
func setups(t testing.TB) (list []setup) {
	t.Helper()
	for _, file := range policyFiles {
		p := policyOf(t, file.file)
		for i, set := range overrideSets {
			s := setup{name: file.name, policy: p, fragments: file.fragments}
			if strings.HasPrefix(s.name, "seoslug") {
				s.site = "blog.example.com"
			}
			if i > 0 {
				s.name += " with overrides " + string('0'+rune(i))
				s.overrides = compiled(t, p, set.list)
			}
			for _, moves := range []func(string) []string{file.moves, set.moves} {
				if moves != nil {
					s.moves = append(s.moves, moves)
				}
			}
			list = append(list, s)
		}
	}
	return list
}
