package canon_test

import (
	"testing"

	"visto/canon"
)

// TestFinalURLIsFlaggedLikeAnInput gives the end of redirects, of a probe or a file, each flag that it has as an input.
func TestFinalURLIsFlaggedLikeAnInput(t *testing.T) {
	p := builtin(t, "clara")
	const asked = "https://www.boe.es/consulta/expediente-55"
	for _, test := range []struct {
		final string
		code  canon.Code
	}{
		{"https://ana:secreto@www.boe.es/ayudas/ayuda-12", canon.Credentials},
		{"https://ana@www.boe.es/ayudas/ayuda-12", canon.Credentials},
		{"https://www.boe.es/ayudas/ayuda-12?zzz=1", canon.UnknownParam},
		{"https://www.boe.es/ayudas/ayuda-12?gbraid=1", canon.UnknownParam},
		{"https://www.boe.es/ayudas/ayuda-12 (consultado el 3 de mayo)", canon.PastedText},
		{"https://www.boe.es/ayudas/ayuda-12, https-nota", canon.PastedText},
		{"https://www.boe.es:8443/ayudas/ayuda-12", canon.NonstandardPort},
		{"https://www.bo\u0435.gob.es/ayudas/ayuda-12", canon.SuspiciousHost},
		{"https://www.boe.es/ayudas#/ayuda/12", canon.FragmentRoute},
		{"https://www.boe.es", canon.HomePage},
		{"https://www.boe.es/ca/ajuts/ajut-12", canon.NoSpanish},
	} {
		input := canon.Canonicalize(test.final, p, nil, nil)
		if !input.Codes().Has(test.code) {
			t.Errorf("%s as an input has the flags %v", test.final, input.Flags)
		}
		for name, ev := range map[string]*canon.Evidence{
			"file":  {FinalURL: test.final},
			"probe": {Asked: asked, Hops: []canon.Hop{{Status: 301, URL: test.final}}, FinalURL: test.final, Status: 200},
		} {
			got := canon.Canonicalize(asked, p, nil, ev)
			if got.Canonical != input.Canonical || got.Codes() != input.Codes() {
				t.Errorf("%s of a %s: %s %v, as an input %s %v", test.final, name, got.Canonical, got.Flags,
					input.Canonical, input.Flags)
			}
		}
	}
}
