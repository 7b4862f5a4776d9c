package sqlite

import "testing"

// The index is asked for the trigrams of every match, and never for more.
func TestRequired(t *testing.T) {
	for pattern, want := range map[string]string{
		"sepe": `"epe" AND "sep"`, "SEPE": `"epe" AND "sep"`, "se.pe": "",
		"boe|sepe": `(("boe") OR ("epe" AND "sep"))`, "boe|x": "",
		"(boe)+x?": `"boe"`, "(boe)*": "", "(boe){2,}": `"boe" AND "boe"`,
		"(?-i)ñ": "", "(?-i)aña": "", "(?-i)SEDE": `"ede" AND "sed"`, "boeñsede": `"boe" AND "ede" AND "sed"`,
		"aña": "", "boe.*(gob|val)": `"boe" AND (("gob") OR ("val"))`, "x[ab]cde": `"cde"`,
		"(": "", "": "", "(?-i)a\uFFFDbc": "",
	} {
		if got := required(pattern); got != want {
			t.Errorf("%q: %q, not %q", pattern, got, want)
		}
	}
}
