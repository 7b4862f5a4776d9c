package pane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/probe"
	"visto/ui/pane"
	"visto/ui/theme"
	"visto/ui/widget"
)

// page returns a page of the items from first to last with the cursor on focus.
func page(first, last, focus int64, ends pane.Ends) pane.Page {
	var ids []int64
	for id := first; id <= last; id++ {
		ids = append(ids, id)
	}
	return pane.Page{Items: items(ids...), Focus: int(focus - first), Jump: true, Ends: ends}
}

// here returns the ID of the item under the cursor, 0 for none.
func here(q *pane.Queue) int64 {
	if it := q.Current(); it != nil {
		return it.ID
	}
	return 0
}

// place describes a requested place.
func place(p pane.Place, ok bool) string {
	switch {
	case !ok:
		return ""
	case p.Anchor != nil:
		return fmt.Sprintf("%d end=%v jump=%v", p.Anchor.ID, p.End, p.Jump)
	}
	return fmt.Sprintf("end=%v jump=%v", p.End, p.Jump)
}

// TestQueueRequestsPages checks which moves request a page, around which item.
func TestQueueRequestsPages(t *testing.T) {
	for _, test := range []struct {
		name string
		page pane.Page
		move widget.Motion
		want string
		id   int64
	}{
		{"far from both edges", page(1, 200, 100, pane.Ends{}), widget.Down, "", 101},
		{"one before the margin", page(1, 200, 119, pane.Ends{}), widget.Down, "", 120},
		{"at the margin", page(1, 200, 120, pane.Ends{}), widget.Down, "121 end=false jump=false", 121},
		{"one after the upper margin", page(1, 200, 82, pane.Ends{}), widget.Up, "", 81},
		{"at the upper margin", page(1, 200, 81, pane.Ends{}), widget.Up, "80 end=false jump=false", 80},
		{"at the start of the list", page(1, 200, 81, pane.Ends{Start: true}), widget.Up, "", 80},
		{"at the end of the list", page(1, 200, 120, pane.Ends{End: true}), widget.Down, "", 121},
		{"to the start", page(1, 200, 100, pane.Ends{End: true}), widget.Top, "end=false jump=true", 100},
		{"to the end", page(1, 200, 100, pane.Ends{Start: true}), widget.Bottom, "end=true jump=true", 100},
		{"to the kept start", page(1, 200, 100, pane.Ends{Start: true}), widget.Top, "", 1},
		{"to the kept end", page(1, 200, 100, pane.Ends{End: true}), widget.Bottom, "", 200},
	} {
		q := pane.NewQueue()
		q.SetPage(test.page)
		if got := place(q.Move(test.move)); got != test.want || here(q) != test.id {
			t.Errorf("%s: requests %q at %d, want %q at %d", test.name, got, here(q), test.want, test.id)
		}
	}
}

// TestQueueRequestsOnePageAtATime checks that no page is requested twice.
func TestQueueRequestsOnePageAtATime(t *testing.T) {
	q := pane.NewQueue()
	if got := place(q.Wants()) + place(q.Fill(10)); got != "" {
		t.Errorf("before the first page: %q", got)
	}
	q.SetPage(page(1, 10, 5, pane.Ends{}))
	if got := place(q.Wants()); got != "5 end=false jump=false" {
		t.Errorf("near both edges: %q", got)
	}
	if got := place(q.Wants()) + place(q.Fill(20)); got != "" {
		t.Errorf("while one is requested: %q", got)
	}
	q.Failed()
	if got := place(q.Fill(11)); got != "5 end=false jump=false" {
		t.Errorf("after a failure: %q", got)
	}
	q.SetPage(page(1, 10, 5, pane.Ends{Start: true}))
	if got := place(q.Fill(10)); got != "" {
		t.Errorf("with enough rows: %q", got)
	}
	q.SetPage(page(1, 10, 5, pane.Ends{Start: true, End: true}))
	if got := place(q.Wants()) + place(q.Fill(20)); got != "" {
		t.Errorf("with the whole list: %q", got)
	}
	q.SetPage(pane.Page{})
	if p, ok := q.Wants(); !ok || p != (pane.Place{}) || here(q) != 0 {
		t.Errorf("without items: %+v, %v", p, ok)
	}
}

// TestPageKeepsTheCursor checks where the cursor goes when a page arrives.
func TestPageKeepsTheCursor(t *testing.T) {
	q := pane.NewQueue()
	q.SetPage(page(1, 100, 50, pane.Ends{}))
	q.View(theme.New(theme.Terminal{}), 80, 10, "") // the cursor is in line 0
	for range 3 {
		q.Move(widget.Down)
	}
	next := page(30, 130, 80, pane.Ends{})
	next.Jump = false
	q.SetPage(next)
	if again, _ := q.Click(3); !again || here(q) != 53 || q.Kept() != 101 {
		t.Errorf("the cursor is on %d of %d", here(q), q.Kept())
	}
	none := page(200, 240, 210, pane.Ends{})
	none.Jump = false
	q.SetPage(none)
	if again, _ := q.Click(3); !again || here(q) != 210 {
		t.Errorf("without any of its items the cursor is on %d", here(q))
	}
	if again, hit := q.Click(0); again || !hit || here(q) != 207 {
		t.Errorf("a click on the first line: %v, %v, on %d", again, hit, here(q))
	}
	gone := page(220, 260, 250, pane.Ends{}) // requested before the cursor moved
	gone.Jump = false
	if q.SetPage(gone); here(q) != 220 {
		t.Errorf("without its item the cursor is on %d", here(q))
	}
}

// The newer key wins: while the page of one end is on its way, a key to the other end asks for a page too, though its
// items are here.
func TestJumpBeforeAPageArrives(t *testing.T) {
	for _, c := range []struct {
		at     pane.Ends
		to, or widget.Motion
		want   pane.Place
	}{
		{pane.Ends{Start: true}, widget.Bottom, widget.Top, pane.Place{Jump: true}},
		{pane.Ends{End: true}, widget.Top, widget.Bottom, pane.Place{End: true, Jump: true}},
	} {
		q := pane.NewQueue()
		q.SetPage(page(1, 100, 50, c.at))
		if p, ok := q.Move(c.or); ok && p.Jump {
			t.Errorf("at the end: asks for %+v", p)
		}
		q.Move(c.to)
		if p, ok := q.Move(c.or); !ok || p != c.want {
			t.Errorf("back before the page: %+v, %v, want %+v", p, ok, c.want)
		}
		q.Failed()
		if p, ok := q.Move(c.or); ok && p.Jump {
			t.Errorf("after a failure: asks for %+v", p)
		}
	}
}

func TestPositionWithoutATotal(t *testing.T) {
	q := pane.NewQueue()
	if q.Position() != 0 || q.Total() != -1 {
		t.Errorf("empty: %d of %d", q.Position(), q.Total())
	}
	q.SetPage(page(1, 9, 4, pane.Ends{End: true}))
	if q.Position() != 0 {
		t.Errorf("at an unknown place: %d", q.Position())
	}
	q.SetTotal(0)
	if q.Position() != -5 { // the total is behind the page
		t.Errorf("with a late total: %d", q.Position())
	}
	q.SetPage(page(1, 9, 4, pane.Ends{Start: true}))
	if q.Position() != 4 {
		t.Errorf("near the start: %d", q.Position())
	}
}

// marked lists the marked items as the rows of the queue show them.
func marked(q *pane.Queue) string {
	var list []string
	for line := range strings.SplitSeq(q.View(theme.New(theme.Terminal{}), 80, 12, ""), "\n") {
		list = append(list, map[bool]string{true: "*", false: "."}[strings.Contains(line, "*")])
	}
	return strings.TrimRight(strings.Join(list, "")[:min(q.Kept(), 12)], " ")
}

// byID is the order of a range.
func byID(a, b *review.Item) int { return int(a.ID - b.ID) }

// TestMarkAll marks a filter and takes single items out.
func TestMarkAll(t *testing.T) {
	q := pane.NewQueue()
	q.SetPage(page(1, 5, 2, pane.Ends{Start: true, End: true}))
	q.Toggle()
	q.MarkAll(review.Filter{UpTo: 4, NotIDs: []int64{9}}, 20)
	if got := marked(q); got != "****." || q.Marks() != 20 || len(q.Marked()) != 0 {
		t.Errorf("%s, %d marks", got, q.Marks())
	}
	if !q.Toggle() || marked(q) != "**.*." || q.Marks() != 19 || here(q) != 4 { // from 3
		t.Errorf("%s, %d marks, on %d", marked(q), q.Marks(), here(q))
	}
	if f := q.MarkedFilter(); !slices.Equal(f.NotIDs, []int64{9, 3}) || f.UpTo != 4 {
		t.Errorf("the filter is %+v", f)
	}
	q.Move(widget.Up)
	if q.Toggle(); q.Marks() != 20 {
		t.Errorf("marked again: %d", q.Marks())
	}
	q.Move(widget.Down)
	if q.Toggle() || q.Marks() != 20 {
		t.Error("an item above UpTo is not selected")
	}
	q.SetAllCount(1)
	if q.Marks() != 1 || q.AllMarked() == nil {
		t.Errorf("%d marks", q.Marks())
	}
	p := page(1, 5, 1, pane.Ends{Start: true, End: true})
	p.All = map[int64]bool{2: true}
	if q.SetPage(p); marked(q) != ".*..." || q.Toggle() {
		t.Errorf("of a page in which the filter selects one: %s", marked(q))
	}
	if q.ClearMarks(); marked(q) != "....." || q.Marks() != 0 || q.AllMarked() != nil {
		t.Errorf("cleared: %s", marked(q))
	}
}

// TestMarksByID marks single items.
func TestMarksByID(t *testing.T) {
	q := pane.NewQueue()
	if !q.Toggle() || q.Marks() != 0 {
		t.Error("an empty queue has nothing to mark")
	}
	q.AddMarks([]review.Target{{ID: 3, Rev: 30}, {ID: 2, Rev: 20}, {ID: 8, Rev: 80}})
	q.Seen(review.Target{ID: 3, Rev: 31})
	q.Seen(review.Target{ID: 4, Rev: 41})
	q.Unmark(8, 9)
	if got := q.Marked(); !slices.Equal(got, []review.Target{{ID: 2, Rev: 20}, {ID: 3, Rev: 31}}) {
		t.Errorf("marked: %+v", got)
	}
	if f := q.MarkedFilter(); !slices.Equal(f.IDs, []int64{2, 3}) {
		t.Errorf("the filter is %+v", f)
	}
}

// TestRange extends a range in both directions.
func TestRange(t *testing.T) {
	q := pane.NewQueue()
	if q.StartRange(byID); q.AllMarked() != nil {
		t.Error("a range without items")
	}
	if _, _, ok := q.Range(); ok {
		t.Error("there is no range yet")
	}
	q.SetPage(page(1, 5, 3, pane.Ends{Start: true, End: true}))
	q.StartRange(byID)
	was := *q
	for _, step := range []struct {
		move        widget.Motion
		first, last int64
		marks       string
	}{{widget.Down, 3, 4, "..**."}, {widget.Up, 3, 3, "..*.."}, {widget.Up, 2, 3, ".**.."},
		{widget.Top, 1, 3, "***.."}} {
		q.Move(step.move)
		first, last, ok := q.Range()
		if !ok || first.ID != step.first || last.ID != step.last || marked(q) != step.marks {
			t.Errorf("%d to %d, %s; want %d to %d, %s", first.ID, last.ID, marked(q), step.first, step.last, step.marks)
		}
	}
	q.DropRange()
	q.AddMarks([]review.Target{{ID: 5, Rev: 50}})
	if got := marked(q); got != "....*" {
		t.Errorf("dropped: %s", got)
	}
	if q.Restore(was); here(q) != 3 || marked(q) != "..*.*" {
		t.Errorf("restored: on %d, %s", here(q), marked(q))
	}
}

// name returns the text of the cause under the cursor.
func name(c *pane.Causes) string {
	cause, ok := c.Current()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s %s%s %d/%d", cause.Flag, cause.Host+cause.Fields.String(), cause.Path, cause.N, cause.Sole)
}

// TestCausesNarrow narrows a cause to its paths and back.
func TestCausesNarrow(t *testing.T) {
	c := newCauses()
	for _, step := range []struct {
		by   int
		ok   bool
		want string
	}{
		{-1, false, "unknown-param boe.es 30/20"}, {1, true, "unknown-param boe.es/temas 20/20"},
		{1, true, "unknown-param boe.es/otros 5/5"}, {1, false, "unknown-param boe.es/otros 5/5"},
		{-1, true, "unknown-param boe.es/temas 20/20"},
	} {
		if ok := c.Narrow(step.by); ok != step.ok || name(c) != step.want {
			t.Errorf("by %d: %v, %s; want %v, %s", step.by, ok, name(c), step.ok, step.want)
		}
	}
	studied, _ := c.Current()
	studied.N, studied.Sole = 19, 3
	if c.SetStudy(&cause.Study{Cause: studied}); name(c) != "unknown-param boe.es/temas 19/3" || c.Study() == nil {
		t.Errorf("studied: %s", name(c))
	}
	if c.Move(widget.Down); name(c) != "home-page portal_url, sede_url 12/1" || c.Narrow(1) || c.Study() != nil {
		t.Errorf("moved: %s", name(c))
	}
}

// TestCausesSet checks where the cursor goes when the causes change.
func TestCausesSet(t *testing.T) {
	c := newCauses()
	if !c.Loaded() || c.Len() != 4 {
		t.Fatalf("%d causes", c.Len())
	}
	all := c.Place()
	list := []cause.Cause{}
	for range 4 {
		cause, _ := c.Current()
		list = append(list, cause)
		c.Move(widget.Down)
	}
	c.Restore(all)
	c.Move(widget.Down)
	c.Toggle() // the second one, moves to the third
	c.Toggle() // the third one, moves to the fourth
	c.Move(widget.Up)
	fewer := []cause.Cause{list[0], list[1], list[3]}
	fewer[2].N = 7
	if c.Set(fewer); name(c) != "unknown-param gob.es 7/1" {
		t.Errorf("after its cause left: %s", name(c))
	}
	if got := c.Chosen(); len(got) != 1 || !got[0].Same(list[1]) {
		t.Errorf("marked: %+v", got)
	}
	if !c.Unmark() || c.Unmark() {
		t.Error("there was one mark")
	}
	if got := c.Chosen(); len(got) != 1 || !got[0].Same(list[3]) {
		t.Errorf("without marks: %+v", got)
	}
	if c.Set(list[:2]); name(c) != "home-page portal_url, sede_url 12/1" {
		t.Errorf("after the last causes left: %s", name(c))
	}
	c.Set(list)
	c.Restore(all)
	if name(c) != "unknown-param boe.es 30/20" {
		t.Errorf("restored: %s", name(c))
	}
	if c.Set([]cause.Cause{list[1], list[0], list[2]}); name(c) != "unknown-param boe.es 30/20" {
		t.Errorf("in another order: %s", name(c))
	}
	if c.Set(nil); name(c) != "" || c.Chosen() != nil {
		t.Errorf("without causes: %s", name(c))
	}
	if c.Toggle(); c.Unmark() {
		t.Error("nothing can be marked")
	}
}

// TestCausesSearch searches by the words of the names.
func TestCausesSearch(t *testing.T) {
	c := newCauses()
	place := c.Place()
	for text, want := range map[string]int{
		"": 4, "  ": 4, "boe": 1, "ON boe.es": 1, "param": 2, "PORTAL": 1, "temas": 1, "unknown utm": 1,
		"boe temas": 0, "hosts": 2,
	} {
		c.Search(text)
		if c.Len() != want || c.Searched() != text {
			t.Errorf("%q finds %d, want %d", text, c.Len(), want)
		}
	}
	c.Search("")
	find := c.Finder("portal")
	was, _ := c.Current()
	c.Set([]cause.Cause{was})
	if c.Show(find()); c.Len() != 0 { // found in the causes before
		t.Errorf("%d causes", c.Len())
	}
	c.Set(nil)
	if c.Show(find()); c.Len() != 0 {
		t.Errorf("%d causes", c.Len())
	}
	c.Restore(place)
	if c.Searched() != "" {
		t.Errorf("restored the search %q", c.Searched())
	}
}

// TestCausesSearchFolds searches without accents and case, for both ways in which a name is searched.
func TestCausesSearchFolds(t *testing.T) {
	for _, named := range []cause.Cause{
		{Kind: cause.ByHost, Host: "boe.es", Params: cause.NamesOf("Sesio\u0301n")},
		{Kind: cause.ByHost, Host: "boe.es", Path: "/Sesi\u00f3n"},
	} {
		c := newCauses()
		c.Set([]cause.Cause{named})
		for text, want := range map[string]int{"sesion": 1, "SESI\u00d3N boe": 1, "sesiones": 0} {
			if c.Search(text); c.Len() != want {
				t.Errorf("%q finds %d of %s, want %d", text, c.Len(), named.String(), want)
			}
		}
	}
}

// TestCausesClick clicks below the head.
func TestCausesClick(t *testing.T) {
	c := newCauses()
	c.View(theme.New(theme.Terminal{}), causeKeys, 80, 8)
	c.Narrow(1)
	for _, click := range []struct {
		y          int
		again, hit bool
	}{{0, false, false}, {1, true, true}, {2, false, true}, {2, true, true}, {5, false, false}} {
		if again, hit := c.Click(click.y); again != click.again || hit != click.hit {
			t.Errorf("line %d: %v, %v", click.y, again, hit)
		}
	}
	if name(c) != "home-page portal_url, sede_url 12/1" {
		t.Errorf("on %s", name(c))
	}
}

// TestTable moves, appends and reloads.
func TestTable(t *testing.T) {
	table := newTable(1, 2, 3, 4)
	table.View(theme.New(theme.Terminal{}), 40, 3) // two rows
	for _, step := range []struct {
		move widget.Motion
		row  int
		end  bool
	}{{widget.Down, 2, false}, {widget.Down, 3, true}, {widget.Bottom, 4, true}, {widget.Up, 3, true},
		{widget.Top, 1, false}} {
		end := table.Move(step.move)
		if row, ok := table.Current(); !ok || row != step.row || end != step.end {
			t.Errorf("row %d, near the end %v; want %d, %v", row, end, step.row, step.end)
		}
	}
	table.Append([]int{5, 6})
	if last, ok := table.Last(); !ok || last != 6 || table.Len() != 6 {
		t.Errorf("the last of %d is %d", table.Len(), last)
	}
	table.Move(widget.Bottom)
	if table.Set([]int{7, 6, 5}); table.Len() != 3 {
		t.Errorf("%d rows", table.Len())
	}
	if row, _ := table.Current(); row != 6 {
		t.Errorf("the cursor is on %d", row)
	}
	if again, hit := table.Click(0); again || hit {
		t.Error("a click on the head")
	}
	table.Set(nil)
	_, current := table.Current()
	if _, last := table.Last(); current || last {
		t.Error("an empty table has a row")
	}
}

// TestDetailSections scrolls by sections and keeps the place of the same item.
func TestDetailSections(t *testing.T) {
	d := &pane.Detail{}
	th := theme.New(theme.Terminal{})
	first := func() string {
		for line := range strings.SplitSeq(d.View(th, 80, 8), "\n") {
			if line = strings.TrimSpace(visible(line)); line != "" {
				return line
			}
		}
		return ""
	}
	d.Set(everything())
	top := first()
	for _, step := range []struct {
		by   int
		want string
	}{
		{1, "Cited by"}, {1, "Why it is here"}, {-1, "Cited by"}, {-1, top}, {-1, top},
	} {
		d.Section(step.by)
		if got := first(); !strings.HasPrefix(got, step.want) {
			t.Errorf("by %d: %q, want %q", step.by, got, step.want)
		}
	}
	if above, below := d.More(); above || !below {
		t.Errorf("at the top: %v, %v", above, below)
	}
	d.Scroll(widget.Bottom)
	end := first()
	if above, below := d.More(); !above || below {
		t.Errorf("at the bottom: %v, %v", above, below)
	}
	if d.Set(everything()); first() != end {
		t.Error("the same item does not stay scrolled")
	}
	if id, rev := d.ID(); id != 7 || rev != 70 {
		t.Errorf("item %d, revision %d", id, rev)
	}
	if d.Set(rejected()); first() == end || d.Around() != nil {
		t.Error("another item starts at its top")
	}
	if long, again := d.ToggleTrace(), d.ToggleTrace(); !long || again {
		t.Error("the trace")
	}
	if collapsed, again := d.ToggleCollapse(), d.ToggleCollapse(); collapsed || !again {
		t.Error("the long URLs")
	}
}

// TestLines checks that the text for other commands has the long trace and no styles.
func TestLines(t *testing.T) {
	text := strings.Join(pane.Lines(everything(), 80), "\n")
	if strings.Contains(text, "\x1b") || !strings.Contains(text, "(rule 1)") ||
		!strings.Contains(text, "choose-another-url takes one") {
		t.Errorf("%s", text)
	}
}

// TestOutcome checks the consequences of an answer.
func TestOutcome(t *testing.T) {
	computed := func(url string, v canon.Verdict, codes ...canon.Code) review.Item {
		return review.Item{Computed: review.Computed{Canonical: url, Verdict: v, Reason: canon.InvalidURL,
			Flags: canon.SetOf(codes...)}}
	}
	report := probe.Report{Evidence: &canon.Evidence{Status: 404, Title: "x", ArchiveURL: "https://a",
		Hops: make([]canon.Hop, 2)}}
	for want, r := range map[string]review.ProbeResult{
		"nothing else than was known":                                            {Report: report},
		"404 after 2 redirects, and there is a copy in the web archive; nothing": {Report: report},
		"; raised: http-only, home-page": {Report: report,
			After: computed("", canon.Flagged, canon.HTTPOnly, canon.HomePage)},
		"; cleared: http-only": {Report: report,
			Before: computed("", canon.Flagged, canon.HTTPOnly)},
		"; the canonical URL is https://b": {
			Report: report, Before: computed("https://a", 0), After: computed("https://b", 0)},
		"; the URL is rejected: invalid-url": {
			Report: report, Before: computed("https://a", 0), After: computed("", canon.Rejected)},
		"not before 2026-03-01 10:30: busy": {Postponed: &review.Postponed{Until: at, Why: "busy"}},
	} {
		if got := pane.Outcome(&r); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// TestEvidenceFields checks the fields whose text depends on more than one value.
func TestEvidenceFields(t *testing.T) {
	yes, no := true, false
	fetched := canon.Evidence{FetchedAt: "2026-03-01T10:00:00Z", Method: "http_get", TTLHours: 1}
	for _, test := range []struct {
		ev   canon.Evidence
		now  time.Time
		want []pane.Field
	}{
		{canon.Evidence{}, at, nil},
		{canon.Evidence{HTTPS: &yes, Size: 9}, at,
			[]pane.Field{{Name: "HTTPS", Value: "works"}, {Name: "size", Value: "9 bytes"}}},
		{canon.Evidence{HTTPS: &no, Size: 9, Truncated: true}, at,
			[]pane.Field{{Name: "HTTPS", Value: "does not work"}, {Name: "size", Value: "more than 9 bytes"}}},
		{canon.Evidence{URL: "a", FinalURL: "u", Status: 200, TotalPages: 2, PDFPages: 3}, at,
			[]pane.Field{{Name: "final URL", Value: "u"}, {Name: "status", Value: "200"}, {Name: "pages", Value: "3"}}},
		{canon.Evidence{URL: "a", FinalURL: "u", Hops: []canon.Hop{{Status: 301, URL: "u"}}}, at,
			[]pane.Field{{Name: "asked", Value: "a"}, {Name: "301 →", Value: "u"}}},
		{canon.Evidence{URL: "a", Hops: []canon.Hop{{URL: "u"}}}, at, // of a link check
			[]pane.Field{{Name: "asked", Value: "a"}, {Name: "not told →", Value: "u"}}},
		{fetched, time.Time{},
			[]pane.Field{{Name: "fetched", Value: "2026-03-01T10:00:00Z by http get, good until 2026-03-01 11:00"}}},
		{fetched, at, []pane.Field{
			{Name: "fetched", Value: "2026-03-01T10:00:00Z by http get, 30 minutes ago, good until 2026-03-01 11:00"}}},
		{fetched, at.Add(31 * time.Minute), []pane.Field{{Name: "fetched",
			Value: "2026-03-01T10:00:00Z by http get, 1 hour ago, stale"}}},
		{canon.Evidence{FetchedAt: "long ago"}, at, []pane.Field{{Name: "fetched", Value: "long ago"}}},
	} {
		if got := pane.EvidenceFields(&test.ev, test.now); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %+v, want %+v", test.ev, got, test.want)
		}
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		59 * time.Second: "less than a minute ago", time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "1 day ago", 48 * time.Hour: "2 days ago",
	} {
		if got := pane.Ago(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	if got := pane.Share(1, 0) + pane.Share(2, 3) + pane.Share(3, 3); got != "0 %67 %100 %" {
		t.Errorf("%q", got)
	}
}
