package console

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/canon/suite"
	"visto/ui/theme"
)

// under draws the screen as in another terminal.
func (s *screen) under(profile colorprofile.Profile, light bool) [][]cell {
	ground := lipgloss.Color("#000000")
	if light {
		ground = lipgloss.Color("#ffffff")
	}
	s.send(tea.ColorProfileMsg{Profile: profile})
	s.send(tea.BackgroundColorMsg{Color: ground})
	return cells(s.t, s.model.View().Content)
}

// coloured and colourless are the screen with all colours and with none.
func (s *screen) coloured() [][]cell   { return s.under(colorprofile.TrueColor, false) }
func (s *screen) colourless() [][]cell { return s.under(colorprofile.ASCII, false) }

// TestLooks compares the style of every piece of every scene, and the look of each style in each terminal. A style
// looks the same everywhere, so that the two together are the whole look. A scene whose styles are all known is drawn
// in further terminals only if all tests run.
func TestLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("TestScreens opens the same scenes")
	}
	t.Parallel()
	names := styleNames(t)
	seen := map[string]map[string]string{} // of a style: how it looks, by terminal
	var all strings.Builder
	eachScene(t, func(t *testing.T, name string, s *screen) {
		first := inked(s.coloured(), s.colourless())
		fmt.Fprintf(&all, "== %s\n%s", name, runs(first, names))
		if !suite.All() && allSeen(seen, first, names) {
			return
		}
		for _, look := range looks {
			profile := look.profile
			if look.name == "nocolor" {
				profile = colorprofile.ASCII
			}
			learn(t, seen, look.name, first, s.under(profile, look.light), names)
		}
	})
	compare(t, "styles-80x24.txt", strings.TrimRight(all.String(), "\n"))
	compare(t, "looks.txt", looksTable(seen))
}

// styleNames are the theme's names of its styles. Styles that look the same share the first name.
func styleNames(t *testing.T) map[ink]string {
	th := theme.New(theme.Terminal{Profile: colorprofile.TrueColor})
	plain := theme.New(theme.Terminal{Profile: colorprofile.ASCII})
	names := map[ink]string{{}: "Text"}
	name := func(coloured, plain, name string) {
		row := inked(cells(t, coloured), cells(t, plain))[0]
		row = slices.DeleteFunc(row, func(d drawn) bool { return d.char == ' ' }) // the padding
		if p := row[len(row)-1].ink; names[p] == "" {
			names[p] = name
		}
	}
	v, w := reflect.ValueOf(th).Elem(), reflect.ValueOf(plain).Elem()
	render := func(style reflect.Value) string { return style.Interface().(theme.Style).Render("x") }
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() {
			name(render(v.Field(i)), render(w.Field(i)), field.Name)
		}
	}
	without := plain.Diff("https://h/aaa", "https://h/bbb", 40)
	for i, line := range th.Diff("https://h/aaa", "https://h/bbb", 40) {
		name(line, without[i], []string{"removed", "added"}[i])
	}
	return names
}

// ink is the look of a style with all colours and with none. drawn is a character in it.
type ink struct{ coloured, plain pen }

type drawn struct {
	char rune
	ink
}

// inked puts the two looks of a screen together.
func inked(coloured, plain [][]cell) (lines [][]drawn) {
	for y, row := range coloured {
		var line []drawn
		for x, c := range row {
			d := drawn{c.char, ink{coloured: c.pen}}
			if x < len(plain[y]) {
				d.plain = plain[y][x].pen
			}
			line = append(line, d)
		}
		lines = append(lines, line)
	}
	return lines
}

// runs lists the styled pieces of each line, without the frames of dialogs, which the text screens have.
func runs(lines [][]drawn, names map[ink]string) string {
	var b strings.Builder
	for y, row := range lines {
		for x := 0; x < len(row); {
			from := x
			for x++; x < len(row) && (row[x].ink == row[from].ink || row[x] == drawn{char: ' '}); x++ {
			}
			piece := ""
			for _, d := range row[from:x] {
				piece += string(d.char)
			}
			if row[from].ink != (ink{}) && strings.Trim(piece, "─│╭╮╰╯ ") != "" {
				fmt.Fprintf(&b, "%d:%d %s %s\n", y, from, styleName(names, row[from].ink),
					strings.TrimRight(piece, " "))
			}
		}
	}
	return b.String()
}

func styleName(names map[ink]string, i ink) string {
	if name, ok := names[i]; ok {
		return name
	}
	return "(" + i.coloured.String() + "; " + i.plain.String() + ")"
}

// learn notes the look of each style of a screen in another terminal.
func learn(
	t *testing.T, seen map[string]map[string]string, look string, first [][]drawn, other [][]cell, names map[ink]string,
) {
	t.Helper()
	for y, row := range first {
		if len(row) != len(other[y]) {
			t.Errorf("%s: line %d is another: %q", look, y, chars(other[y]))
			continue
		}
		for x, d := range row {
			name, looks := styleName(names, d.ink), other[y][x].pen.String()
			if seen[name] == nil {
				seen[name] = map[string]string{}
			}
			if known, ok := seen[name][look]; ok && known != looks || d.char != other[y][x].char {
				t.Errorf("%s: line %d: %s is %q here, and %q elsewhere", look, y, name, looks, known)
			}
			seen[name][look] = looks
		}
	}
}

// allSeen reports whether all styles of a screen were seen before.
func allSeen(seen map[string]map[string]string, lines [][]drawn, names map[ink]string) bool {
	for _, row := range lines {
		for _, d := range row {
			if seen[styleName(names, d.ink)] == nil {
				return false
			}
		}
	}
	return true
}

func looksTable(seen map[string]map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		fmt.Fprintln(&b, name)
		for _, look := range looks {
			fmt.Fprintf(&b, "  %-16s %s\n", look.name, seen[name][look.name])
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// TestNothingIsToldByColourAlone compares every scene with colours and without any. A difference that colours show
// must show without them: between rows of the same text, between parts of a word, and after a key.
func TestNothingIsToldByColourAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("TestScreens opens the same scenes")
	}
	t.Parallel()
	keys := []string{"down", "space", "tab", "right", "up", "left", "shift+tab"}
	eachScene(t, func(t *testing.T, _ string, s *screen) {
		coloured, plain := s.coloured(), s.colourless()
		noColours(t, plain)
		rowsDiffer(t, coloured, plain)
		wordsDiffer(t, coloured, plain)
		for _, key := range keys[:suite.Rounds(3, len(keys))] {
			s.keys(key)
			before, plainBefore := coloured, plain
			coloured, plain = s.coloured(), s.colourless()
			linesDiffer(t, key, before, coloured, plainBefore, plain)
		}
	})
}

func noColours(t *testing.T, lines [][]cell) {
	t.Helper()
	for y, row := range lines {
		for _, c := range row {
			if c.fg != "" || c.bg != "" {
				t.Fatalf("line %d has colours: %s", y, c.pen)
			}
		}
	}
}

func rowsDiffer(t *testing.T, coloured, plain [][]cell) {
	t.Helper()
	for y := range plain {
		for z := range y {
			if slices.Equal(plain[y], plain[z]) && !slices.Equal(coloured[y], coloured[z]) {
				t.Errorf("lines %d and %d differ by colour alone: %q", z, y, chars(plain[y]))
			}
		}
	}
}

// linesDiffer compares the lines before and after a key. A line with the same text must have the same look.
func linesDiffer(t *testing.T, key string, before, after, plainBefore, plainAfter [][]cell) {
	t.Helper()
	for y := range plainAfter {
		known, same := false, false
		for z := range plainBefore {
			if slices.Equal(plainAfter[y], plainBefore[z]) {
				known, same = true, same || slices.Equal(after[y], before[z])
			}
		}
		if known && !same {
			t.Errorf("line %d: what %s does is seen by colour alone in %q", y, key, chars(after[y]))
		}
	}
}

// signs stand beside a text in a colour of their own. The sign itself has the meaning of the colour.
const signs = "─│╭╮╰╯▌*?!✓✗·»→=+-…●[]()•↑↓▽█░"

// wordsDiffer compares characters side by side. The frame of a dialog may stand on anything.
func wordsDiffer(t *testing.T, coloured, plain [][]cell) {
	t.Helper()
	for y, row := range coloured {
		for x := 1; x < len(row); x++ {
			a, b := row[x-1], row[x]
			if a.pen == b.pen || plain[y][x-1].pen != plain[y][x].pen || strings.ContainsRune(signs+" ", a.char) ||
				strings.ContainsRune(signs+" ", b.char) {
				continue
			}
			t.Errorf("line %d: %q and what stands before it differ by colour alone in %q", y, string(b.char),
				chars(row))
		}
	}
}
