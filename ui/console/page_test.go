package console

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
	"visto/review/probe/extract"
)

// paged is a desk with pages that no probe has stored.
type paged struct {
	Desk
	pages map[int64][]review.StoredContent
	err   error
}

func (d paged) Contents(_ context.Context, id int64) ([]review.StoredContent, error) {
	return d.pages[id], d.err
}

// withPages returns the desk with a page of two versions for the first two of the samples, the home page of a portal
// for the fourth, and a hostile page for the ninth.
func withPages(desk Desk) paged {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 10, 30, 0, 0, time.UTC) }
	return paged{Desk: desk, pages: map[int64][]review.StoredContent{
		1: {{At: at(20), Document: procedure("hasta el 30 de abril")}, {At: at(2), Document: procedure("todo el año")}},
		2: {{At: at(20), Document: procedure("hasta el 15 de mayo")}, {At: at(3), Document: procedure("todo el año")}},
		4: {{At: at(19), Document: employment()}},
		9: {{At: at(18), Document: hostilePage()}},
	}}
}

// procedure is the page of a procedure with a deadline.
func procedure(deadline string) extract.Document {
	link := func(path, text string, main bool) extract.Link {
		return extract.Link{URL: "https://sede.ejemplo.gob.es" + path, Text: text, Main: main}
	}
	return extract.Document{
		Title: "Cita previa para el padrón", Description: "Cómo pedir cita para darse de alta en el padrón.",
		Author: "Ayuntamiento de Ejemplo", Language: "es",
		Published: "2026-01-15", Modified: "2026-03-02T09:15:00+01:00",
		Links: []extract.Link{
			link("/", "Inicio", false), link("/tramites/solicitud", "solicitud en línea", true),
			link("/tramites/documentos", "documentos que se aportan", true),
			{URL: "https://www.boe.es/buscar/act.php?id=BOE-A-1985-5392", Text: "Ley 7/1985", Main: true},
			link("/aviso-legal", "Aviso legal", false), link("/mapa", "", false),
		},
		Text: "# Cita previa\n\nLa cita se pide *antes* de venir, en la [solicitud en línea](/tramites/solicitud) o " +
			"por teléfono en el `010`. **Sin cita no se atiende.**\n\n## Requisitos\n\n* Vivir en el municipio.\n" +
			"* Llevar los [documentos que se aportan](/tramites/documentos).\n  * DNI o NIE\n  * Contrato\n\n" +
			"## Plazo\n\nSe puede pedir " + deadline + ".\n\n> Los plazos son los de la Ley 7/1985.\n\n" +
			"| Oficina | Horario |\n| --- | --- |\n| Norte | 9 a 14 |\n| Sur | 16 a 19 |\n\n## Recursos\n\n" +
			"1. Reposición\n2. Contencioso\n\n~~Alzada~~\n",
	}
}

func employment() extract.Document {
	return extract.Document{Title: "SEPE", Language: "es", Text: "# SEPE\n\nServicio Público de Empleo Estatal.\n"}
}

// hostilePage is a page with everything that must not reach a terminal, in every field.
func hostilePage() extract.Document {
	const evil = "a\x1b[31mb\x1b]0;owned\x07\u202e\u009b2J\u2066\x00\xff&#27;[32m"
	return extract.Document{
		Title: evil, Description: evil + " ", Author: evil, Published: evil, Modified: evil, Language: evil,
		Text: "# " + evil + "\n\n[" + evil + "](" + evil + ") `" + evil + "`\n\n| " + evil + " |\n| - |\n| " + evil +
			" |\n",
		Links: []extract.Link{
			{URL: "https://a.es/" + evil, Text: evil}, {URL: "javascript:" + evil, Text: "x", Main: true},
		},
	}
}

func openPages(t *testing.T, width, height int, keys ...string) *screen {
	t.Helper()
	return openScreen(t, withPages(newDesk(t)), width, height, keys...)
}

// Spec 15: in the console the detail has the page as a reader would see it.
func TestPage(t *testing.T) {
	s := openPages(t, 80, 40, "P")
	s.shows("Cita previa para el padrón", "language es · by Ayuntamiento de Ejemplo", "published 2026-01-15",
		"modified 2026-03-02 08:15", "stored 2026-11-20 10:30", "# Cita previa",
		"antes de venir, en la solicitud en línea",
		"## Requisitos", "• Vivir en el municipio.", "  • DNI o NIE", "│ Los plazos", "Norte")
	s.lacks("Why it is here", "**", "](/tramites")
	s.keys("esc").shows("1 of 10").lacks("## Requisitos")
	s.keys("enter", "P").shows("## Requisitos").keys("P").shows("Why it is here").lacks("## Requisitos")
}

// The page stands beside the facts in a wide window, and follows the URL in both.
func TestPageBesideTheFacts(t *testing.T) {
	s := openPages(t, 160, 48, "enter", "P").shows("Why it is here", "## Requisitos", "hasta el 30 de abril")
	s.keys("]").shows("URL 2", "hasta el 15 de mayo").lacks("30 de abril")
	s.keys("a").shows("approved: URL 2", "URL 3", "No page is stored for this URL. p asks").lacks("15 de mayo")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows("No page is stored for this URL. p asks").lacks("Why it is here")
}

func TestPageIsRenderedForEachSizeAndGround(t *testing.T) {
	s := openPages(t, 80, 30, "P")
	for _, size := range [][2]int{{50, 12}, {160, 48}, {139, 20}, {140, 20}, {80, 24}, {40, 10}} {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		fits(t, s.model.View().Content, size[0], size[1])
		s.shows("Cita previa para el padrón")
	}
	s.send(tea.WindowSizeMsg{Width: 160, Height: 48})
	s.shows("Se puede pedir hasta el 30 de abril.")
}

// A window that is resized keeps the place in the page.
func TestPageKeepsItsPlace(t *testing.T) {
	desk := withPages(newDesk(t))
	var long strings.Builder
	for i := range 200 {
		fmt.Fprintf(&long, "Apartado %d del texto, con palabras de sobra para varias líneas de una ventana.\n\n", i)
	}
	desk.pages[1] = []review.StoredContent{{Document: extract.Document{Text: long.String()}}}
	s := openScreen(t, desk, 100, 24, "P", "/", "type:Apartado 150", "enter").shows("Apartado 150")
	for _, width := range []int{50, 160, 60} {
		s.send(tea.WindowSizeMsg{Width: width, Height: 24})
		if !strings.Contains(s.text(), "Apartado 14") && !strings.Contains(s.text(), "Apartado 15") {
			t.Errorf("in %d columns:\n%s", width, s.text())
		}
	}
}

func TestPageIsScrolledByLinesPagesAndHeadings(t *testing.T) {
	s := openPages(t, 80, 14, "P").shows("Cita previa para el padrón", "↓ ")
	s.keys("j").lacks("Cita previa para el padrón").keys("k").shows("Cita previa para el padrón")
	s.keys("G").shows("Alzada").keys("g").shows("Cita previa para el padrón")
	s.keys("pgdown").lacks("Cita previa para el padrón").keys("pgup").shows("Cita previa para el padrón")
	s.keys("J", "J").shows("↑ ## Requisitos").keys("J").shows("↑ ## Plazo").keys("K").shows("↑ ## Requisitos")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.lacks("## Requisitos")
}

func TestPageIsSearched(t *testing.T) {
	s := openPages(t, 80, 14, "P", "/", "type:CITA", "enter")
	marked := func() int { return strings.Count(s.model.View().Content, "\x1b[7;1m") }
	if marked() == 0 {
		t.Errorf("nothing is marked: %q", s.model.View().Content)
	}
	s.keys("n").shows("2 of 5").keys("N").shows("1 of 5").keys("N").shows("5 of 5").keys("n").shows("1 of 5")
	s.keys("/", "ctrl+u", "type:reposición").shows("1 of 1", "1. Reposición")
	s.keys("esc").shows("Cita previa para el padrón")
	s.keys("n").shows("2 of 5")
	s.keys("/", "ctrl+u", "type:TELEFONO", "enter")
	if !strings.Contains(s.model.View().Content, "\x1b[7;1mteléfono\x1b[m") {
		t.Errorf("a word is not found without its accent: %q", s.model.View().Content)
	}
	s.keys("/", "ctrl+u", "type:contrato", "enter")
	if !strings.Contains(s.model.View().Content, "\x1b[7;1mContrato\x1b[m") {
		t.Errorf("the match in an indented line is not marked: %q", s.model.View().Content)
	}
	s.keys("esc", "g").shows("Cita previa").keys("n").shows("nothing is searched for: / searches the page")
	s.keys("/", "type:re:^x(").shows("!").keys("esc", "/", "type:zzz", "enter", "n").shows("nothing found")
	if marked() != 0 {
		t.Error("marks without a search")
	}
}

// A phrase is found where the text wraps.
func TestPageSearchFindsWrappedWords(t *testing.T) {
	s := openPages(t, 44, 20, "P", "/", "type:venir, en la solicitud en línea o por teléfono en el", "enter")
	s.keys("n").shows("1 of 1")
}

// Spec 15: the diff between two versions when it changed.
func TestPageChanges(t *testing.T) {
	s := openPages(t, 80, 30, "P").shows("earlier version 2026-11-02 10:30: D shows what changed")
	s.keys("D").shows("the changes since 2026-11-02", "- Se puede pedir todo el año.",
		"+ Se puede pedir hasta el 30 de abril.").lacks("Requisitos")
	s.keys("D").shows("Requisitos", "the page of 2026-11-20").keys("esc", "j", "j", "j", "P").shows("Servicio Público")
	s.lacks("earlier version", "D changes").keys("D").shows("there is no other version of the page")
}

// Spec 15: its links listed; enter on a link opens it as a candidate.
func TestLinks(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, withPages(desk), 80, 24, "P", "l").shows("6 links", "▌   Inicio", "• solicitud en línea",
		"  /tramites/solicitud", "www.boe.es/buscar/act.php")
	s.keys("/", "type:solicitud", "enter").shows("1 of 6 links").lacks("Aviso legal")
	s.keys("enter").shows("╭─ Correct the canonical URL", "sede.ejemplo.gob.es/tramites/solicitud", "✓ valid")
	s.keys("enter").shows("corrected and approved: URL 1")
	if it := item(t, desk, 1); it.Canonical() != "https://sede.ejemplo.gob.es/tramites/solicitud" {
		t.Errorf("stored: %s", it.Canonical())
	}
	s.shows("earlier version 2026-11-03").lacks("6 links") // the page of the next URL
}

func TestLinksAreLeft(t *testing.T) {
	s := openPages(t, 80, 24, "P", "l", "/", "type:boe", "enter").shows("1 of 6 links").keys("esc").shows("6 links")
	s.keys("esc").shows("# Cita previa").keys("esc").shows("1 of 10")
	s.keys("j", "j", "P", "l").shows("no links of this page")
}

func TestLinkOpensInTheBrowser(t *testing.T) {
	var opened []string
	opts := Options{Env: []string{"TERM=xterm"}, OpenBrowser: func(url string) error {
		opened = append(opened, url)
		return nil
	}}
	s := openScreenWith(t, withPages(newDesk(t)), opts, 80, 24, "P", "l", "j", "x")
	if len(opened) != 1 || opened[0] != "https://sede.ejemplo.gob.es/tramites/solicitud" {
		t.Errorf("opened %q", opened)
	}
	s.keys("y").shows("copied the link: https://sede.ejemplo.gob.es/tramites/solicitud")
	s.clickOn("Ley 7/1985").shows("▌ • Ley 7/1985").clickOn("▌ • Ley").shows("╭─ Correct")
}

// An answer about a URL that is no longer on screen is dropped.
func TestStalePageIsDropped(t *testing.T) {
	s := openPages(t, 80, 30)
	late := func(key string) tea.Cmd {
		s.now = s.now.Add(time.Second)
		msg, err := keyPress(key)
		if err != nil {
			t.Fatal(err)
		}
		_, cmd := s.model.Update(msg)
		return cmd
	}
	first := late("P") // the page is being read
	s.keys("]")
	later := s.answer(first)
	if got := s.model.page.pane.Contents(); got != nil {
		t.Errorf("the page of URL 1 is taken for that of URL 2: %+v", got)
	}
	s.run(later)
	s.shows("hasta el 15 de mayo")

	s.keys("[").shows("30 de abril")
	s.model.page.rendered = rendering{} // the page is being rendered
	first = s.model.page.render(s.model.canvas)
	s.keys("]")
	later = s.answer(first)
	s.lacks("30 de abril").run(later)
	s.shows("hasta el 15 de mayo")
}

// answer gives the model the answers of a command, and returns the commands that follow.
func (s *screen) answer(cmd tea.Cmd) (later tea.Cmd) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			later = tea.Batch(later, s.answer(c))
		}
	case answer:
		_, later = s.model.Update(msg)
	}
	return later
}

// No page is read or rendered again for a key that changes neither.
func TestPageIsRenderedOnce(t *testing.T) {
	s := openPages(t, 80, 30, "P")
	text := s.model.page.rendered
	for _, key := range []string{"j", "G", "k", "J", "n", "M", "esc", "t"} {
		s.keys(key)
		if cmd := s.model.page.render(s.model.canvas); cmd != nil || s.model.page.rendered != text {
			t.Fatalf("%s renders the page again", key)
		}
	}
}

func TestPageThatCannotBeRead(t *testing.T) {
	desk := withPages(newDesk(t))
	desk.err = errors.New("no \x1b[31mpage")
	openScreen(t, desk, 80, 24, "P").shows(`no \x1b[31mpage`)
}

func TestPageOfOtherTypes(t *testing.T) {
	desk := withPages(newDesk(t))
	doc := func(d extract.Document) []review.StoredContent { return []review.StoredContent{{Document: d}} }
	desk.pages[1] = doc(extract.Document{Locked: true, Pages: 3})
	desk.pages[2] = doc(extract.Document{Title: "Vacía"})
	desk.pages[3] = doc(extract.Document{Text: "# uno", Cut: true})
	s := openScreen(t, desk, 80, 24, "P").shows("(no title)", "pages 3", "a password is needed")
	s.keys("]").shows("no text was found in it: x opens it")
	s.keys("]").shows("# uno", "… the rest is not stored: x opens")
}

// Nothing of a page reaches the terminal but text and the styles of the theme.
func TestHostilePage(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 48}, {50, 12}} {
		s := openPages(t, size[0], size[1], "G", "k", "P")
		for _, keys := range [][]string{nil, {"G"}, {"/", "type:own", "enter"}, {"l"}, {"G"}, {"x"}, {"y"},
			{"/", "type:a"}, {"enter", "enter"}} {
			s.keys(keys...)
			content := s.model.View().Content
			harmless(t, ansi.Strip(content))
			onlyStyles(t, content)
			fits(t, content, size[0], size[1])
			if strings.Contains(content, "\x1b[31m") || strings.Contains(content, "\x1b[32m") {
				t.Errorf("a colour of the page: %q", content)
			}
		}
	}
	openPages(t, 80, 24, "G", "k", "P").shows(`a\x1b[31mb\x1b]0;owned\x07\u{202e}\u{9b}2J\u{2066}\x00\xff\x1b[32m`)
}

// The page is rendered on a screen of any size, and drawn where there is room for anything.
func TestPageAtTinySizes(t *testing.T) {
	pages := withPages(newDesk(t))
	json := procedure("todo el año")
	json.Text = "{\n    \"plazo\": \"todo el año\",\n        \"cita\": [1, 2, 3]\n}"
	pages.pages[1][0].Document = json
	pages.Desk = typed{pages.Desk, "application/json"}
	s := openScreen(t, pages, 80, 24, "P").shows(`"plazo"`)
	for width := range 12 {
		s.send(tea.WindowSizeMsg{Width: width, Height: 24})
	}
	for height := range 24 {
		for _, width := range []int{40, 139, 140, 160} {
			for _, key := range []string{"l", "esc", "D", "D"} {
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
				s.keys(key)
			}
		}
	}
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.shows(`"plazo"`)
}

// typed is a desk whose pages have a media type.
type typed struct {
	Desk
	mediaType string
}

func (d typed) Detail(ctx context.Context, id int64) (*review.Detail, error) {
	det, err := d.Desk.Detail(ctx, id)
	if err == nil {
		det.Evidence = &canon.Evidence{ContentType: d.mediaType}
	}
	return det, err
}
