package console

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"visto/review"
)

// marked returns the pieces of the screen that are marked as found. They are reversed; in the row under the
// cursor, where everything is reversed, they are underlined.
func (s *screen) marked() (list []string) {
	for line := range strings.SplitSeq(s.model.View().Content, "\n") {
		for _, part := range strings.Split(line, "\x1b[")[1:] {
			style, text, _ := strings.Cut(part, "m")
			reversed := style == "7;1" || strings.HasPrefix(style, "4;") && strings.HasSuffix(style, ";7")
			if reversed || style == "4;1" && strings.Contains(line, "▌") {
				list = append(list, text)
			}
		}
	}
	return list
}

func (s *screen) marks(want ...string) *screen {
	s.t.Helper()
	if got := s.marked(); !slices.Equal(got, want) {
		s.t.Errorf("marked are %q, not %q:\n%s", got, want, s.text())
	}
	return s
}

// openColourless opens the console in a terminal without colours.
func openColourless(t *testing.T, desk Desk, keys ...string) *screen {
	t.Helper()
	return openScreenWith(t, desk, Options{DBPath: "/tmp/visto.db", Env: []string{"NO_COLOR=1"}}, 80, 24, keys...)
}

// The finds of a search are marked in the rows of the list and in both URLs below it, with the case rules of the
// search.
func TestWhatWasFoundIsMarked(t *testing.T) {
	s := openColourless(t, newDesk(t), "/", "type:sEPE", "enter").marks("sepe", "sepe", "Sepe", "SEPE", "sepe")
	s.keys("/", "ctrl+u", "type:re:(?-i)sep[a-p]|NCAT|ncat", "enter").marks("sepe", "sepe", "ncat", "sepe")
	s.keys("/", "ctrl+u", "type:re:x*", "enter").marks()
	s.keys("/", "ctrl+u", "type:sepe", "enter").keys("esc").marks()
}

func TestWhatWasFoundIsMarkedInTheDetail(t *testing.T) {
	desk := newDesk(t)
	if _, err := desk.Note(t.Context(), "a \x1b[2JPADRÓN\u202e, ask padron@ejemplo.es", 6); err != nil {
		t.Fatal(err)
	}
	s := openColourless(t, desk, "/", "type:padr", "enter", "enter").marks("padr", "padr", "padr")
	s.keys("G").shows(`a \x1b[2JPADRÓN\u{202e}, ask padron@`)
	if got := s.marked(); !slices.Contains(got, "PADR") || got[len(got)-1] != "padr" {
		t.Errorf("in the note: %q", got)
	}
	openColourless(t, desk, "/", "type:re:cita (previa)", "enter", "enter").marks("Cita previa")
	openColourless(t, desk, "/", "type:re:^ftp", "enter").keys("f", "ctrl+x", "enter", "enter").marks("ftp")
}

// A find in a part of a URL that the list would cut out is shown. A find across the end of a line is marked in
// both.
func TestWhatWasFoundIsInView(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	long := "https://sede.ejemplo.gob.es/" + strings.Repeat("tramites/", 70) + "prestacio\u0301n/計" +
		strings.Repeat("ayudas/", 150) + "fin?plaza=norte"
	s := openColourless(t, newDesk(t, review.Found{URL: long}), "/", "type:re:ci.*計|%E8%A8%88", "enter")
	s.marks("%E8%A8%88").shows("CC%81n/%E8%A8%88ayudas")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 80})
	s.keys("enter", "Z").marks("ci", "o\u0301", "n/", "計", "%E8%A8%88").keys("Z")
	s.keys("esc", "/", "ctrl+u", "type:"+strings.Repeat("tramites/", 20), "enter", "enter", "Z")
	whole := strings.Join(s.marked(), "")
	if want := strings.Repeat("tramites/", 2*60); whole != want {
		t.Errorf("%d bytes are marked, not %d", len(whole), len(want))
	}
}

func TestWhatWasFoundIsLegibleOnEveryTerminal(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]string{
		colorprofile.ASCII: "\x1b[4;1msepe", colorprofile.ANSI: "\x1b[4;1msepe", colorprofile.ANSI256: "\x1b[7;1msepe",
		colorprofile.TrueColor: "\x1b[7;1msepe",
	} {
		s := openScreen(t, newDesk(t), 80, 24)
		s.send(tea.ColorProfileMsg{Profile: profile})
		s.keys("/", "type:sepe", "enter")
		if row := strings.Split(s.model.View().Content, "\n")[1]; !strings.Contains(row, want) {
			t.Errorf("%v: %q", profile, row)
		}
	}
}

func TestWhatWasFoundIsMarkedAfterARestart(t *testing.T) {
	desk, state := newDesk(t), filepath.Join(t.TempDir(), "state.json")
	opts := Options{StateFile: state, Env: []string{"NO_COLOR=1"}}
	s := openScreenWith(t, desk, opts, 80, 10, "/", "type:sepe", "enter").marks("sepe", "sepe", "Sepe")
	if err := s.model.leave(); err != nil {
		t.Fatal(err)
	}
	openScreenWith(t, desk, opts, 80, 10).marks("sepe", "sepe", "Sepe")
}

// The marks are the finds of the search: an item is in the list exactly if one of its texts has something to mark.
func TestWhatIsMarkedIsWhatIsFound(t *testing.T) {
	desk := newDesk(t)
	all, err := desk.Page(t.Context(), review.Query{}, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []review.Filter{
		{Search: "SePe"}, {Search: "Ó"}, {Search: "padrón"}, {Search: "\x1b[31"}, {Search: "\u202e"}, {Search: "."},
		{Search: "K"}, {Search: "\\"},
		{Regexp: "SEPE"}, {Regexp: "(?-i)SEPE"}, {Regexp: "ÓN$"}, {Regexp: "^http:"}, {Regexp: "[k-l]l"},
		{Regexp: `\xff`}, {Regexp: "."}, {Regexp: `\x00`},
	} {
		find, err := f.Finder()
		if err != nil {
			t.Fatal(err)
		}
		found, err := desk.Page(t.Context(), review.Query{Filter: f}, nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			has := slices.ContainsFunc(found, func(it review.Item) bool { return it.ID == all[i].ID })
			texts := []string{all[i].Original, all[i].Canonical(), all[i].Title}
			if marks := slices.ContainsFunc(texts, func(s string) bool { return len(find.Find(s)) > 0 }); marks != has {
				t.Errorf("%v: URL %d is found: %v, is marked: %v", f, all[i].ID, has, marks)
			}
		}
	}
}
