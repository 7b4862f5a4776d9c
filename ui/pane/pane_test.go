package pane_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/read"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// The advice on a page in another language names what leads to the Spanish one in the case at hand.
func TestAdviceOnAnotherLanguage(t *testing.T) {
	const page = "https://sede.ejemplo.gob.es/"
	for _, test := range []struct{ url, spanish, want, lacks string }{
		{page + "ca/alta", page + "es/alta", "{override} leads all paths", "No Spanish page"},
		{page + "alta?lang=ca", page + "alta?lang=es", "{choose-another-url} takes the URL", "{override}"},
		{page + "alta", "", "No Spanish page is known: {pages-to-cite}", "{override}"},
	} {
		got := pane.Advice(canon.NoSpanish, &canon.Result{Canonical: test.url, SpanishCandidate: test.spanish})
		if !strings.Contains(got, test.want) || strings.Contains(got, test.lacks) {
			t.Errorf("%s: %q", test.url, got)
		}
	}
}

func TestEveryFlagHasAdvice(t *testing.T) {
	for _, c := range canon.Codes() {
		if pane.Advice(c, &canon.Result{}) == "" {
			t.Errorf("%s has no advice", c)
		}
	}
}

func TestDoesNamesEveryFieldOfAnOverride(t *testing.T) {
	whole := canon.Override{
		Match: canon.Match{Host: "h", PathPrefix: "/p"}, Scheme: "Scheme", TrailingSlash: "TrailingSlash",
		DropQueryParams: []string{"DropQueryParams"}, KeepQueryParams: []string{"KeepQueryParams"},
		PaginationParams: []string{"PaginationParams"}, NotPaginationParams: []string{"NotPaginationParams"},
		CanonicalHost: "CanonicalHost", Spanish: &canon.Prefixes{From: "Spanish", To: "x"},
		RewriteRules: []canon.Rewrite{{FromPrefix: "RewriteRules", ToPrefix: "y"}}, Accept: []string{"Accept"},
	}
	text := pane.Does(whole)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[canon.Override]()) {
		if f.Name != "Match" && f.Name != "Note" && !strings.Contains(text, f.Name) {
			t.Errorf("%s is not named: %s", f.Name, text)
		}
	}
	if pane.Does(canon.Override{}) != "nothing" || whole.Match.String() != "h/p" {
		t.Error("the empty override, or the match")
	}
}

func items(ids ...int64) []review.Item {
	var list []review.Item
	for _, id := range ids {
		list = append(list, review.Item{ID: id, Rev: id * 10})
	}
	return list
}

func TestMarksStayWithTheirItems(t *testing.T) {
	q := pane.NewQueue()
	q.SetPage(pane.Page{Items: items(1, 2, 3), Ends: pane.Ends{Start: true, End: true}})
	q.Toggle()
	q.Move(widget.Down)
	q.Toggle()
	q.SetPage(pane.Page{Items: items(3, 4), Jump: true, Ends: pane.Ends{Start: true, End: true}})
	got := q.Marked()
	if len(got) != 2 || got[0] != (review.Target{ID: 1, Rev: 10}) || got[1] != (review.Target{ID: 3, Rev: 30}) {
		t.Errorf("marked: %+v", got)
	}
	q.Toggle()
	if q.Marks() != 1 {
		t.Errorf("%d marks", q.Marks())
	}
}

func TestPosition(t *testing.T) {
	q := pane.NewQueue()
	q.SetTotal(100)
	q.SetPage(pane.Page{Items: items(5, 6, 7), Focus: 1, Jump: true})
	if q.Position() != 0 {
		t.Errorf("in the middle: %d", q.Position())
	}
	q.SetPage(pane.Page{Items: items(5, 6, 7), Focus: 1, Jump: true, Ends: pane.Ends{End: true}})
	if q.Position() != 99 {
		t.Errorf("near the end: %d", q.Position())
	}
}

// A day without work is a dot, a small value is not, and the largest is a whole column.
func TestSparkline(t *testing.T) {
	list := pane.DailyDecisions([]review.Paced{
		{Name: "2026-02-27", Pace: review.Pace{Decisions: 1000}}, {Name: "2026-03-02", Pace: review.Pace{Decisions: 1}},
		{Name: "2026-03-03", Pace: review.Pace{Decisions: 500}},
	})
	if !reflect.DeepEqual(list, []int{1000, 0, 0, 1, 500}) {
		t.Errorf("by day: %v", list)
	}
	if got := pane.Sparkline(list); got != "█··▁▄" {
		t.Errorf("sparkline %q", got)
	}
	if got := pane.Sparkline(nil) + pane.Sparkline([]int{0, 1}); got != "·█" {
		t.Errorf("of little: %q", got)
	}
}

func TestActive(t *testing.T) {
	for d, want := range map[time.Duration]string{
		29 * time.Second: "0 min", 30 * time.Second: "1 min", time.Hour - time.Second: "1 h 00 min",
		125 * time.Minute: "2 h 05 min",
	} {
		if got := pane.Active(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// The scroll bar never tells a place that is not known.
func TestScrollBarOfTheQueue(t *testing.T) {
	th := theme.New(theme.Terminal{})
	var ids []int64
	for id := range int64(20) {
		ids = append(ids, id+1)
	}
	for _, test := range []struct {
		name  string
		ends  pane.Ends
		total int
		focus int
		want  string
	}{
		{"whole", pane.Ends{Start: true, End: true}, -1, 0, "█│││"},
		{"whole, and counted before that", pane.Ends{Start: true, End: true}, 4000, 19, "│││█"},
		{"start", pane.Ends{Start: true}, 4000, 0, "█│││"},
		{"start, not counted", pane.Ends{Start: true}, -1, 10, "↑││↓"},
		{"start, counted when there were fewer", pane.Ends{Start: true}, 20, 10, "↑││↓"},
		{"end", pane.Ends{End: true}, 4000, 19, "│││█"},
		{"end, not counted", pane.Ends{End: true}, -1, 19, "↑│││"},
		{"middle", pane.Ends{}, 4000, 10, "↑││↓"},
		{"middle, at the first of the items", pane.Ends{}, 4000, 0, "↑││↓"},
	} {
		q := pane.NewQueue()
		q.SetPage(pane.Page{Items: items(ids...), Focus: test.focus, Jump: true, Ends: test.ends})
		q.SetTotal(test.total)
		bar := ""
		for _, line := range strings.Split(ansi.Strip(q.View(th, 60, 4, "")), "\n") {
			bar += string([]rune(line)[59:])
		}
		if bar != test.want {
			t.Errorf("%s: %q, not %q", test.name, bar, test.want)
		}
	}
	q := pane.NewQueue()
	q.SetPage(pane.Page{Items: items(1, 2), Ends: pane.Ends{Start: true, End: true}})
	if text := ansi.Strip(q.View(th, 60, 4, "")); strings.ContainsAny(text, "│█↑↓") {
		t.Errorf("a bar beside a list that fits:\n%s", text)
	}
}

// A table of which only a part is loaded tells its place if its length is known.
func TestScrollBarOfATable(t *testing.T) {
	th := theme.New(theme.Terminal{})
	for total, want := range map[int]string{5: "│███", 500: "│█││", -1: "↑││↓"} {
		table := pane.Table[int]{
			Head: func(int) string { return "" }, Row: func(int, int) string { return "x" },
			Same: func(a, b int) bool { return a == b }, Total: func([]int) int { return total },
		}
		table.Set([]int{1, 2, 3, 4, 5})
		table.View(th, 10, 5)
		table.Move(widget.Bottom)
		bar := ""
		for _, line := range strings.Split(ansi.Strip(table.View(th, 10, 5)), "\n")[1:] {
			bar += string([]rune(line)[9:])
		}
		if bar != want {
			t.Errorf("of %d: %q, not %q", total, bar, want)
		}
	}
}

// columned is a queue with chosen columns, drawn without styles.
func columned(t *testing.T, list []review.Item, width int, columns string) []string {
	t.Helper()
	chosen, err := review.ParseColumns(columns)
	if err != nil {
		t.Fatal(err)
	}
	q := pane.NewQueue()
	q.SetColumns(chosen)
	q.SetPage(pane.Page{Items: list, Ends: pane.Ends{Start: true, End: true}})
	lines := strings.Split(ansi.Strip(q.View(theme.New(theme.Terminal{}), width, len(list)+1, "")), "\n")
	for _, line := range lines {
		if term.Width(line) != width {
			t.Errorf("%d cells in %d: %q", term.Width(line), width, line)
		}
	}
	return lines
}

func TestColumns(t *testing.T) {
	list := citedItems()
	list[0].Occurrences[0].Record.Attributes = []read.Attribute{{Name: "tier", Values: []string{"1", "2"}}}
	list[0].Computed.Host = "www.boe.es"
	const all = "attr:tier 6, record, field, file, host, url, flag"
	for _, test := range []struct {
		columns string
		width   int
		want    []string // the head, and the first row
	}{
		{all, 160, []string{"tier   record                           field            file                 host ",
			"1 +1   Ayuntamiento de O…a con ayuda +1 portal_url +1    local.yaml           www.boe.es "}},
		{all, 100, []string{
			"tier   record         field      file         host           url                            +1",
			"1 +1   Ayunta…yuda +1 port…rl +1 local.yaml   www.boe.es     www.boe.es/ayudas/ayuda-1"}},
		{"flag, url", 60, []string{"flag                    url", "home-page               www.boe.es/ayudas/ayuda-1"}},
		{"flag, url, record, host", 66, []string{"flag               url                        record      +1",
			"home-page          www.boe.es/ayudas/ayuda-1  Ayunta…yuda +1"}},
		{"flag, url, record", 40, []string{"url                             +2", "www.boe.es/ayudas/ayuda-1"}},
		{"record, flag", 40, []string{"record         flag", "Ayunta…yuda +1 home-page"}},
	} {
		lines := columned(t, list, test.width, test.columns)
		if !strings.HasPrefix(lines[0], "      "+test.want[0]) || !strings.HasPrefix(lines[1], "▌ ?   "+test.want[1]) {
			t.Errorf("%s in %d:\n%s", test.columns, test.width, strings.Join(lines[:2], "\n"))
		}
	}
}

// Every width is kept to, whatever the texts: wide characters, controls, names without end.
func TestColumnsOfHostileTexts(t *testing.T) {
	evil := "統計\x1b[2J\u202e\r\u0301👩‍👧" + strings.Repeat("長", 3000)
	r := &review.Record{Number: 1, Name: evil, Attributes: []read.Attribute{{Name: evil, Values: []string{evil, "x"}}}}
	it := review.Item{ID: 1, Original: "https://h/" + evil, Occurrences: []review.Occurrence{
		{File: "/" + evil, Citer: 1, Record: r, Field: evil}, {File: "/" + evil, Citer: 1, Record: r, Field: "y"}}}
	it.Computed = review.Computed{Canonical: it.Original, Host: evil, Verdict: canon.Flagged,
		Flags: canon.SetOf(canon.UnknownParam), Unknown: []string{evil}}
	columns := "record 4, flag 5, url, field, file 7, host 9, attr:" + evil
	for width := 30; width < 130; width++ {
		for _, line := range columned(t, []review.Item{it, it}, width, columns) {
			if strings.ContainsAny(line, "\x1b\r\u202e") {
				t.Fatalf("%q", line)
			}
		}
	}
}

// A row of many parameters keeps its host: where they do not fit, they are counted, and named below.
func TestManyParametersAreCounted(t *testing.T) {
	one := cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam, Host: "www.zaragoza.es", Hosts: 1, N: 4, Sole: 4,
		Params: cause.NamesOf("convocatoria", "expediente", "modo")}
	for width, want := range map[int]string{
		80: "3 parameters on www.zaragoza.es", 100: "convocatoria, expediente, modo on www.zaragoza.es",
	} {
		var c pane.Causes
		c.Set([]cause.Cause{one})
		text := c.View(theme.New(theme.Terminal{}), causeKeys, width, 24)
		row := strings.Split(ansi.Strip(text), "\n")[1]
		if !strings.Contains(row, " "+want) {
			t.Errorf("%d cells: the row is %q, want %q", width, row, want)
		}
		if !strings.Contains(ansi.Strip(text), "convocatoria, expediente, modo on www.zaragoza.es") {
			t.Errorf("%d cells: the parameters are not named:\n%s", width, text)
		}
	}
}
