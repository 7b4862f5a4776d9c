package console

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
)

// A part that fits keeps its long form to the last cell.
func TestJoinedPartsFit(t *testing.T) {
	parts := []review.Part{{Text: "home-page or section-page", Short: "2 flags"}, {Text: "waiting", Short: "waiting"}}
	for width, want := range map[int]string{
		34: "home-page or section-page, waiting", 33: "2 flags, waiting", 16: "2 flags, waiting",
	} {
		if got := joined(parts, ", ", width); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

// A filter of many parts takes its short form, and the progress stays in view.
func TestStatusLineShortensTheFilter(t *testing.T) {
	long := review.Filter{Open: true, Path: "/tramites/ayudas",
		Regexp: "^https://(sede|www)[.]ejemplo[.]gob[.]es/plaza"}.WithValues(
		review.Values{Flags: canon.SetOf(canon.HomePage, canon.SectionPage, canon.UnknownParam),
			Fields: []string{"portal_url"}},
		review.Values{Hosts: []string{"sede.ejemplo.gob.es", "www.sepe.es"}})
	for _, c := range []struct {
		filter review.Filter
		width  int
		want   string
	}{
		{review.Filter{Open: true}.WithValues(review.Values{Flags: canon.SetOf(canon.HomePage, canon.SectionPage)},
			review.Values{}), 80,
			" visto.db  clara@1  ana  ▽ waiting, home-page or section-page  reviewed 0 of 10"},
		{review.Filter{Open: true}.WithValues(long.Values(), long.Not), 100,
			" visto.db  clara@1  ana  ▽ waiting, 3 flags, portal_url, not 2 hosts               reviewed 0 of 10"},
		{long, 80, " visto.db  clara@1  ana  ▽ waiting, 3 flags, portal_url, +3    reviewed 0 of 10"},
		{long, 120, " visto.db  clara@1  ana  ▽ waiting, 3 flags, portal_url, /tramites/ayudas, not 2 hosts," +
			" re:^http…plaza reviewed 0 of 10"},
		{long, 40, " visto…  ▽ waiting, +5 reviewed 0 of 10"},
	} {
		s := openScreen(t, newDesk(t), c.width, 24)
		s.run(s.model.queue.show(request{query: review.Query{Filter: c.filter}}))
		s.send(tea.WindowSizeMsg{Width: c.width, Height: 24})
		lines := strings.Split(s.text(), "\n")
		if got := lines[len(lines)-2]; got != c.want {
			t.Errorf("in %d cells:\n%q, not\n%q", c.width, got, c.want)
		}
	}
}

func TestStatusLineKeepsWhatIsDone(t *testing.T) {
	name := strings.Repeat("registro-de-enlaces-", 5) + ".db"
	s := openScreenWith(t, newDesk(t), Options{DBPath: "/tmp/" + name, Env: []string{"TERM=xterm"}}, 80, 24, "/",
		"type:"+strings.Repeat("x", 90), "enter")
	for width := minWidth; width < 260; width++ {
		s.send(tea.WindowSizeMsg{Width: width, Height: 24})
		lines := strings.Split(s.text(), "\n")
		line := lines[len(lines)-2]
		if !strings.HasSuffix(line, "reviewed 0 of 10") || term.Width(line) != width-1 ||
			!strings.Contains(line, "▽ ") {
			t.Errorf("in %d cells: %q", width, line)
		}
	}
}

// A message that is too long ends with the key that shows all of it.
func TestLongMessageNamesTheRest(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24)
	s.model.say(strings.Repeat("word ", 80))
	s.send(nil)
	s.shows("… M shows all")
}

func TestMessageHasTheStyleOfItsKind(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24)
	s.model.say("done")
	if got := s.model.wrapped()[0]; got != s.model.th.OK.Render(" "+s.model.message.line()) {
		t.Errorf("%q", got)
	}
	s.model.warn("not done")
	if got := s.model.wrapped()[0]; got != s.model.th.Error.Render(" "+s.model.message.line()) {
		t.Errorf("%q", got)
	}
}
