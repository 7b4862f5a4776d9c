package console_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// procedures are the names of the procedures of the set tramites, each with the path of its page.
var procedures = []struct{ name, path string }{
	{"Beca de transporte escolar", "/educacion/becas/transporte"},
	{"Ayuda de comedor escolar", "/ayudas/comedor-escolar-2024"},
	{"Renta de inclusión", "/prestaciones/renta/inclusion"},
	{"Empadronamiento", "/padron/alta-en-el-padron"},
	{"Tarjeta sanitaria", "/salud/tarjeta-sanitaria-individual"},
	{"Certificado de residencia", "/certificados/residencia/solicitud"},
	{"Título de familia numerosa", "/familias/titulo-de-familia-numerosa"},
	{"Reconocimiento de discapacidad", "/discapacidad/reconocimiento-del-grado"},
	{"Ayuda al alquiler joven", "/vivienda/ayudas/alquiler-joven"},
	{"Carné de conducir extranjero", "/trafico/canje-de-permisos"},
	{"Homologación de títulos", "/titulos/homologacion-de-titulos"},
	{"Arraigo social", "/extranjeria/autorizaciones/arraigo-social"},
	{"Reagrupación familiar", "/extranjeria/autorizaciones/reagrupacion-familiar"},
	{"Nacionalidad por residencia", "/nacionalidad/nacionalidad-por-residencia"},
	{"Prestación por desempleo", "/empleo/prestaciones/contributiva"},
	{"Subsidio por desempleo", "/empleo/prestaciones/subsidio"},
	{"Ayuda por nacimiento", "/prestaciones/nacimiento-y-cuidado-de-menor"},
	{"Dependencia", "/dependencia/solicitud-de-la-dependencia"},
	{"Justicia gratuita", "/justicia/asistencia-juridica-gratuita"},
	{"Abono de transporte", "/"},
	{"Bono social eléctrico", "/"},
	{"Ayuda de emergencia social", "/"},
}

// writeTramites writes the set tramites of testdata/keys/README.md: 23 JSON files with a procedure each. The last one
// cites the page of the first one, and the three before it cite the home pages of their bodies.
func writeTramites(t *testing.T, dir string) {
	t.Helper()
	bodies := []string{"www.educacion-inventada.gob.es", "sede.social-inventada.gob.es", "interior-inventado.gob.es"}
	for i := range len(procedures) + 1 {
		at := i % len(procedures)
		p := procedures[at]
		host, name := bodies[at%len(bodies)], p.name
		switch {
		case p.path == "/":
			host = "www.organismo-inventado-" + string(rune('a'+i-19)) + ".gob.es"
		case i == len(procedures):
			name = "Beca de transporte universitario"
		}
		id := strings.ReplaceAll(strings.ToLower(name), " ", "_")
		text := fmt.Sprintf(`{
  "keywords": ["ayuda", "trámite"],
  "tramite": %q,
  "nombre": %q,
  "organismo": "Organismo inventado",
  "como_solicitar": [{"via": "Online", "detalle": "Sede electrónica"}],
  "fuente_url": "https://%s%s",
  "verificado": false,
  "fecha_verificacion": "2024-12-01"
}
`, id, name, host, p.path)
		writeFile(t, filepath.Join(dir, fmt.Sprintf("tramite-%02d.json", i+1)), text)
	}
}

// townSites are the URLs of a town in the set local.
type townSites struct{ portal, sede, catalogo string }

// localTowns returns the twenty towns of the set local. Eleven portals are home pages off the allowlist, seven are home
// pages of hosts on it, and two have a path. Two towns have an electronic office of their own and two have theirs with
// the province; those of the others are their portals. Seven catalogues are of towns; provinces have the others.
func localTowns() []townSites {
	const province = "https://sedes.diputacion-inventada.gob.es/ayuntamientos/"
	own := map[int]string{
		2: "https://www.%s.example/tramites/catalogo-de-tramites", 3: "https://www.%s.example/sede/tramites/todos",
		4: "https://www.%s.example/servicios/guia-de-tramites", 5: "https://www.%s.example/ciudadania/tramites/lista",
		18: "https://www.%s.example/tramites/a-la-ciudadania", 6: "https://catalogo.%s.example/",
		7: "https://sede.%s.example/sta/CarpetaPublic/doEvent?APP_CODE=STA&PAGE_CODE=CATALOGO",
	}
	towns := make([]townSites, 20)
	for i := range towns {
		name, s := townName(i), &towns[i]
		switch {
		case i < 11:
			s.portal = "https://www." + name + ".example/"
		case i < 18:
			s.portal = "https://www." + name + ".gob.es/"
		default:
			s.portal = "https://www." + name + ".example/portal/ciudadania/inicio"
		}
		switch i {
		case 0, 1:
			s.sede = "https://sede." + name + ".example/"
		case 8, 9:
			s.sede = province + name + "/sede-electronica"
		default:
			s.sede = s.portal
		}
		if s.catalogo = province + []string{"costa", "sierra"}[i%2] + "/catalogo-de-tramites"; own[i] != "" {
			s.catalogo = fmt.Sprintf(own[i], name)
		}
	}
	return towns
}

func townName(i int) string {
	kinds, which := []string{"marina", "sierra", "valle", "puerto"}, []string{"alta", "baja", "nueva", "vieja", "llana"}
	return kinds[i%4] + which[i/4]
}

// writeLocal writes the set local of testdata/keys/README.md: one YAML list of twenty towns.
func writeLocal(t *testing.T, dir string) {
	t.Helper()
	text := "version: \"1.0\"\n\nsources:\n"
	for i, s := range localTowns() {
		text += fmt.Sprintf(`  - id: local-%s
    name: "Ayuntamiento de %[1]s"
    tier: %d
    portal_url: %q
    sede_url: %q
    catalogo_url: %q
    verificado: false

`, townName(i), 1+i/7, s.portal, s.sede, s.catalogo)
	}
	writeFile(t, filepath.Join(dir, "local.yaml"), text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writtenBy writes the files of a set and returns their paths.
func writtenBy(t *testing.T, write func(t *testing.T, dir string)) (files []string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// addSet adds the files of a set to a new database.
func addSet(t *testing.T, files ...string) (db string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "set.db")
	command(t, append([]string{"add", "--db", db}, files...)...)
	return db
}

// setFigures are the statistics of a set. The waiting URLs are counted by the field that cites them first with their
// flags.
type setFigures struct {
	files, records, urls, accepted, hosts int
	fields, waiting                       map[string]int
}

func figuresOf(t *testing.T, db string) setFigures {
	t.Helper()
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := desk.Page(t.Context(), review.Query{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	s := setFigures{urls: len(list), fields: map[string]int{}, waiting: map[string]int{}}
	files, records, hosts := map[string]bool{}, map[int64]bool{}, map[string]bool{}
	for _, it := range list {
		for _, o := range it.Occurrences {
			files[o.File], records[o.Record.Number] = true, true
			s.fields[o.Field]++
		}
		switch it.Status {
		case review.Accepted:
			s.accepted++
		case review.Pending:
			hosts[it.Computed.Host] = true
			s.waiting[it.Source.Field+": "+codesOf(it.Computed.Flags)]++
		}
	}
	s.files, s.records, s.hosts = len(files), len(records), len(hosts)
	return s
}

func codesOf(flags canon.CodeSet) string {
	var names []string
	for _, c := range flags.Codes() {
		names = append(names, c.String())
	}
	return strings.Join(names, "+")
}

// TestInventedSets compares the figures of the invented sets with those of the files that they stand for.
func TestInventedSets(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		want  setFigures
	}{
		"registry": {[]string{keysFile("registry.yaml")}, setFigures{files: 1, records: 44, urls: 92, accepted: 19, hosts: 58,
			fields: map[string]int{"portal_url": 44, "sede_url": 33, "catalogo_url": 15, "api_url": 5},
			waiting: map[string]int{
				"portal_url: home-page": 37, "portal_url: section-page": 2,
				"sede_url: home-page": 23, "sede_url: section-page": 2, "sede_url: no-spanish": 1,
				"catalogo_url: home-page": 3, "catalogo_url: section-page": 2, "catalogo_url: unknown-param": 2,
				"catalogo_url: no-spanish": 1,
			}}},
		"tramites": {writtenBy(t, writeTramites), setFigures{files: 23, records: 23, urls: 22, accepted: 19, hosts: 3,
			fields: map[string]int{"fuente_url": 23}, waiting: map[string]int{"fuente_url: home-page": 3}}},
		"local": {writtenBy(t, writeLocal), setFigures{files: 1, records: 20, urls: 33, accepted: 4, hosts: 24,
			fields: map[string]int{"portal_url": 20, "sede_url": 20, "catalogo_url": 20},
			waiting: map[string]int{
				"portal_url: home-page+off-allowlist": 11, "portal_url: home-page": 7, "portal_url: off-allowlist": 2,
				"catalogo_url: off-allowlist": 5, "catalogo_url: home-page+off-allowlist": 1,
				"catalogo_url: unknown-param+off-allowlist": 1, "sede_url: home-page+off-allowlist": 2,
			}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := figuresOf(t, addSet(t, c.files...))
			if got.files != c.want.files || got.records != c.want.records || got.urls != c.want.urls ||
				got.accepted != c.want.accepted || got.hosts != c.want.hosts ||
				!maps.Equal(got.fields, c.want.fields) || !maps.Equal(got.waiting, c.want.waiting) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}
