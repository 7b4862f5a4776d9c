package cli_test

import (
	"errors"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// TestCheckOfPending: check says how many URLs a killed probe left to be computed, and check --replay computes them.
func TestCheckOfPending(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.run(0, strings.NewReader("http://a.ejemplo.gob.es/tramite/alta\nhttp://a.ejemplo.gob.es/tramite/baja\n"),
		"add", "-")
	s, err := sqlite.Open(t.Context(), p.db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	none := false
	_, err = s.Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
		Evidence: []review.ItemEvidence{{ID: 1, Evidence: &canon.Evidence{HTTPS: &none}}}})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ args, want string }{
		{"check", "not compared: the results of 2 URLs, which new evidence about hosts is to change"},
		{"check --json", `{"sound":true,"pending":2}`},
		{"check --replay", "the database, its log and its state are sound"},
		{"check --json", `{"sound":true}`},
	} {
		if out := p.ok(strings.Fields(step.args)...); !strings.Contains(out, step.want) {
			t.Errorf("%s: %s, want %q", step.args, out, step.want)
		}
	}
	if _, errs := p.run(0, strings.NewReader(""), "check", "--replay", "--read-only"); errs != "" {
		t.Errorf("check --replay --read-only: %s", errs)
	}
}
