package plain_test

import (
	"bytes"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/ui/plain"
)

// TestPlainSuggestion tells the pairs behind a suggested rule, writes it, takes it back and dismisses it.
func TestPlainSuggestion(t *testing.T) {
	var found []review.Found
	for _, name := range []string{"alta-padron", "cita-previa", "pago-tasas"} {
		url := "https://sede.ejemplo.gob.es/tramites/" + name
		found = append(found, review.Found{URL: url + "?plaza=1",
			Evidence: &canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: url}}}})
	}
	d := deskOf(t, append(found, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/becas-libros?plaza=2"})...)
	var out bytes.Buffer
	in := strings.NewReader("causes\ncause 2 keep\ncause 2 pairs\ncause 2 ask\ncause 2 take\nyes\nundo\ncauses\n" +
		"cause 2 dismiss\nundo\ncauses\ncause 2 dismiss\ncauses\ncause 2 take\nundo\nundo\nq\n")
	if err := plain.Run(t.Context(), d, plain.Options{In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2: suggested rule: drop plaza on sede.ejemplo.gob.es/tramites. It would change 1 URL; 3 pages for it, 0 " +
			"against.",
		"Not done: this is a suggested rule: pairs, take, dismiss or ask",
		"For by redirect: https://sede.ejemplo.gob.es/tramites/alta-padron?plaza=1, " +
			"https://sede.ejemplo.gob.es/tramites/alta-padron.\n",
		"Not done: there is no network to ask here", "saved: 1 URL settled", "Dismissed. undo takes it back.",
		"Brought back: drop plaza on sede.ejemplo.gob.es/tramites.", "there is nothing to take back.",
		"Not done: which cause? A number from 1 to 1",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, &out)
		}
	}
}

// TestPlainSuggestionOffTheAllowlist warns of a suggested host off the allowlist before the rule is written.
func TestPlainSuggestionOffTheAllowlist(t *testing.T) {
	var found []review.Found
	for _, path := range []string{"/tramites/alta-padron", "/tramites/cita-previa", "/tramites/pago-tasas"} {
		hop := canon.Hop{Status: 301, URL: "https://nuevo.ejemplo.es" + path}
		found = append(found, review.Found{URL: "https://viejo.ejemplo.es" + path,
			Evidence: &canon.Evidence{Status: 200, Hops: []canon.Hop{hop}}})
	}
	var out bytes.Buffer
	in := strings.NewReader("causes\ncause 2 take\nno\nq\n")
	if err := plain.Run(t.Context(), deskOf(t, found...), plain.Options{In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	const want = "Mind: nuevo.ejemplo.es is not on the allowlist.\nThe rule: "
	if !strings.Contains(out.String(), want) {
		t.Errorf("%q is not told:\n%s", want, &out)
	}
}
