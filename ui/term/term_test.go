package term_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"visto/ui/term"
)

func TestSafe(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"url":              {"https://www.boe.es/a?b=c#d", "https://www.boe.es/a?b=c#d"},
		"spanish":          {"prestación única ñ €", "prestación única ñ €"},
		"decomposed":       {"prestacio\u0301n", "prestacio\u0301n"},
		"escape sequence":  {"a\x1b[31mred\x1b]0;title\x07", `a\x1b[31mred\x1b]0;title\x07`},
		"nul, tab, breaks": {"a\x00\tb\r\nc\x7f", `a\x00\tb\r\nc\x7f`},
		"8-bit CSI":        {"a\u009b31m", `a\u{9b}31m`},
		"raw 8-bit byte":   {"a\x9b31m\xff", `a\x9b31m\xff`},
		"bidi override":    {"a\u202egnp.exe", `a\u{202e}gnp.exe`},
		"isolates, marks":  {"\u2066x\u2069\u200f\u061c", `\u{2066}x\u{2069}\u{200f}\u{61c}`},
		"zero width":       {"se\u200bpe\ufeff\u2060", `se\u{200b}pe\u{feff}\u{2060}`},
		"soft hyphen":      {"a\u00adb", `a\u{ad}b`},
		"tags":             {"a\U000e0041\U000e007f", `a\u{e0041}\u{e007f}`},
		"fillers":          {"\u3164\u115f\u034f", `\u{3164}\u{115f}\u{34f}`},
		"variation":        {"a\ufe0f", `a\u{fe0f}`},
		"separators":       {"a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		"private":          {"\ue000\U00100000", `\u{e000}\u{100000}`},
		"unassigned":       {"\u0378", `\u{378}`},
		"mark alone":       {"\u0301a", `\u{301}a`},
		"mark on escape":   {"\x00\u0301a", `\x00\u{301}a`},
		"four marks":       {"a\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301"},
		"five marks":       {"a\u0301\u0301\u0301\u0301\u0301", "a" + strings.Repeat(`\u{301}`, 5)},
		"hangul fillers":   {"\u1160\uffa0", `\u{1160}\u{ffa0}`},
		"variations":       {"a\ufe00\u180b\U000e0100", `a\u{fe00}\u{180b}\u{e0100}`},
		"heap of marks":    {"a" + strings.Repeat("\u0301", 9), "a" + strings.Repeat(`\u{301}`, 9)},
		"backslash":        {`https://good.es\@evil.com`, `https://good.es\\@evil.com`},
		"no imitation":     {`\x1b`, `\\x1b`},
		"wide":             {"統計", "統計"},
		"replacement":      {"\ufffd", "\ufffd"},
		"devanagari":       {"हिन्दी में क्षेत्र, जानकारी", "हिन्दी में क्षेत्र, जानकारी"},
		"other indic":      {"தமிழ் বাংলা ગુજરાતી", "தமிழ் বাংলা ગુજરાતી"},
		"vowel on escape":  {"\x00\u0940a\u0940", `\x00\u{940}a\u{940}`},
		"many consonants":  {strings.Repeat("क्", 5) + "क", strings.Repeat(`\u{915}\u{94d}`, 5) + `\u{915}`},
		"joiner":           {"क्\u200dष", `\u{915}\u{94d}\u{200d}\u{937}`},
		"joined emoji":     {"👩\u200d💻", `\u{1f469}\u{200d}\u{1f4bb}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := term.Safe(tc.in); got != tc.want {
				t.Errorf("Safe(%q)\n got %q\nwant %q", tc.in, got, tc.want)
			}
		})
	}
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{
		"", "https://boe.es/á?b=\x1b[0m", "\u202e\u0301\xff\\", "👩\u200d💻🇪🇸", "각\u1100", "a\u0e33", "\r\n", "हिन्दी में क्षेत्र",
	} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		out := term.Safe(s)
		checkVisible(t, out)
		least := 2
		if strings.ContainsFunc(out, func(r rune) bool { return unicode.In(r, term.Indic...) }) {
			least = term.Widest
		}
		if a, b := ansi.StringWidth(out), ansi.StringWidthWc(out); a > b || a < b && least == 2 {
			t.Errorf("Safe(%q) = %q: %d cells by clusters, %d by runes", s, out, a, b)
		}
		width = least + abs(width)%100
		if w := term.Width(term.Pad(out, width)); w != width {
			t.Errorf("Pad(%q, %d) takes %d cells", out, width, w)
		}
		lines := term.Wrap(out, width)
		for _, line := range lines {
			if term.Width(line) > width {
				t.Errorf("Wrap(%q, %d) has a line of %d cells: %q", out, width, term.Width(line), line)
			}
		}
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(out, " ", "") {
			t.Errorf("Wrap(%q, %d) lost text: %q", out, width, lines)
		}
	})
}

func checkVisible(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%q is not UTF-8", out)
	}
	hidden := []*unicode.RangeTable{unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point}
	for _, r := range out {
		if unicode.In(r, hidden...) || !unicode.IsGraphic(r) {
			t.Errorf("%q holds %U", out, r)
		}
	}
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func TestSafeIsUnambiguous(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{
		"\x1b", `\x1b`, `\\x1b`, "\\\x1b", "\u009b", `\u{9b}`, "\x9b", `\x9b`, "\n", `\n`, "\\\n", `\\n`,
	} {
		out := term.Safe(s)
		if other, ok := seen[out]; ok {
			t.Errorf("%q and %q both show as %q", s, other, out)
		}
		seen[out] = s
	}
}

func TestWrapFillsLines(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string // lines, separated by "|"
	}{
		{"aaa bbb ccc", 7, "aaa bbb|ccc"}, {"aaa bbb ccc ddd eee", 7, "aaa bbb|ccc ddd|eee"},
		{"aaa bbb ccc", 6, "aaa|bbb|ccc"}, {"aaa bbb  ccc", 7, "aaa bbb| ccc"}, {"aaaa bbb", 4, "aaaa|bbb"},
		{"añb cde", 3, "añb|cde"}, {"登记 登记", 4, "登记|登记"},
	} {
		if got := strings.Join(term.Wrap(tt.text, tt.width), "|"); got != tt.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func TestWrapBreaksURLsBetweenTheirParts(t *testing.T) {
	got := term.Wrap("https://sede.example.gob.es/tramites/prestacion?codigo=12345&plaza=norte", 30)
	want := []string{"https://sede.example.gob.es/", "tramites/prestacion?codigo=", "12345&plaza=norte"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", got)
	}
}

func TestOpenable(t *testing.T) {
	for _, url := range []string{"https://boe.es", "http://boe.es/a?b=c#d"} {
		if !term.Openable(url) {
			t.Errorf("%q cannot be opened", url)
		}
	}
	for _, url := range []string{
		"", "javascript:alert(1)", "https://a\x1b]8;;", "https://ä.es", "file:///etc/passwd",
		"https://a b", `https://a\b`, "-https://a", "HTTPS://a",
	} {
		if term.Openable(url) {
			t.Errorf("%q can be opened", url)
		}
	}
}

func TestMiddleKeepsBothEnds(t *testing.T) {
	got := term.Middle("sede.example.gob.es/tramites/prestacion?codigo=12345", 30)
	if got != "sede.example.gob.e…odigo=12345" || term.Width(got) != 30 {
		t.Errorf("%q of %d cells", got, term.Width(got))
	}
	if got := term.Middle("short", 30); got != "short" {
		t.Errorf("%q", got)
	}
	for width := range 12 {
		if got := term.Middle("統計統計統計統計", width); term.Width(got) > width {
			t.Errorf("%q of %d cells in %d", got, term.Width(got), width)
		}
	}
}

func TestClip(t *testing.T) {
	if got := term.Clip("añadir", 2); got != "a… (7 bytes in all)" {
		t.Errorf("%q", got)
	}
	if got := term.Clip("añadir", 7); got != "añadir" {
		t.Errorf("%q", got)
	}
}

// Text is cut and broken between characters, also where one takes several cells.
func TestCutsNoSyllable(t *testing.T) {
	const text = "हिन्दी में क्षेत्र"
	var whole []string // the text up to the end of each character
	for it := graphemes.FromString(text); it.Next(); {
		whole = append(whole, text[:it.End()])
	}
	for width := 1; width <= term.Width(text); width++ {
		cut := strings.TrimSuffix(term.Truncate(text, width), "…")
		if cut != "" && !slices.Contains(whole, cut) {
			t.Errorf("to %d cells: %q", width, cut)
		}
		end := term.Mark(text, nil).Middle(width).Text
		if _, end, _ := strings.Cut(end, "…"); end != "" && end != text &&
			!slices.Contains(whole, strings.TrimSuffix(text, end)) {
			t.Errorf("the end in %d cells: %q", width, end)
		}
		for _, at := range term.Breaks(text, width) {
			if !slices.Contains(whole, text[:at]) {
				t.Errorf("a line of %d cells ends after %q", width, text[:at])
			}
		}
	}
}
