package diff_test

import (
	"strings"
	"testing"

	"visto/ui/diff"
)

// mark writes changed spans in brackets.
func mark(spans []diff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.Kind {
		case diff.Same:
			b.WriteString(s.Text)
		case diff.Removed:
			b.WriteString("[-" + s.Text + "]")
		case diff.Added:
			b.WriteString("[+" + s.Text + "]")
		}
	}
	return b.String()
}

func TestURLs(t *testing.T) {
	for name, tc := range map[string]struct{ before, after, removed, added string }{
		"equal": {"https://boe.es/a?b=1", "https://boe.es/a?b=1", "https://boe.es/a?b=1", "https://boe.es/a?b=1"},
		"scheme and slash": {"http://boe.es/a/", "https://boe.es/a",
			"http://boe.es/a[-/]", "http[+s]://boe.es/a"},
		"no scheme": {"boe.es/a", "https://www.boe.es/a", "boe.es/a", "[+https://www.]boe.es/a"},
		"first parameter goes": {"https://boe.es/a?utm_source=x&id=1#top", "https://boe.es/a?id=1",
			"https://boe.es/a?[-utm_source=x&]id=1[-#top]", "https://boe.es/a?id=1"},
		"parameter in the middle": {"https://boe.es/a?a=1&sid=9&b=2", "https://boe.es/a?a=1&b=2",
			"https://boe.es/a?a=1&[-sid=9&]b=2", "https://boe.es/a?a=1&b=2"},
		"value changes": {"https://boe.es/a?q=%c3%b1", "https://boe.es/a?q=%C3%B1",
			"https://boe.es/a?q=%[-c]3%[-b]1", "https://boe.es/a?q=%[+C]3%[+B]1"},
		"host case": {"https://BOE.es/A", "https://boe.es/A", "https://[-BOE].es/A", "https://[+boe].es/A"},
		"other page": {"https://bit.ly/xzw", "https://www.sepe.es/ayudas",
			"https://[-bit.ly/xzw]", "https://[+www.sepe.es/ayudas]"},
		"only before": {"https://boe.es", "", "[-https://boe.es]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, a := diff.URLs(tc.before, tc.after)
			if plain(b) != tc.before || plain(a) != tc.after {
				t.Fatalf("spans lose text: %q %q", plain(b), plain(a))
			}
			if mark(b) != tc.removed || mark(a) != tc.added {
				t.Errorf("\n got %s\n     %s\nwant %s\n     %s", mark(b), mark(a), tc.removed, tc.added)
			}
		})
	}
}

func FuzzURLsLosesNothing(f *testing.F) {
	f.Add("http://a/b?c=d&e#f", "https://a//?e&c=d")
	f.Fuzz(func(t *testing.T, before, after string) {
		before, after = strings.ToValidUTF8(before, "?"), strings.ToValidUTF8(after, "?")
		b, a := diff.URLs(before, after)
		if plain(b) != before || plain(a) != after {
			t.Errorf("URLs(%q, %q) = %q, %q", before, after, b, a)
		}
	})
}

func plain(spans []diff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// A change covers whole characters: a letter with its combining marks, an escape of term.Safe.
func TestCharactersStayWhole(t *testing.T) {
	for _, test := range []struct{ before, after, removed, added string }{
		{"https://h/cafe\u0301/uno", "https://h/cafe/uno", "e\u0301", "e"},
		{`https://h/a\u{202e}b/uno`, `https://h/a\u{202d}b/uno`, `\u{202e}`, `\u{202d}`},
		{`https://h/a\x1bb/uno`, `https://h/a\x1cb/uno`, `\x1b`, `\x1c`},
		{`https://h/a\\b/uno`, `https://h/a/b/uno`, `\\`, `/`},
		{`https://h/%e1b/uno`, `https://h/%E1b/uno`, `e`, `E`},
	} {
		removed, added := diff.URLs(test.before, test.after)
		gone, new := only(removed, diff.Removed), only(added, diff.Added)
		if gone != test.removed || new != test.added {
			t.Errorf("%q to %q: removed %q, added %q", test.before, test.after, gone, new)
		}
	}
}

func only(spans []diff.Span, k diff.Kind) string {
	text := ""
	for _, s := range spans {
		if s.Kind == k {
			text += s.Text
		}
	}
	return text
}

func TestLongURLsAreComparedInTime(t *testing.T) {
	before := "https://h/" + strings.Repeat("abcdefghi/", 400)
	removed, _ := diff.URLs(before, strings.ReplaceAll(before, "e", "E"))
	if n := len(only(removed, diff.Removed)); n == 0 {
		t.Error("no difference was found")
	}
}
