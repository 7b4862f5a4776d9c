package pane_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/tools/txtar"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/probe"
	"visto/review/suggest"
	"visto/ui/pane"
	"visto/ui/theme"
	"visto/ui/widget"
)

var update = flag.Bool("update", false, "write the golden views anew")

const golden = "../../testdata/view/pane.txtar"

// viewer is a pane with one way to draw it.
type viewer func(th *theme.Theme, width, height int) string

// TestViews compares the views of panes with golden ones. Matches of a search and added characters stand in ⟦ ⟧.
func TestViews(t *testing.T) {
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var got []txtar.File
	for _, sc := range scenes(t) {
		for _, size := range sc.sizes {
			name := fmt.Sprintf("%s-%dx%d", sc.name, size[0], size[1])
			text := sc.view(theme.New(theme.Terminal{Profile: colorprofile.ASCII}), size[0], size[1])
			if n := strings.Count(text, "\n") + 1; n != size[1] {
				t.Errorf("%s has %d lines", name, n)
			}
			got = append(got, txtar.File{Name: name, Data: []byte(visible(text))})
		}
	}
	if *update {
		archive.Files = got
		if err := os.WriteFile(golden, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range got {
		if i >= len(archive.Files) || archive.Files[i].Name != f.Name {
			t.Fatalf("%s is not in its place in %s: run with -update", f.Name, golden)
		}
		if want := string(archive.Files[i].Data); string(f.Data) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, f.Data, want)
		}
	}
}

// visible returns a view without styles. Its matches and added characters stand in brackets.
func visible(text string) string {
	text = strings.NewReplacer("\x1b[7;1m", "⟦", "\x1b[4;1m", "⟦", "\x1b[m", "⟧").Replace(text)
	var b strings.Builder
	open := false
	for _, r := range ansi.Strip(text) { // a closing bracket only stays behind an opening one
		if r == '⟧' && !open {
			continue
		}
		open = r == '⟦' || open && r != '⟧'
		b.WriteRune(r)
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

type scene struct {
	name  string
	view  viewer
	sizes [][2]int
}

var (
	at    = time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC)
	small = [][2]int{{80, 12}, {50, 5}}
	long  = "http://www.ejemplo.gob.es/" + strings.Repeat("servicios/", 60) + "?id=1&utm_source=x"
)

func scenes(t *testing.T) []scene {
	t.Helper()
	find, err := review.Filter{Search: "ayuda"}.Finder()
	if err != nil {
		t.Fatal(err)
	}
	list := mixed()
	queue := func(set func(q *pane.Queue)) viewer {
		return func(th *theme.Theme, width, height int) string {
			q := pane.NewQueue()
			q.SetFinder(find)
			q.SetPage(pane.Page{Items: list, Ends: pane.Ends{Start: true, End: true}})
			if set != nil {
				set(q)
			}
			return q.View(th, width, height, "nothing here")
		}
	}
	detail := func(data *review.Detail, set func(d *pane.Detail)) viewer {
		return func(th *theme.Theme, width, height int) string {
			d := &pane.Detail{}
			d.SetFinder(find)
			d.Set(data)
			if set != nil {
				set(d)
			}
			return d.View(th, width, height)
		}
	}
	preview := func(data *review.Detail) viewer {
		return func(th *theme.Theme, width, height int) string {
			d := &pane.Detail{Keyed: func(s string) string { return strings.ReplaceAll(s, "{open}", "enter") }}
			d.Set(data)
			return d.Preview(th, width, height)
		}
	}
	causes := func(set func(c *pane.Causes)) viewer {
		return func(th *theme.Theme, width, height int) string {
			c := newCauses()
			if set != nil {
				set(c)
			}
			return c.View(th, causeKeys, width, height)
		}
	}
	whole := [][2]int{{80, 120}, {50, 12}}
	return []scene{
		{"queue", queue(nil), [][2]int{{80, 13}, {130, 13}, {50, 5}, {50, 1}}},
		{"queue-records", queueOf(citedItems(), find), [][2]int{{66, 6}, {80, 6}, {88, 6}, {110, 6}, {59, 6}}},
		{"queue-marked", queue(func(q *pane.Queue) { q.Toggle(); q.Move(widget.Down); q.Toggle() }), small},
		{"queue-empty", func(th *theme.Theme, w, h int) string {
			q := pane.NewQueue()
			q.SetPage(pane.Page{})
			return q.View(th, w, h, "nothing here")
		}, small},
		{"queue-loading", func(th *theme.Theme, w, h int) string { return pane.NewQueue().View(th, w, h, "none") },
			small},
		{"detail", detail(everything(), func(d *pane.Detail) { d.SetAround(around()) }), whole},
		{"detail-trace", detail(everything(), func(d *pane.Detail) { d.ToggleTrace() }), [][2]int{{80, 60}}},
		{"detail-records", detail(citedDetail(0), nil), [][2]int{{80, 30}}},
		{"detail-many-places", detail(citedDetail(1), nil), [][2]int{{80, 40}}},
		{"detail-gone", detail(citedDetail(3), nil), [][2]int{{80, 16}}},
		{"preview-records", preview(citedDetail(0)), [][2]int{{80, 7}}},
		{"detail-rejected", detail(rejected(), nil), [][2]int{{80, 30}, {30, 12}}},
		{"detail-no-answer", detail(noAnswer(), nil), [][2]int{{80, 24}}},
		{"detail-long", detail(longDetail(), nil), [][2]int{{80, 40}, {40, 40}}},
		{"detail-long-whole", detail(longDetail(), func(d *pane.Detail) { d.ToggleCollapse() }), [][2]int{{80, 40}}},
		{"detail-none", detail(nil, func(d *pane.Detail) { d.Fail("URL 7 is gone") }), small},
		{"detail-probing", detail(rejected(), func(d *pane.Detail) { d.SetProbe(3, running()) }), [][2]int{{80, 20}}},
		{"detail-probed", detail(everything(), func(d *pane.Detail) { d.SetProbe(7, finished()) }), [][2]int{{80, 60}}},
		{"detail-probe-failed", detail(rejected(), func(d *pane.Detail) {
			d.SetProbe(3,
				&pane.Probe{Failed: "no network"})
		}),
			[][2]int{{80, 20}}},
		{"preview", preview(everything()), small},
		{"preview-long", preview(longDetail()), [][2]int{{80, 12}, {40, 6}}},
		{"causes", causes(nil), [][2]int{{80, 30}, {160, 40}, {80, 14}, {80, 12}, {80, 11}, {140, 12}}},
		{"causes-expanded", causes(func(c *pane.Causes) { c.Expand() }), [][2]int{{80, 20}, {160, 40}}},
		{"causes-narrowed", causes(func(c *pane.Causes) { c.Narrow(1); c.Narrow(1); c.Toggle(); c.Move(widget.Up) }),
			[][2]int{{80, 30}}},
		{"causes-second", causes(func(c *pane.Causes) { c.Narrow(1); c.Narrow(1) }), [][2]int{{80, 30}}},
		{"causes-unstudied", causes(func(c *pane.Causes) { c.Move(widget.Down) }), [][2]int{{80, 30}}},
		{"causes-failed", causes(func(c *pane.Causes) { c.Move(widget.Down); c.Fail("the disk is gone") }),
			[][2]int{{80, 30}}},
		{"causes-gone", causes(func(c *pane.Causes) { s := *c.Study(); s.Cause.N = 0; c.SetStudy(&s) }),
			[][2]int{{80, 30}}},
		{"causes-found", causes(func(c *pane.Causes) { c.Search("param utm") }), [][2]int{{80, 30}}},
		{"causes-none", causes(func(c *pane.Causes) { c.Search("zzz\u202e") }), small},
		{"causes-empty", causes(func(c *pane.Causes) { c.Set(nil) }), small},
		{"causes-loading", func(th *theme.Theme, w, h int) string {
			return (&pane.Causes{}).View(th, causeKeys, w,
				h)
		}, small},
		{"stats", func(th *theme.Theme, w, h int) string {
			var s pane.Stats
			s.Set(stats())
			return s.View(th, w, h)
		}, [][2]int{{160, 48}, {100, 60}, {60, 50}}},
		{"stats-hour", func(th *theme.Theme, w, h int) string {
			var s pane.Stats
			data := stats()
			data.LastHour = make([]int, 60)
			s.Set(data)
			return s.View(th, w, h)
		}, [][2]int{{60, 50}}},
		{"stats-empty", func(th *theme.Theme, w, h int) string {
			var s pane.Stats
			s.Set(&review.Stats{})
			return s.View(th, w, h)
		}, [][2]int{{60, 20}}},
		{"stats-loading", func(th *theme.Theme, w, h int) string { return (&pane.Stats{}).View(th, w, h) }, small},
		{"table", func(th *theme.Theme, w, h int) string {
			table := newTable(1, 2, 3)
			table.Move(widget.Down)
			return table.View(th, w, h)
		}, [][2]int{{30, 6}, {30, 3}, {30, 2}}},
		{"table-empty", func(th *theme.Theme, w, h int) string { return newTable().View(th, w, h) }, small},
	}
}

// mixed returns an item of each status.
func mixed() []review.Item {
	item := func(id int64, url string, s review.Status, codes ...canon.Code) review.Item {
		c := review.Computed{Canonical: url, Verdict: canon.Flagged, Flags: canon.SetOf(codes...)}
		return review.Item{ID: id, Rev: id * 10, Original: url, Status: s, Computed: c,
			Source: review.Source{Field: "portal_url"}}
	}
	list := []review.Item{
		item(1, "https://www.boe.es/ayudas/ayuda-1", review.Pending, canon.HomePage),
		item(2, "http://www.boe.es/"+strings.Repeat("a/", 60)+"ayuda", review.Pending, canon.UnknownParam,
			canon.HTTPOnly),
		item(3, "https://xn--be-fka.es/", review.Pending, canon.HomePage, canon.SuspiciousHost),
		item(4, "https://www.boe.es/d", review.Deferred, canon.NoSpanish),
		item(5, "https://www.boe.es/e", review.Accepted),
		item(6, "https://www.boe.es/f", review.Approved),
		item(7, "https://www.boe.es/g", review.Approved, canon.ChangedSinceApproval),
		item(8, "https://www.boe.es/h", review.Rejected),
		item(9, "mailto:a@boe.es", review.Pending),
		item(10, "https://www.boe.es/j", review.Pending),
		item(11, "https://www.boe.es/k", review.Accepted, canon.HomePage),
		item(12, "https://www.boe.es/l", review.Deferred),
		item(13, "https://www.boe.es/m", review.Pending, canon.UnknownParam),
	}
	list[1].Computed.Unknown = []string{"a_very_long_parameter"}
	list[5].Decision = &review.Decision{Kind: review.Approve, Canonical: "https://www.boe.es/f2", Reviewer: "ana",
		At: at}
	list[6].Decision = list[5].Decision
	list[8].Computed = review.Computed{Verdict: canon.Rejected, Reason: canon.UnsupportedScheme}
	return list
}

// citedItems are items cited by two records, by seven fields of one record, by none, and by none any more.
func citedItems() []review.Item {
	town := &review.Record{Number: 1, ID: "local-otra", Name: "Ayuntamiento de Otra con ayuda"}
	other := &review.Record{Number: 2, ID: "local-villa", Name: "Ayuntamiento de Villainventada"}
	at := func(r *review.Record, field, path string) review.Occurrence {
		return review.Occurrence{File: "/in/local.yaml", Citer: r.Number, Record: r, Field: field, Path: path}
	}
	list := append(mixed()[:1:1], mixed()[1:4]...)
	list[0].Occurrences = []review.Occurrence{at(town, "portal_url", "/sources/0/portal_url"),
		at(town, "sede_url", "/sources/0/sede_url"), at(other, "portal_url", "/sources/1/portal_url")}
	for i := range 7 {
		field := fmt.Sprintf("url_%d", i)
		list[1].Occurrences = append(list[1].Occurrences, at(other, field, "/sources/1/"+field))
	}
	list[2].Computed.Canonical = "https://una-sede-con-un-nombre-muy-largo.administracion.ejemplo.gob.es/a/b/c"
	list[2].Occurrences = list[0].Occurrences[:2]
	list[3].Presence = review.Gone
	list[3].Occurrences = []review.Occurrence{at(&review.Record{Number: 3, ID: "7"}, "url", "7:1")}
	list[3].Occurrences[0].Gone = true
	return append(list, mixed()[4])
}

func citedDetail(i int) *review.Detail {
	it := citedItems()[i]
	return &review.Detail{Item: it, Result: canon.Result{Canonical: it.Computed.Canonical, Verdict: canon.Flagged,
		Flags: []canon.Flag{{Code: canon.HomePage}}}, Files: map[string]string{"/in/local.yaml": "local.yaml"}}
}

func queueOf(list []review.Item, find *review.Finder) viewer {
	return func(th *theme.Theme, width, height int) string {
		q := pane.NewQueue()
		q.SetFinder(find)
		q.SetPage(pane.Page{Items: list, Ends: pane.Ends{Start: true, End: true}})
		return q.View(th, width, height, "")
	}
}

// everything is a URL with something in every section.
func everything() *review.Detail {
	it := mixed()[6]
	it.Title = "Ayudas a la vivienda"
	it.Occurrences = []review.Occurrence{{Citer: 1, File: "/in/in.csv", Field: "portal_url", Path: "12:1"}}
	decision := *it.Decision
	decision.Note = "ayuda buena"
	it.Decision = &decision
	yes := true
	ev := &canon.Evidence{
		Asked: "http://boe.es/g", Hops: []canon.Hop{{Status: 301, URL: "https://boe.es/g"},
			{Status: 302, URL: "http://boe.es/g"}},
		FinalURL: "https://www.boe.es/g", Status: 200, Title: "Ayudas", HTTPS: &yes, ContentType: "text/html",
		Size:      120,
		FetchedAt: "2026-03-01T10:00:00Z", Method: "http_get", TTLHours: 24, RetryAfter: "2026-03-02T00:00:00Z",
		Caveats: []string{"slow"}, LangVariants: map[string]string{"ca": "https://www.boe.es/ca/g"}, Robots: "allowed",
		ArchiveURL: "https://archive/g", ArchiveDate: "2020",
	}
	override := canon.Override{Match: canon.Match{Host: "boe.es", PathPrefix: "/g"}, DropQueryParams: []string{"a"},
		Note: "agreed"}
	return &review.Detail{
		Item: it, Evidence: ev, Files: map[string]string{"/in/in.csv": "in.csv"},
		Result: canon.Result{
			Canonical: "https://www.boe.es/g", Verdict: canon.Flagged, Language: "es", Policy: "gob@1",
			FragmentNote: "#top",
			Flags:        []canon.Flag{{Code: canon.HTTPOnly, Detail: "no HTTPS"}, {Code: canon.HomePage}},
			Pagination:   &canon.Pagination{Page: "2", Param: "p", TotalPages: 9}, UnknownParams: []string{"a", "b"},
			SpanishCandidate: "https://www.boe.es/es/g",
			LangVariants:     map[string]string{"eu": "https://www.boe.es/eu/g"},
			Trace: []canon.Entry{
				{Step: "scheme", Rule: 1, Before: "http://boe.es/g", After: "https://boe.es/g", Note: "HTTPS works"},
				{Step: "host", Before: "https://boe.es/g", After: "https://boe.es/g"},
			},
		},
		Notes: []review.Note{{At: at, Reviewer: "eva", Text: "una ayuda más"}},
		History: []review.PastDecision{{Decision: decision},
			{Decision: review.Decision{Kind: review.Reject, Reviewer: "eva", At: at}, Undone: true}},
		Overrides: []review.StoredOverride{{Override: override, Reviewer: "ana", At: at}},
		Twins:     mixed()[:1],
		Alternatives: []review.Alternative{{Label: "the final URL", URL: "https://www.boe.es/g2"},
			{Label: "as it came", URL: "http://boe.es/g", Raw: true}},
	}
}

func around() *review.Surroundings {
	before := canon.Override{Match: canon.Match{Host: "boe.es"}, Scheme: "http"}
	after := canon.Override{Match: canon.Match{Host: "boe.es"}, KeepQueryParams: []string{"a"}, Note: "needed"}
	change := func(before, after *canon.Override, undone bool) review.PastRule {
		return review.PastRule{OverrideChange: review.OverrideChange{Before: before, After: after}, Reviewer: "ana",
			At: at, Undone: undone}
	}
	return &review.Surroundings{Path: "/g", Near: mixed()[3:5], Rules: []review.PastRule{
		change(nil, &before, false), change(&before, &after, true), change(&before, nil, false),
	}}
}

func rejected() *review.Detail {
	it := review.Item{ID: 3, Original: "mailto:ayuda@boe.es", Status: review.Pending}
	return &review.Detail{Item: it, Result: canon.Result{
		Verdict: canon.Rejected, Reason: canon.UnsupportedScheme, Detail: "mailto",
		Pagination: &canon.Pagination{Page: "1", Param: "p"},
	}}
}

// noAnswer is a URL whose second redirect leads to where the first one did. The third one, of which nobody told the
// status, leads to no answer.
func noAnswer() *review.Detail {
	d := rejected()
	d.Result.Pagination = &canon.Pagination{TotalPages: 12}
	d.Evidence = &canon.Evidence{URL: "http://a", Error: "timeout", Hops: []canon.Hop{
		{Status: 301, URL: "http://b"}, {Status: 302, URL: "http://b"}, {URL: "http://c"},
	}}
	return d
}

// longDetail has a URL of many lines, of which the middle does not change.
func longDetail() *review.Detail {
	after := strings.Replace(strings.TrimSuffix(long, "&utm_source=x"), "http:", "https:", 1)
	it := review.Item{ID: 4, Original: long, Computed: review.Computed{Canonical: after}}
	return &review.Detail{Item: it, Result: canon.Result{Canonical: after, Flags: []canon.Flag{{Code: canon.HTTPOnly}}}}
}

// running is a probe with one answer, waiting for the next.
func running() *pane.Probe {
	p := &pane.Probe{Running: true}
	x := probe.Exchange{Method: "GET", URL: "https://boe.es/robots.txt", Status: 404, Purpose: "robots"}
	p.Take(probe.Event{Kind: probe.Asking, Exchange: x})
	p.Take(probe.Event{Kind: probe.Answered, Exchange: x})
	p.Take(probe.Event{Kind: probe.Answered,
		Exchange: probe.Exchange{Method: "HEAD", URL: "https://boe.es/", Error: "refused", Purpose: "host"}})
	p.Take(probe.Event{Kind: probe.Answered,
		Exchange: probe.Exchange{Method: "GET", URL: "https://a/", Status: 200, Purpose: "archive"}})
	p.Take(probe.Event{Kind: probe.Answered, Exchange: probe.Exchange{Method: "GET", URL: "https://b/", Status: 500}})
	p.Take(probe.Event{Kind: probe.Waiting, Wait: 1234 * time.Millisecond, Why: "delay between requests"})
	return p
}

func finished() *pane.Probe {
	r := &review.ProbeResult{}
	r.Report.Evidence = &canon.Evidence{Status: 200, Title: "Ayudas",
		Hops: []canon.Hop{{Status: 301, URL: "https://www.boe.es/g"}}}
	return &pane.Probe{Result: r}
}

var causeKeys = pane.CauseKeys{
	Fixes: map[cause.FixKind]string{cause.FixDrop: "d"}, Form: "o", Whole: "enter", Under: ">", Clear: "esc",
	Read: "tab", More: ".", Less: ",",
}

// newCauses returns a cause of each kind. The first is studied.
func newCauses() *pane.Causes {
	c := &pane.Causes{}
	host := cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "boe.es", Params: cause.NamesOf("a"), N: 30,
		Sole: 20, Hosts: 1}
	c.Set([]cause.Cause{
		host,
		{Kind: cause.ByField, Flag: canon.HomePage, Fields: cause.NamesOf("portal_url", "sede_url"), N: 12, Sole: 1,
			Hosts: 9},
		{Kind: cause.ByPath, Flag: canon.SectionPage, Path: "/temas", N: 5, Hosts: 3},
		{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "gob.es", Params: cause.NamesOf("utm\u202e"),
			N: 1, Sole: 1, Hosts: 1},
	})
	list := mixed()
	list[0].Title = "Ayudas"
	c.SetStudy(&cause.Study{
		Cause: host, Samples: list[:3], Under: []review.Bucket{{Value: "/temas", N: 20}, {Value: "/otros", N: 5}},
		Fixes: []cause.Fix{
			{Kind: cause.FixKeep, Title: "keep a on boe.es", Reasons: []string{"ana kept it before"}},
			{Kind: cause.FixDrop, Title: "drop a on boe.es",
				Reasons: []string{"the page is the same", "so says the canonical link"}, Recommended: true},
		},
	})
	c.SetSamples(pane.Page{Items: list[:3], Ends: pane.Ends{Start: true}})
	return c
}

func stats() *review.Stats {
	pace := review.Pace{Batches: 4, Decisions: 12, Active: 90 * time.Minute}
	return &review.Stats{
		Total: 100, Open: 30, Reviewed: 10, Statuses: map[review.Status]int{review.Pending: 30, review.Accepted: 60,
			review.Approved: 10},
		OpenFlags: map[canon.Code]int{canon.HomePage: 30, canon.HTTPOnly: 1},
		Hosts: []review.Bucket{{Value: "1"}, {Value: "2"}, {Value: "3"}, {Value: "4"}, {Value: "5"}, {Value: "6"},
			{Value: "7"}, {Value: "8"},
			{Value: "9"}, {Value: "ten", N: 30}, {Value: "eleven", N: 1}},
		DecisionCounts: []review.DecisionCount{{Reviewer: "ana", Day: "2026-02-28", Kind: review.Approve, N: 2},
			{Reviewer: "ana", Day: "2026-03-01", Kind: review.Approve, N: 3},
			{Reviewer: "luis", Day: "2026-03-01", Kind: review.Defer, N: 1}},
		Settled: review.Settled{Rules: 3, Single: 4, Bulk: 1}, Pace: pace, LastAt: at, LastHour: []int{0, 1, 8},
		Reviewers: []review.Paced{{Name: "ana", Pace: pace}},
		Days: []review.Paced{{Name: "2026-02-27", Pace: review.Pace{Decisions: 2}},
			{Name: "2026-03-01", Pace: pace}},
	}
}

func newTable(rows ...int) *pane.Table[int] {
	t := &pane.Table[int]{
		Head: func(width int) string { return fmt.Sprintf("head %d", width) },
		Row:  func(n, width int) string { return fmt.Sprintf("row %d of %d cells", n, width) },
		Same: func(a, b int) bool { return a == b }, Empty: "no rows",
	}
	t.Set(rows)
	return t
}

// TestDoubtfulSuggestion tells of the suggestions left out below those that are not recommended, finds these by the
// words that it shows, and says that a rule changes no stored URL.
func TestDoubtfulSuggestion(t *testing.T) {
	c := newCauses()
	doubtful := &suggest.Suggestion{Template: suggest.Template{Kind: suggest.DropParam, Host: "boe.es", Params: "a"},
		Tally: suggest.Tally{For: 12, Against: 3}}
	one := cause.Cause{Kind: cause.BySuggestion, Rule: "3fa2c1", Suggestion: doubtful, Hosts: 1}
	c.Set([]cause.Cause{{Kind: cause.ByPath, Flag: canon.SectionPage, Path: "/temas", N: 5, Hosts: 3}, one})
	c.LeaveOut(7)
	view := func() string { return c.View(theme.New(theme.Terminal{}), causeKeys, 120, 30) }
	const left = "and 7 more that too little speaks for: visto suggest --all"
	if got := view(); strings.Contains(got, left) {
		t.Errorf("at another cause:\n%s", got)
	}
	c.Search("suggested rule")
	c.SetStudy(&cause.Study{Cause: one, Warning: "h.es is not on the allowlist"})
	for _, want := range []string{left, "+12-3  suggested rule", "would change no URL that is stored now",
		"! h.es is not on the allowlist"} {
		if got := view(); !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}
