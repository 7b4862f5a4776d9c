package term_test

import (
	"strings"
	"testing"

	"visto/ui/term"
)

// drawn returns the text with the marked pieces in brackets.
func drawn(m term.Marked) string {
	return m.Draw(func(s string) string { return s }, func(s string) string { return "[" + s + "]" })
}

// found returns the byte ranges of a part in the text.
func found(text, part string) (list [][]int) {
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return list
		}
		list = append(list, []int{from + at, from + at + len(part)})
		from += at + len(part)
	}
}

func TestMarksStandOverWhatIsShown(t *testing.T) {
	for name, tc := range map[string]struct{ in, what, want string }{
		"url":                  {"https://boe.es/plaza?plaza=1", "plaza", "https://boe.es/[plaza]?[plaza]=1"},
		"behind an escape":     {"a\x1b[31mb\u202eplaza", "plaza", `a\x1b[31mb\u{202e}[plaza]`},
		"an escape":            {"a\x1bb", "\x1b", `a[\x1b]b`},
		"across escapes":       {"ab\u200b\\c", "b\u200b\\", `a[b\u{200b}\\]c`},
		"a byte of an escape":  {"a\u202eb", "\xae", `a[\u{202e}]b`},
		"wide":                 {"/統計/a", "計/", "/統[計/]a"},
		"letter under marks":   {"prestacio\u0301n", "cio", "presta[cio\u0301]n"},
		"mark alone":           {"prestacio\u0301n", "\u0301n", "prestaci[o\u0301n]"},
		"neighbours stay two":  {"xyxy", "xy", "[xy][xy]"},
		"both in a character":  {"o\u0301", "o", "[o\u0301]"},
		"nothing":              {"a\x00", "b", `a\x00`},
		"byte that is no UTF8": {"a\xffb", "\xffb", `a[\xffb]`},
	} {
		t.Run(name, func(t *testing.T) {
			m := term.Mark(tc.in, found(tc.in, tc.what))
			if got := drawn(m); got != tc.want || m.Text != term.Safe(tc.in) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestMarksGoOnInTheNextLine(t *testing.T) {
	text := "https://sede.example.gob.es/tramites/prestacion?codigo=12345&plaza=norte"
	var got []string
	for _, line := range term.Mark(text, found(text, "es/tramites/")).Wrap(30) {
		got = append(got, drawn(line))
	}
	const want = "https://sede.example.gob.[es/]|[tramites/]prestacion?codigo=|12345&plaza=norte"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

func TestCutTextShowsItsFirstMark(t *testing.T) {
	text := "sede.ejemplo.gob.es/tramites/ayudas/vivienda/plaza-norte/solicitudes/2026/formulario.html"
	for what, want := range map[string]string{
		"":            "sede.ejemplo.gob.es/tram…/formulario.html",
		"ejemplo":     "sede.[ejemplo].gob.es/tram…/formulario.html",
		"formulario":  "sede.ejemplo.gob.es/tram…/[formulario].html",
		"plaza-norte": "sede.ejemplo.gob…ienda/[plaza-norte]/solic…",
		"2026":        "sede.ejemplo.gob…tudes/[2026]/formulario.h…",
		"tramites":    "sede.ejemplo.gob.es/[tramites]/ayudas/vivi…",
		text[10:70]:   "sede.ejemp[lo.gob.es/tramites/ayudas/vivi]…",
	} {
		var list [][]int
		if what != "" {
			list = found(text, what)
		}
		got := term.Mark(text, list).Middle(41)
		if drawn(got) != want {
			t.Errorf("%s: got %q, want %q", what, drawn(got), want)
		}
	}
	got := drawn(term.Mark(text, found(text, "formulario")).Truncate(41))
	if got != "sede.ejemplo.gob…/2026/[formulario].html" {
		t.Errorf("at its end: %q", got)
	}
}

func TestCutTextFits(t *testing.T) {
	text := "sede.統計.es/\x1b[2J/" + strings.Repeat("prestacio\u0301n/統計/हिन्दी/", 12) + "plaza/" + strings.Repeat("計", 30)
	for _, what := range []string{"plaza", "sede", "計計", "統計", "\x1b", "zzz"} {
		m := term.Mark(text, found(text, what))
		for width := range 120 {
			for _, cut := range []term.Marked{m.Middle(width), m.Truncate(width)} {
				if w := term.Width(cut.Text); w > width {
					t.Fatalf("%q in %d cells: %d: %q", what, width, w, cut.Text)
				}
				drawn(cut)
			}
			if width > 20 && what == "plaza" && !strings.Contains(drawn(m.Middle(width)), "[plaza]") {
				t.Fatalf("%q in %d cells is not seen: %q", what, width, drawn(m.Middle(width)))
			}
		}
	}
}
