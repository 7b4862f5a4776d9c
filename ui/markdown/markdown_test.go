package markdown_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/markdown"
	"visto/ui/term"
	"visto/ui/theme"
)

func look(p colorprofile.Profile) *theme.Theme { return theme.New(theme.Terminal{Profile: p}) }

// plain renders without colours and drops the rest of the styles.
func plain(source string, width int) string {
	return ansi.Strip(strings.Join(markdown.Render(source, look(colorprofile.ASCII), width), "\n"))
}

// Spec 15: the page as a reader would see it.
func TestRender(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"heading and text": {"# Alta en el padrón\n\nSe pide *en línea* o **en persona**.",
			"# Alta en el padrón\n\nSe pide en línea o en persona."},
		"list":    {"* uno\n* dos\n  * tres", "• uno\n• dos\n  • tres"},
		"numbers": {"3. uno\n4. dos", "3. uno\n4. dos"},
		"tasks":   {"* [x] uno\n* [ ] dos", "• [x] uno\n• [ ] dos"},
		"quotation": {"> dicho en dos líneas que no caben en una, por tener un\n> ancho de sesenta columnas\n>\n> fin",
			"│ dicho en dos líneas que no caben en una, por tener un\n│ ancho de sesenta columnas\n│\n│ fin"},
		"narrow":      {strings.Repeat("> ", 25) + "uno dos tres", strings.Repeat("│ ", 25) + "uno dos t…"},
		"line breaks": {"a  \nb\nc `d\ne`", "a\nb c `d e`"},
		"code":        {"Use `a  b`:\n\n    x = 1", "Use `a  b`:\n\n  x = 1"},
		"link":        {"Vea la [guía](https://a.es/g), o la [otra](b).", "Vea la guía, o la otra."},
		"link alone":  {"[](https://a.es)x", "x"},
		"image":       {"Un ![escudo](e.png)[![sello](s.png)](/s).", "Un escudosello."},
		"html":        {"a <b>b</b> <!-- c -->\n\n<div>d</div>", "a <b>b</b> <!-- c -->\n\n<div>d</div>"},
		"autolink":    {"<https://a.es> https://b.es", "<https://a.es> https://b.es"},
		"reference":   {"a &lt;b&gt; &copy; \\*c\\* d\\_e", "a <b> © *c* d_e"},
		"escaped":     {"a\x1b[31m\u202e&#27;[1mb", `a\x1b[31m\u{202e}\x1b[1mb`},
		"soft hyphen": {"tra\u00admi&shy;tar", "tramitar"},
		"blank lines": {"\n\na\n\n\n\nb\n\n", "a\n\nb"},
		"nothing":     {" \n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := plain(tc.in, 60); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// Emphasis within emphasis adds up.
func TestRenderEmphasis(t *testing.T) {
	th := look(colorprofile.ANSI256)
	is := th.Emphasise
	for source, want := range map[string]string{
		"*a* **b** ~~c~~ [d](x)": is(theme.Italic, "a") + " " + is(theme.Strong, "b") + " " + is(theme.Struck, "c") +
			" " + is(theme.Linked, "d"),
		"**a *b***":     is(theme.Strong, "a ") + is(theme.Strong|theme.Italic, "b"),
		"**a ~~b~~**":   is(theme.Strong, "a ") + is(theme.Strong|theme.Struck, "b"),
		"**a [b](x)**":  is(theme.Strong, "a ") + is(theme.Strong|theme.Linked, "b"),
		"## A *b*":      is(theme.Headed, "## A ") + is(theme.Headed|theme.Italic, "b"),
		"[a **b**](/x)": is(theme.Linked, "a ") + is(theme.Linked|theme.Strong, "b"),
	} {
		if got := markdown.Render(source, th, 60); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

func TestRenderTable(t *testing.T) {
	const source = "| Trámite | Plazo |\n| --- | ---: |\n| Alta | 10 días |\n| [Baja](/b) | 5 días |"
	const want = " Trámite  │   Plazo\n──────────┼─────────\n Alta     │ 10 días\n Baja     │  5 días"
	if got := plain(source, 20); got != want {
		t.Errorf("got\n%s", got)
	}
	th := look(colorprofile.ANSI256)
	head := markdown.Render(source, th, 20)[0]
	if !strings.Contains(head, th.Emphasise(theme.Strong, "Trámite")) {
		t.Errorf("the head is no head: %q", head)
	}
}

// hostile are pages made to break the terminal, the renderer or patience.
var hostile = map[string]string{
	"quotations":     strings.Repeat(">", 64<<10),
	"lists":          strings.Repeat("- ", 32<<10) + "x",
	"deepening list": deepening(),
	"brackets":       strings.Repeat("[", 64<<10),
	"images":         strings.Repeat("![", 32<<10) + "x" + strings.Repeat("](a)", 8<<10),
	"emphasis":       strings.Repeat("*a_ ", 16<<10),
	"nested":         strings.Repeat("*_", 16<<10) + "x" + strings.Repeat("_*", 16<<10),
	"underscores":    strings.Repeat("_a_ ", 16<<10),
	"tildes":         strings.Repeat("~~a~~ ", 16<<10),
	"backticks":      strings.Repeat("`a``", 16<<10),
	"columns":        strings.Repeat("|a", 8<<10) + "\n" + strings.Repeat("|-", 8<<10) + "\n",
	"rows":           "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 10<<10),
	"cells":          "|a|b|\n|-|-|\n|" + strings.Repeat("c ", 16<<10) + "|" + strings.Repeat("d", 32<<10) + "|\n",
	"long word":      strings.Repeat("x", 64<<10),
	"marks":          "e" + strings.Repeat("\u0301", 32<<10),
	"right to left":  strings.Repeat("مرحبا \u202e\u2066 ", 3<<10),
	"emoji":          strings.Repeat("\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f600 \u26a0\ufe0f ", 2<<10),
	"wide":           strings.Repeat("統計", 10<<10),
	"references":     strings.Repeat("&amp;", 1) + strings.Repeat("amp;", 16<<10) + "#27;[31m",
	"escapes":        strings.Repeat("\x1b[31m\u009b2J\x1b]8;;http://x\x07\x9d", 3<<10),
	"by reference":   strings.Repeat("&#27;[31m*&#x1b;*]8;;a&#7;|&#2*7*;", 2<<10),
	"definitions":    strings.Repeat("[a]: b\n", 9<<10),
	"no UTF-8":       strings.Repeat("\xff\xc3# ", 16<<10),
	"rules":          strings.Repeat("---\n", 16<<10),
	"headings":       strings.Repeat("# a\n", 16<<10),
	"fences":         strings.Repeat("```\n\x1b[31m\n", 6<<10),
}

// deepening is a list whose every item is deeper than the one before.
func deepening() string {
	var b strings.Builder
	for depth := 0; b.Len() < 64<<10; depth++ {
		b.WriteString(strings.Repeat("  ", depth) + "- x\n")
	}
	return b.String()
}

// Spec 8 and 15: nothing but its own styles reaches the terminal, and no line is wider than the pane.
func TestRenderHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for name, source := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, markdown.Render(source, look(colorprofile.TrueColor), 76), 76)
			check(t, markdown.Render(source[:8<<10], look(colorprofile.TrueColor), 20), 20)
			check(t, markdown.Plain(source, 40), 40)
		})
	}
}

// A page whose rendering would take seconds is shown as it is.
func TestRenderGivesUp(t *testing.T) {
	for _, name := range []string{"quotations", "lists", "emphasis", "nested", "underscores", "tildes",
		"deepening list", "columns"} {
		got := markdown.Render(hostile[name], look(colorprofile.ASCII), 60)
		if !slices.Equal(got, markdown.Plain(hostile[name], 60)) {
			t.Errorf("%s: %q", name, got[:min(len(got), 5)])
		}
	}
	const fine = "> > * 1. *a* _b_\n"
	for _, times := range []int{2, 2000} { // many signs, but few in each paragraph
		if got := plain(strings.Repeat(fine+fine+"\n", times), 60); strings.Contains(got, "*") {
			t.Errorf("not rendered:\n%.200s", got)
		}
	}
}

func check(t *testing.T, lines []string, width int) {
	t.Helper()
	for _, line := range lines {
		if w := term.Width(line); w > width {
			t.Fatalf("%d cells in %d: %q", w, width, line)
		}
		for _, r := range ansi.Strip(line) {
			if unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) {
				t.Fatalf("%U reaches the terminal in %q", r, line)
			}
		}
		if strings.Contains(line, "\x1b[31m") || strings.Contains(line, "\x1b]") {
			t.Fatalf("a sequence of the page reaches the terminal: %q", line)
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, source := range hostile {
		f.Add(source[:min(len(source), 300)])
	}
	th := look(colorprofile.TrueColor)
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) < 4<<10 {
			check(t, markdown.Render(source, th, 30), 30)
		}
	})
}

func TestPlainKeepsIndents(t *testing.T) {
	got := strings.Join(markdown.Plain("{\n  \"a\": \"one two three four\",\n\n\n\t\"b\": \"\\n\"\n}\n", 20), "\n")
	const want = "{\n  \"a\": \"one two\n  three four\",\n\n    \"b\": \"\\n\"\n}"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func BenchmarkRender(b *testing.B) {
	source := strings.Repeat("## Requisitos\n\nSe pide *en línea* en la [sede](https://a.es) o **en persona**, "+
		"con la documentación que se cita.\n\n* uno\n* dos\n\n", 350)
	th := look(colorprofile.TrueColor)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		markdown.Render(source, th, 80)
	}
}
