package canon_test

import (
	"testing"

	"visto/canon"
)

// TestLanguageOfTheSpanishVersion follows evidence to a Spanish version whose URL has no language code. The page is
// Spanish, both without overrides and with them, when the URL goes through the pipeline twice.
func TestLanguageOfTheSpanishVersion(t *testing.T) {
	policy, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	none, err := canon.CompileOverrides(nil)
	if err != nil {
		t.Fatal(err)
	}
	const catalan, spanish = "https://sede.gob.es/serveis/ajut-al-lloguer",
		"https://sede.gob.es/servicios/ayuda-al-alquiler"
	ev := &canon.Evidence{Status: 200, Language: "ca", LangVariants: map[string]string{"es": spanish}}
	for _, overrides := range []*canon.Overrides{nil, none} {
		r := canon.Canonicalize(catalan, policy, overrides, ev)
		if r.Canonical != spanish || r.Language != "es" || r.LangVariants["ca"] != catalan || len(r.Flags) > 0 {
			t.Errorf("overrides %v: %s in %q, besides %v, flags %v", overrides, r.Canonical, r.Language, r.LangVariants,
				r.Flags)
		}
	}
}
