package suggest_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/suggest"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// desk is a desk on a new database. Its methods fail the test on any error.
type desk struct {
	*review.Desk
	testing.TB
}

func newDesk(t testing.TB) *desk {
	d := &desk{TB: t}
	s, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{})
	d.must(err)
	t.Cleanup(func() { d.must(s.Close()) })
	d.Desk, err = review.Open(t.Context(), s, "ana", nil)
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// answered adds a URL, relative to host, with evidence.
func (d *desk) answered(url string, set func(*canon.Evidence)) {
	d.Helper()
	ev := &canon.Evidence{Status: 200}
	set(ev)
	d.add(review.Found{URL: absolute(url), Evidence: ev})
}

func (d *desk) add(list ...review.Found) {
	d.Helper()
	_, err := d.Add(d.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for _, f := range list {
			d.must(yield(f))
		}
		return nil
	})
	d.must(err)
}

func (d *desk) target(url string) review.Target {
	d.Helper()
	items, err := d.Find(d.Context(), absolute(url))
	d.must(err)
	i := slices.IndexFunc(items, func(it review.Item) bool { return it.Original == absolute(url) })
	if i < 0 {
		d.Fatalf("%s is not stored", url)
	}
	return review.Target{ID: items[i].ID}
}

func (d *desk) decide(c review.Choice, url string) {
	d.Helper()
	_, err := d.Decide(d.Context(), c, d.target(url))
	d.must(err)
}

func (d *desk) suggestions(f review.Filter) []suggest.Suggestion {
	d.Helper()
	list, err := suggest.Mine(d.Context(), d, f)
	d.must(err)
	return list
}

func (d *desk) want(text string) {
	d.Helper()
	if got := found(d.suggestions(review.Filter{})); got != text {
		d.Errorf("%q\nwant %q", got, text)
	}
}

func hop(url string) func(*canon.Evidence) {
	return func(ev *canon.Evidence) { ev.Hops = []canon.Hop{{Status: 301, URL: absolute(url)}} }
}

// TestMine follows a suggestion from evidence to the rule that makes it needless.
func TestMine(t *testing.T) {
	d := newDesk(t)
	d.answered("/t/uno-dos?plaza=1", hop("/t/uno-dos"))
	d.answered("/t/uno-tres?plaza=1", hop("/t/uno-tres/"))
	d.answered("/t/error-uno?plaza=1", func(ev *canon.Evidence) { hop("/t/error-uno")(ev); ev.Title = "Error interno" })
	d.answered("/t/error-dos?plaza=1", func(ev *canon.Evidence) { hop("/t/error-dos")(ev); ev.Status = 404 })
	d.answered("/t/error-tres?plaza=1", func(ev *canon.Evidence) { hop("/t/error-tres")(ev); ev.Blocked = "login" })
	d.answered("/t/error-seis?plaza=1", func(ev *canon.Evidence) {
		hop("/t/error-seis")(ev)
		ev.Title = "Página no encontrada"
	})
	d.add(review.Found{URL: absolute("/t/otro-uno?plaza=5")},
		review.Found{URL: absolute("/t/otro-dos?plaza=5&utm_source=x")},
		review.Found{URL: absolute("/x/otro-dos?plaza=5")})
	d.want("drop plaza on s.gob.es/t 2:0\n")
	if list := d.suggestions(review.Filter{}); !slices.Equal(list[0].Ask, []int64{7, 8}) {
		t.Errorf("to ask about: %v, not the two below the path that nobody has asked", list[0].Ask)
	}
	d.decide(review.Choice{Kind: review.Correct, Canonical: absolute("/t/otro-uno")}, "/t/otro-uno?plaza=5")
	d.want("*drop plaza on s.gob.es/t 3:0\n")

	list := d.suggestions(review.Filter{Hosts: []string{"s.gob.es"}})
	if len(list[0].Ask) > 0 {
		t.Errorf("to ask about of a recommended one: %v", list[0].Ask)
	}
	if list[0].Reach != 3 {
		t.Errorf("%d URLs would change, not the 3 whose canonical URL has the parameter", list[0].Reach)
	}
	if list := d.suggestions(review.Filter{Hosts: []string{"otra.gob.es"}}); len(list) > 0 {
		t.Errorf("on another host: %s", found(list))
	}
	change, err := d.Amend(t.Context(), list[0].Override())
	d.must(err)
	_, effect, err := d.SaveOverrides(t.Context(), []review.OverrideChange{change}, "")
	d.must(err)
	if effect.Changed != list[0].Reach {
		t.Errorf("the rule changes %d URLs, not %d", effect.Changed, list[0].Reach)
	}
	d.want("")
	_, _, err = d.Undo(t.Context(), 0)
	d.must(err)
	d.want("*drop plaza on s.gob.es/t 3:0\n")
	d.decide(review.Choice{Kind: review.Approve}, "/t/otro-dos?plaza=5&utm_source=x")
	d.want("drop plaza on s.gob.es/t 3:1\n")
}

// TestReachIsTheEffect checks that the stored URLs that a suggestion would change are those that its rule changes.
func TestReachIsTheEffect(t *testing.T) {
	d := newDesk(t)
	for _, pair := range []string{"/a/x-1.html /a/x-1", "/a/x-2.html /a/x-2", "/a/b/x-3.html /a/b/x-3",
		"/w/index.html /w", "/w/v/index.html /w/v", "/w/u/index.html /w/u", "/s?id=1&v=2 /s_1?v=2", "/s?id=2 /s_2",
		"/s?id=3 /s_3", "/q/1?u=1&w=2 /q/1", "/q/2?u=1&w=2 /q/2", "/q/3?u=1&w=2 /q/3"} {
		from, to, _ := strings.Cut(pair, " ")
		d.answered(from, hop(to))
	}
	for _, url := range []string{"/a/y-1.html", "/a/b/c/d/y-2.html", "/w/x/index.html", "/w/a/b/c/index.html",
		"/s?id=9&w=1", "/s?id=", "/q/9?w=1&other=2", "/q/9?other=2"} {
		d.add(review.Found{URL: absolute(url)})
	}
	list := d.suggestions(review.Filter{})
	if len(list) != 4 {
		t.Errorf("%d suggestions: %s", len(list), found(list))
	}
	for _, s := range list {
		change, err := d.Amend(t.Context(), s.Override())
		d.must(err)
		effect, err := d.Effect(t.Context(), []review.OverrideChange{change}, nil)
		d.must(err)
		if !s.Recommended || effect.Changed != s.Reach || s.Reach != 1 {
			t.Errorf("%s: the rule changes %d URLs, not %d", s.Template, effect.Changed, s.Reach)
		}
	}
}

// TestMineTexts checks that texts are compared without their clocks, and that those of list pages and of corrected URLs
// say nothing.
func TestMineTexts(t *testing.T) {
	d := newDesk(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	show := func(url, words string) {
		at = at.Add(time.Minute)
		d.answered(url, func(ev *canon.Evidence) { ev.SHA256 = at.String() })
		doc := &extract.Document{Title: "Trámite", Text: strings.Repeat(words+" con su documento de identidad. ", 5) +
			"\n\nHora: " + at.Format("15:04")}
		report := probe.Report{Evidence: &canon.Evidence{Status: 200}, Content: doc}
		report.Target.URL = absolute(url)
		_, err := d.KeepCheck(t.Context(), d.target(url).ID, report, at)
		d.must(err)
	}
	for _, page := range []string{"becas", "multas", "padron"} {
		show("/t/ver-"+page+"?plaza=1", "Solicite "+page)
		show("/t/ver-"+page+"?plaza=2", "Solicite "+page)
	}
	d.want("*drop plaza on s.gob.es/t 3:0\n")
	show("/t/ver-becas?plaza=3&pagina=2", "La segunda página de otra lista muy larga")
	d.want("*drop plaza on s.gob.es/t 3:0\n")
	show("/t/ver-becas?plaza=4", "Una convocatoria muy distinta de las anteriores para personal docente")
	d.want("drop plaza on s.gob.es/t 3:1\n")
}

// TestMineMissing checks that a page has to be where a rule leads: it is missing with status 404 or 410, or by
// its title. A page that fails in another way may come back.
func TestMineMissing(t *testing.T) {
	d := newDesk(t)
	for _, page := range []string{"uno", "dos", "tres"} {
		d.answered("/t/ver-"+page+"?plaza=1", hop("/t/ver-"+page))
	}
	for i, set := range []func(*canon.Evidence){
		func(ev *canon.Evidence) { ev.Status = 500 },
		func(ev *canon.Evidence) { ev.Status, ev.Blocked = 404, "login" },
		func(ev *canon.Evidence) { ev.Title = "Error interno" },
		func(ev *canon.Evidence) { ev.Status = 404 },
		func(ev *canon.Evidence) { ev.Status = 410 },
		func(ev *canon.Evidence) { ev.Title = "Página no encontrada" },
	} {
		d.want([]string{"*drop plaza on s.gob.es/t 3:0\n", "drop plaza on s.gob.es/t 3:1\n",
			"drop plaza on s.gob.es/t 3:2\n"}[max(0, i-3)])
		url := fmt.Sprintf("/t/leer-%d", i)
		d.answered(url+"?plaza=1", func(ev *canon.Evidence) { ev.SHA256 = url })
		d.answered(url, set)
	}
	d.want("drop plaza on s.gob.es/t 3:3\n")
	_, no := d.suggestions(review.Filter{})[0].Reasons()
	if text := strings.Join(no, "; "); text != "3 pages are missing there" {
		t.Errorf("against it: %s", text)
	}
}

// TestMineKnown checks that nothing is suggested that the policy does, or that the evidence of a host does.
func TestMineKnown(t *testing.T) {
	d := newDesk(t)
	for _, page := range []string{"uno-dos", "uno-tres", "uno-mil"} {
		d.answered("/t/"+page+"?utm_source=x", hop("/t/"+page))
		d.answered("http://www.boe.es/t/"+page, hop("https://www.boe.es/t/"+page+"/"))
	}
	d.want("")
}
