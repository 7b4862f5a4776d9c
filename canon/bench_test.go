package canon_test

import (
	"net/url"
	"testing"

	"visto/canon"
)

// benchURLs are shaped like what Clara cites: most need nothing or little.
var benchURLs = []string{
	"https://www.boe.es/buscar/act.php?id=BOE-A-2023-12345",
	"https://www.sepe.es/HomeSepe/Personas/Distribucion-Prestaciones/he-dejado-de-trabajar.html",
	"http://www.sepe.es/HomeSepe/Personas/Distribucion-Prestaciones/",
	"https://sede.seg-social.gob.es/wps/portal/wss/internet/Trabajadores/65850d68-0000-4000-8000-000000000000?utm_source=web&lang=es",
	"https://web.gencat.cat/es/tramits/tramit-12345",
	"https://sede.example.gob.es/tramite;jsessionid=ABC123?id=456",
	"https://www.inclusion.gob.es/web/migraciones/w/autorizacion-de-residencia#requisitos",
	"HTTPS://WWW.BOE.ES/diario_boe/txt.php?id=BOE-A-2024-98765&p=2",
}

// BenchmarkCanonicalize is the default policy without the trace; BenchmarkNetURL parses and prints the same URLs with
// net/url, which does none of the work, as the unit to compare with.
func BenchmarkCanonicalize(b *testing.B) {
	c := canon.New(clara(b), nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Canonicalize(benchURLs[i%len(benchURLs)], nil)
	}
}

func BenchmarkExplain(b *testing.B) {
	c := canon.New(clara(b), nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Explain(benchURLs[i%len(benchURLs)], nil)
	}
}

func BenchmarkNetURL(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u, err := url.Parse(benchURLs[i%len(benchURLs)])
		if err != nil {
			b.Fatal(err)
		}
		_ = u.String()
	}
}
