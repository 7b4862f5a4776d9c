package candidate

import "testing"

// Spec 15: words are compared without accents, case and Spanish stop words, by stems. Arabic and Chinese words match
// nothing but themselves.
func TestStems(t *testing.T) {
	for _, test := range []struct{ a, b string }{
		{"Inscripción", "inscripciones"}, {"inscripcion", "inscripción"}, {"Autorización", "autorizaciones"},
		{"autorizacion", "autorización"}, {"MATRÍCULA", "matriculas"}, {"padrón", "padron"}, {"licencia", "licencias"},
		{"año", "años"}, {"Altas", "alta"}, {"obras", "obra"}, {"beca", "becas"},
		{"padro\u0301n", "padrón"}, {"empadronamiento", "empadronamientos"},
	} {
		if a, b := stemText(test.a), stemText(test.b); a != b || a == "" {
			t.Errorf("%s: %q, %s: %q", test.a, a, test.b, b)
		}
	}
	for text, want := range map[string]string{
		"la de los a el y":    "",
		"奖学金 منحة":            "奖学金 منحة ",
		"solicitud_de-ayuda/": "solicitud ayud ",
	} {
		if got := stemText(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Spec 15: the right page is ranked by how well it fits. Words that only their last vowel tells apart are not alike, as
// "plaza" of a nursery and "plazo" of every application; their plurals are.
func TestStemsOfPairs(t *testing.T) {
	for _, pair := range [][2]string{{"plaza", "plazo"}, {"casa", "caso"}, {"acta", "acto"}, {"Casarse", "casa"}} {
		a, b := stemText(pair[0]), stemText(pair[1])
		if a == b {
			t.Errorf("%s and %s: %q", pair[0], pair[1], a)
		}
		if plural := stemText(pair[1] + "s"); plural != b {
			t.Errorf("%ss: %q, not %q", pair[1], plural, b)
		}
	}
	if a, b := stemText("pagar"), stemText("pago"); a != b {
		t.Errorf("pagar: %q, pago: %q", a, b)
	}
}

func TestYears(t *testing.T) {
	for text, want := range map[string]int{
		"Ayudas 2025": 2025, "Curso 2025-2026": 2026, "Ley 39/2015": 0, "Bono 2030000": 0, "plan 1999": 0, "ayudas": 0,
	} {
		last := 0
		for _, year := range yearsIn(text) {
			last = max(last, year)
		}
		if last != want {
			t.Errorf("%s: %d", text, last)
		}
	}
}

func TestSlug(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.es/tr%C3%A1mites/alta-padr%C3%B3n.html": "/trámites/alta-padrón",
		"https://a.es/x?PAGE=CAT%20UNO&b=":                 "/x CAT UNO",
	} {
		if got := slugOf(url); got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
}
