package term_test

import (
	"html"
	"slices"
	"strings"
	"testing"
	"unicode"

	"visto/ui/term"
)

func TestProse(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"markdown":                {"# A \\*b\\* [c](d)\n\n* e & f", "# A \\*b\\* [c](d)\n\n* e & f"},
		"spanish":                 {"prestación única ñ €", "prestación única ñ €"},
		"line breaks":             {"a\r\nb\rc\nd", "a\nb\nc\nd"},
		"tab":                     {"a\tb", "a    b"},
		"escape sequence":         {"a\x1b[31mb\x1b]0;t\x07", `a\x1b[31mb\x1b]0;t\x07`},
		"8-bit CSI":               {"a\u009b31m\x9b", `a\u{9b}31m\x9b`},
		"bidi override":           {"a\u202eb", `a\u{202e}b`},
		"empty Braille":           {"a\u2800b", `a\u{2800}b`},
		"null notehead":           {"a\U0001d159b", `a\u{1d159}b`},
		"hints":                   {"pres\u00adta\u200bción\ufeff\u2060 ⚠\ufe0f☎\ufe0e", "prestación ⚠☎"},
		"hint by reference":       {"pres&shy;ta&ZeroWidthSpace;ción", "prestación"},
		"reference around a hint": {"a&#x\u00ad1b;[31m", `a\x1b[31m`},
		"no-break space":          {"a&nbsp;b", "a&nbsp;b"},
		"sign by reference":       {"&lt;b&gt; &amp; &copy;", "&lt;b&gt; &amp; &copy;"},
		"escape by reference":     {"a&#27;[31mb", `a\x1b[31mb`},
		"hexadecimal":             {"a&#x1B;[31mb", `a\x1b[31mb`},
		"without semicolon":       {"a&#27[31mb", `a\x1b[31mb`},
		"nested reference":        {"a&amp;#27;b &AMP;#x202e;", `a\x1bb \u{202e}`},
		"bidi by reference":       {"&rlm;a&#8238;b", `\u{200f}a\u{202e}b`},
		"break by reference":      {"a&NewLine;b&Tab;c", `a\nb\tc`},
		"too deep to be read":     {"a&amp;amp;amp;amp;amp;#27;b", `aamp;#27;b`},
		"heap of marks":           {"a" + strings.Repeat("\u0301", 9), "a" + strings.Repeat(`\u{301}`, 9)},
		"marks on a backslash":    {"\\\u0301", `\\\u{301}`},
		"arabic, chinese, emoji":  {"مرحبا 統計 😀", "مرحبا 統計 😀"},
	} {
		t.Run(name, func(t *testing.T) {
			got := term.Prose(tc.in)
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if again := term.Prose(got); again != got {
				t.Errorf("again: %q", again)
			}
		})
	}
}

func TestStyledLines(t *testing.T) {
	for name, tc := range map[string]struct {
		in    string
		width int
		want  []string
	}{
		"plain":                 {"a\nb", 9, []string{"a", "b"}},
		"blanks at the end":     {"a  \x1b[1m  \x1b[m \n  b", 9, []string{"a", "  b"}},
		"style over lines":      {"\x1b[1ma\nb\x1b[mc", 9, []string{"\x1b[1ma\x1b[m", "\x1b[1mb\x1b[mc"}},
		"styles add up":         {"\x1b[1m\x1b[4ma\x1b[0mb", 9, []string{"\x1b[1m\x1b[4ma\x1b[mb"}},
		"too wide":              {"\x1b[1mabcdef\x1b[m", 4, []string{"\x1b[1mabc…\x1b[m"}},
		"hyperlink":             {"\x1b]8;;http://a\ab\x1b]8;;\a", 99, []string{`\x1b]8;;http://a\x07b\x1b]8;;\x07`}},
		"cursor movement":       {"a\x1b[2Jb\x1b[1;1Hc", 99, []string{`a\x1b[2Jb\x1b[1;1Hc`}},
		"8-bit, bidi, no UTF-8": {"\u009b1m\u202e\xff", 99, []string{`\u{9b}1m\u{202e}\xff`}},
		"mark after a style":    {"a\x1b[1m\u0301b\x1b[m", 99, []string{"a\x1b[1m\\u{301}b\x1b[m"}},
		"unfinished":            {"a\x1b[3", 99, []string{`a\x1b[3`}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := term.StyledLines(tc.in, tc.width); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestHighlight(t *testing.T) {
	const line = "ab\x1b[1mcd\x1b[mef"
	for name, tc := range map[string]struct {
		found [][]int
		want  string
	}{
		"none":          {nil, line},
		"in one style":  {[][]int{{0, 1}, {5, 6}}, "\x1b[7ma\x1b[mb\x1b[1mcd\x1b[me\x1b[7mf\x1b[m"},
		"across styles": {[][]int{{1, 5}}, "a\x1b[7mb\x1b[m\x1b[1m\x1b[7mcd\x1b[m\x1b[7me\x1b[mf"},
		"all":           {[][]int{{0, 6}}, "\x1b[7mab\x1b[m\x1b[1m\x1b[7mcd\x1b[m\x1b[7mef\x1b[m"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := term.Highlight(line, tc.found, "\x1b[7m"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// FuzzProse holds that no text of a page has anything in it that a terminal obeys, hides or reorders, even after its
// references are resolved.
func FuzzProse(f *testing.F) {
	f.Add("a&amp;#27;[31m\u202e\tb\r\n\\")
	f.Add("&#x\u00ad1b;&ZeroWidth\u00adSpace;&shy;")
	f.Fuzz(func(t *testing.T, s string) {
		once := term.Prose(s)
		for range 4 {
			for _, r := range once {
				if r != '\n' && (unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)) {
					t.Fatalf("%U in %q of %q", r, once, s)
				}
			}
			once = html.UnescapeString(once)
		}
		if got := term.Prose(term.Prose(s)); got != term.Prose(s) {
			t.Errorf("%q, then %q", term.Prose(s), got)
		}
	})
}
