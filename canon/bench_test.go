package canon_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"visto/canon"
)

// benchURLs has a few URLs of each shape, for a quick look while working on the engine. testdata/bench compares with
// peers on many more.
var benchURLs = []struct {
	shape string
	urls  []string
}{
	{"short", []string{
		"https://www.sepe.es/empleo/ficha-1234",
		"https://www.boe.es/buscar/act.php?id=98765",
		"http://www.dgt.es/tramites/cita-previa.html",
		"https://www.madrid.es/ayudas/vivienda/",
		"https://euskadi.eus/becas/2026",
		"https://www.gva.es/impuestos?id=31415",
	}},
	{"gov", []string{
		"https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345&tipo=leyes",
		"https://www.sepe.es/HomeSepe/Personas/Distribucion-Prestaciones/he-dejado-de-trabajar.html",
		"http://www.sepe.es/HomeSepe/Personas/Distribucion-Prestaciones/solicitud-de-prestacion/",
		"https://sede.seg-social.gob.es/wps/portal/wss/internet/Trabajadores/" +
			"65850d68-0000-4000-8000-000000000000?utm_source=web&lang=es",
		"https://web.gencat.cat/ca/tramits/tramits-temes/ajuts-al-lloguer-12345?category=habitatge",
		"https://sede.example.gob.es/tramite/solicitud/certificado;jsessionid=0123456789ABCDEF.nodo1?id=456",
		"https://www.inclusion.gob.es/web/migraciones/w/autorizacion-de-residencia-temporal#requisitos",
		"HTTPS://SEDE.CARM.ES/sta/CarpetaPublic/doEvent?APP_CODE=STA&PAGE_CODE=PTS2_CATALOGO&p=2",
	}},
	{"canonical", []string{
		"https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345",
		"https://www.sepe.es/HomeSepe/Personas/Distribucion-Prestaciones/he-dejado-de-trabajar.html",
		"https://sede.seg-social.gob.es/wps/portal/wss/internet/Trabajadores/65850d68-0000-4000-8000-000000000000",
		"https://www.inclusion.gob.es/web/migraciones/w/autorizacion-de-residencia-temporal",
		"https://www.exteriores.gob.es/documents/12345/678901/antecedentes-penales.pdf",
		"https://www.gva.es/es/tramites/ayudas-al-alquiler-de-vivienda",
	}},
	{"hostile", []string{
		"http://0x7f.1/admin", "javascript:alert(1)//https://www.boe.es/",
		"https:\\\\good.es\\@evil.example\\a?b=\xf1#c",
		"https://user:secret@www.boe.es/tr\xe1mite con espacios/%zz?a=%e1&%75tm_x=1", " \thttps://ｂｏｅ．es/a/b/c\x00",
		"https://www.boe.es/" + strings.Repeat("%2e%2E/./..//", 60),
		"https://www.boe.es/?q=" + strings.Repeat("%2541é", 200),
		"https://" + strings.Repeat("a.", 100) + "es/x",
	}},
	{"hosts", manyHosts(1 << 15)},
}

// manyHosts returns n URLs. Every second one has a host that none before has, on the allowlist or not; the hosts of the
// others follow Zipf's law. The list has more hosts than a memo, so they are new again when it starts anew.
func manyHosts(n int) (urls []string) {
	r := rand.New(rand.NewPCG(7, 7))
	rank := rand.NewZipf(r, 1.2, 8, uint64(n))
	forms := strings.Fields("www.%s.es sede.%s.gob.es %s.gencat.cat www.%s.com %s.co.uk blog.%s.org ayto-%s.es %s.fr")
	var hosts []string
	for i := range n / 2 {
		hosts = append(hosts, fmt.Sprintf(forms[i%len(forms)], "tramites"+strconv.Itoa(i)))
		for _, host := range []string{hosts[i], hosts[rank.Uint64()%uint64(i+1)]} {
			urls = append(urls, fmt.Sprintf("https://%s/ayudas/ficha-%d", host, r.IntN(1e5)))
		}
	}
	return urls
}

// BenchmarkCanonicalize measures the default policy without the trace, BenchmarkExplain with it. BenchmarkNetURL parses
// and prints the same URLs with net/url, as a unit to compare with.
func BenchmarkCanonicalize(b *testing.B) {
	c := canon.New(clara(b), nil)
	benchmark(b, func(raw string) { c.Canonicalize(raw, nil) })
}

func BenchmarkExplain(b *testing.B) {
	c := canon.New(clara(b), nil)
	benchmark(b, func(raw string) { c.Explain(raw, nil) })
}

func BenchmarkNetURL(b *testing.B) {
	benchmark(b, func(raw string) {
		if u, err := url.Parse(raw); err == nil {
			_ = u.String()
		}
	})
}

func benchmark(b *testing.B, do func(raw string)) {
	for _, of := range benchURLs {
		b.Run(of.shape, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				do(of.urls[i%len(of.urls)])
			}
		})
	}
}

// TestCanonicalURLsCostNoMemory checks that a canonical URL without flags is answered without an allocation.
func TestCanonicalURLsCostNoMemory(t *testing.T) {
	c := canon.New(clara(t), nil)
	for _, raw := range urlsOfShape(t, "canonical") {
		if r := c.Canonicalize(raw, nil); r.Canonical != raw || r.Verdict != canon.Accepted {
			t.Errorf("%s is not as canonical as it should be: %s, %v", raw, r.Canonical, r.Flags)
		}
		if n := testing.AllocsPerRun(100, func() { c.Canonicalize(raw, nil) }); n > 0 {
			t.Errorf("%s: %v allocations", raw, n)
		}
	}
}

// TestNewHostsCostNoMemory checks that a canonical URL costs no allocation though every second one has a new host, that
// the same URL with a fragment costs one, and that a host that is like another is no exception (spec 12, row 1).
func TestNewHostsCostNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, form := range []struct {
		name  string
		edit  func(url string) string
		limit float64 // but for one in a hundred
	}{
		{"canonical", func(url string) string { return url }, 0},
		{"to be changed", func(url string) string { return "http" + strings.TrimPrefix(url, "https") }, 1},
		{"like another", func(url string) string { return strings.Replace(url, "://", "://b0e.es.", 1) }, 0},
	} {
		t.Run(form.name, func(t *testing.T) {
			var urls []string
			for _, url := range urlsOfShape(t, "hosts") {
				urls = append(urls, form.edit(url))
			}
			c := canon.New(clara(t), nil)
			n := testing.AllocsPerRun(1, func() { // the first, uncounted run fills the memory of hosts
				for _, url := range urls {
					c.Canonicalize(url, nil)
				}
			})
			if each := n / float64(len(urls)); each > form.limit+0.01 {
				t.Errorf("%.3f allocations for a URL, not %v", each, form.limit)
			}
		})
	}
}

// TestMemoryOfHostsChangesNothing compares a Canonicalizer that has seen many hosts with new ones, each of which meets
// its URL first.
func TestMemoryOfHostsChangesNothing(t *testing.T) {
	policy, r := clara(t), rand.New(rand.NewPCG(11, 11))
	c := canon.New(policy, nil)
	for i, url := range urlsOfShape(t, "hosts") {
		if i%2 == 0 {
			url = randomURL(r)
		}
		got := c.Canonicalize(url, nil)
		if i%8 > 1 {
			continue
		}
		if want := canon.New(policy, nil).Canonicalize(url, nil); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\n%+v\nat first sight:\n%+v", url, got, want)
		}
	}
}

// TestHostsOfADomainChangeNothing compares results likewise, for hosts in front of and behind domains of all lists.
func TestHostsOfADomainChangeNothing(t *testing.T) {
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "lists.yaml", Data: []byte(`{extends: clara, name: lists,
		allowlist: [boe.es, "*.gob.es", caib.es, xn--espaa-rta.es], blocklist: {foro.gob.es: "", caib.es: "no"},
		www_mappings: {boe.es: www.boe.es, a.gob.es: b.gob.es}, shorteners: [bit.ly]}`)})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(12, 12))
	pick := func(list string) string {
		words := strings.Split(list, " ")
		return words[r.IntN(len(words))]
	}
	c := canon.New(policy, nil)
	for range 20_000 {
		url := "https://" + pick(" . www. uno. dos. a. www.uno. uno.www. x.. 8. xn--a. UNO. b0e. localhost. _.") +
			pick("boe.es b0e.es gob.es a.gob.es foro.gob.es caib.es bit.ly xn--espaa-rta.es otro.es es 8.8.8.8") +
			pick("    . .. .example.com .boe.es :8443 .0") + "/a/b/c"
		got := c.Canonicalize(url, nil)
		if want := canon.New(policy, nil).Canonicalize(url, nil); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\n%+v\nat first sight:\n%+v", url, got, want)
		}
	}
}

func urlsOfShape(t *testing.T, shape string) []string {
	t.Helper()
	for _, of := range benchURLs {
		if of.shape == shape {
			return of.urls
		}
	}
	t.Fatalf("no URLs of shape %s", shape)
	return nil
}
