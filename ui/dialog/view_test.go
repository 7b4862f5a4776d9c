package dialog_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/tools/txtar"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
)

var update = flag.Bool("update", false, "write the golden views anew")

// golden holds each view as text, with its cursor and its clickable zones.
const golden = "../../testdata/view/dialog.txtar"

// TestViews compares the views of dialogs with golden ones: all states, and sizes with too little room.
func TestViews(t *testing.T) {
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var got []txtar.File
	for _, sc := range scenes() {
		for _, size := range append([][2]int{{80, 24}}, sc.sizes...) {
			d := sc.open()
			press(d, sc.keys...)
			name := fmt.Sprintf("%s-%dx%d", sc.name, size[0], size[1])
			got = append(got, txtar.File{Name: name, Data: []byte(drawn(d, size[0], size[1]))})
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

// drawn returns a view as text, with its cursor and its zones.
func drawn(d dialog.Dialog, width, height int) string {
	text, v := viewAt(d, width, height)
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if v.Cursor != nil {
		fmt.Fprintf(&b, "cursor %d,%d\n", v.Cursor.X, v.Cursor.Y)
	}
	for _, z := range v.Zones {
		fmt.Fprintf(&b, "zone %d,%d-%d %q %d %v\n", z.Y, z.From, z.To, z.Key, z.Row, z.Box)
	}
	return b.String()
}

// scene is a dialog in a state, drawn at 80x24 and at further sizes.
type scene struct {
	name  string
	open  func() dialog.Dialog
	keys  []string
	sizes [][2]int
}

const long = "https://www.ejemplo.gob.es/servicios/ayudas/vivienda/solicitudes/" +
	"formulario-de-solicitud?id=1234567890&lang=es"

var tiny = [][2]int{{40, 10}, {30, 6}}

func scenes() []scene {
	accepted := canon.Result{Canonical: "https://www.boe.es/b", Flags: []canon.Flag{{Code: canon.HomePage}}}
	same := canon.Result{Canonical: "https://www.boe.es/a"}
	refused := canon.Result{Verdict: canon.Rejected, Reason: canon.InvalidURL, Detail: "no host\x1b"}
	return []scene{
		{"choose", func() dialog.Dialog { return newChoose(nil) }, nil, tiny},
		{"choose-second", func() dialog.Dialog { return newChoose(&accepted) }, []string{"j"}, nil},
		{"choose-same", func() dialog.Dialog { return newChoose(&same) }, []string{"1"}, nil},
		{"choose-refused", func() dialog.Dialog { return newChoose(&refused) }, []string{"1"}, nil},
		{"columns", func() dialog.Dialog { return newColumns() }, nil, tiny},
		{"columns-changed", func() dialog.Dialog { return newColumns() }, []string{"l", "J", "down", "down", "space"},
			nil},
		{"confirm", func() dialog.Dialog { return newConfirm() }, nil, tiny},
		{"confirm-yes", func() dialog.Dialog { return newConfirm() }, []string{"tab"}, nil},
		{"confirm-one-url", func() dialog.Dialog {
			return &dialog.Confirm{Title: "Open", Lines: []string{long}, Yes: "Open"}
		}, nil, [][2]int{{120, 24}}},
		{"confirm-text", func() dialog.Dialog {
			return &dialog.Confirm{Title: "Quit", Text: newConfirm().Text, Yes: "Quit"}
		}, nil, [][2]int{{120, 24}}},
		{"confirm-busy", func() dialog.Dialog { return newConfirm() }, []string{"y"}, nil},
		{"confirm-failed", func() dialog.Dialog { return failed(newConfirm(), "the disk is full") }, nil, tiny},
		{"confirm-waiting", func() dialog.Dialog { return newConfirm().WithEffect() }, nil, tiny},
		{"confirm-effect", func() dialog.Dialog { return affected(newConfirm().WithEffect(), full()) }, nil,
			[][2]int{{120, 40}, {100, 30}, {100, 31}, {100, 32}, {100, 33}, {60, 16}, {40, 10}, {30, 6}}},
		{"confirm-decided", func() dialog.Dialog { return affected(newConfirm().WithEffect(), decided()) }, nil, tiny},
		{"confirm-running", func() dialog.Dialog { return affected(newConfirm().WithEffect(), running()) }, nil, tiny},
		{"confirm-nothing", func() dialog.Dialog { return affected(newConfirm().WithEffect(), nothing()) }, nil, tiny},
		{"confirm-no-effect", func() dialog.Dialog {
			return affected(newConfirm().WithEffect(), dialog.EffectState{Failed: "the rule is not valid"})
		}, nil, tiny},
		{"correct", func() dialog.Dialog { return newCorrect(nil) }, nil, tiny},
		{"correct-valid", func() dialog.Dialog { return newCorrect(&accepted) }, nil, nil},
		{"correct-refused", func() dialog.Dialog { return newCorrect(&refused) }, nil, nil},
		{"correct-failed", func() dialog.Dialog { return failed(newCorrect(&accepted), "someone else decided it") },
			nil, nil},
		{"facets", func() dialog.Dialog { return newFacets() }, nil, [][2]int{{50, 12}, {40, 8}}},
		{"facets-counted", func() dialog.Dialog { return counted(newFacets()) }, []string{"down", "space", "down", "!"},
			[][2]int{{50, 12}, {40, 8}}},
		{"facets-typed", func() dialog.Dialog { return counted(newFacets()) }, []string{"g", "o", "b"}, nil},
		{"facets-unknown", func() dialog.Dialog { return counted(newFacets()) }, []string{"x", "y", "z"}, nil},
		{"form", func() dialog.Dialog { return newForm() }, nil, [][2]int{{150, 40}, {60, 16}, {40, 10}}},
		{"form-chosen", func() dialog.Dialog { return affected(newForm(), full()) }, nil,
			[][2]int{{150, 40}, {140, 22}, {140, 18}, {60, 16}, {80, 19}}},
		{"form-wide", func() dialog.Dialog {
			e := running()
			e.Summary = strings.Repeat("x", 100)
			return affected(newForm(), e)
		}, nil, [][2]int{{150, 40}, {130, 20}}},
		{"form-half-spanish", func() dialog.Dialog {
			return dialog.NewForm(dialog.Suggestion{Host: "boe.es", Flags: []canon.Code{canon.NoSpanish}}, "save")
		}, []string{"down", "/es/"}, nil},
		{"form-hint", func() dialog.Dialog { return newForm() }, []string{"down", "right"}, nil},
		{"form-end", func() dialog.Dialog { return affected(newForm(), running()) }, []string{"up"},
			[][2]int{{150, 40}}},
		{"form-invalid", func() dialog.Dialog { return affected(newForm(), full()) },
			[]string{"down", "down", "down", "down", "down", "?", "?"}, [][2]int{{150, 40}}},
		{"form-text", func() dialog.Dialog { return affected(newForm(), running()) }, []string{"ctrl+t", "down"},
			[][2]int{{150, 40}, {60, 16}}},
		{"form-wrong-text", func() dialog.Dialog { return newForm() }, []string{"ctrl+t", "x", "ctrl+t"}, nil},
		{"form-saved", func() dialog.Dialog { return affected(newForm(), full()) }, []string{"ctrl+s"}, nil},
		{"form-failed", func() dialog.Dialog { return failed(newForm(), "someone changed it") }, nil, nil},
		{"form-edit", func() dialog.Dialog { return dialog.EditForm(everything(), "save") }, nil, [][2]int{{80, 60}}},
		{"form-flags", func() dialog.Dialog { return dialog.NewForm(flagged(), "save") }, nil, [][2]int{{80, 60}}},
		{"menu", func() dialog.Dialog { return newMenu(0) }, nil, tiny},
		{"menu-unchosen", func() dialog.Dialog { return newMenu(-1) }, nil, nil},
		{"menu-argument", func() dialog.Dialog { return newMenu(0) }, strings.Split("go to/7/7", "/"), nil},
		{"menu-blank-argument", func() dialog.Dialog { return newMenu(0) }, []string{"go", "space", "to", "space"},
			nil},
		{"menu-words", func() dialog.Dialog { return newMenu(0) }, []string{"url", "space", "all"}, nil},
		{"menu-none", func() dialog.Dialog { return newMenu(0) }, []string{"zzz"}, nil},
		{"menu-plain", func() dialog.Dialog {
			return (&dialog.Menu{Title: "Order", Hint: "sort",
				Rows: []dialog.Row{{Name: "host"}, {Name: "age"}}}).Start(1)
		}, nil, nil},
		{"prompt", func() dialog.Dialog { return newPrompt().With("a reason") }, nil, tiny},
		{"prompt-empty", func() dialog.Dialog { return newPrompt().With("") }, []string{"enter"}, nil},
		{"prompt-offering", func() dialog.Dialog { return offering().With("") }, nil, tiny},
		{"prompt-offered", func() dialog.Dialog { return offering().With("") }, []string{"4", "down", "down"}, tiny},
		{"reader", func() dialog.Dialog { return newReader() }, nil, tiny},
		{"reader-scrolled", func() dialog.Dialog { return newReader() }, []string{"j", "pgdown", "k"}, tiny},
		{"reader-safe", func() dialog.Dialog { return &dialog.Reader{Title: "Log", Text: `a\\b`, Safe: true} }, nil,
			nil},
		{"reader-parts", func() dialog.Dialog { return &dialog.Reader{Parts: newReader().Parts} }, nil, nil},
		{"reader-effect", func() dialog.Dialog {
			return affected((&dialog.Reader{Title: "Rule", Text: "drop utm_*"}).WithEffect(), full())
		}, nil, [][2]int{{110, 50}}},
		{"search", func() dialog.Dialog { return newSearch().With("boe") }, nil, tiny},
		{"search-found", func() dialog.Dialog {
			s := newSearch().With("boe")
			s.SetFound("3 of 1,204 URLs")
			return s
		}, nil, tiny},
		{"search-wrong", func() dialog.Dialog { return newSearch().With("") }, []string{"("}, nil},
		{"search-failed-long", func() dialog.Dialog { return failed(newSearch().With("a"), strings.Repeat("x", 90)) },
			nil, nil},
		{"search-failed", func() dialog.Dialog { return failed(newSearch().With(long), "the disk is gone") }, nil, nil},
	}
}

// failed returns the dialog with an error.
func failed[D interface {
	dialog.Dialog
	dialog.Failer
}](d D, why string) dialog.Dialog {
	d.Fail(why)
	return d
}

// affected returns the dialog with an effect.
func affected[D interface {
	dialog.Dialog
	dialog.EffectViewer
}](d D, e dialog.EffectState) dialog.Dialog {
	d.SetEffect(e)
	return d
}

// newColumns returns the choice of columns with two chosen ones and two attributes. It tells the columns to show.
func newColumns() *dialog.Columns {
	d := dialog.NewColumns([]review.Column{{Name: "record", Width: 30}, {Name: "url"}}, []string{"tier", "\x1b[2J"})
	d.Usual = func(string) int { return 16 }
	d.Show = func(list []review.Column) dialog.Action { return fmt.Sprint("show ", list) }
	d.Done = func(list []review.Column) dialog.Action { return fmt.Sprint("done ", list) }
	return d
}

// newChoose returns a choice of three URLs. The result is that of the first two.
func newChoose(r *canon.Result) dialog.Dialog {
	options := []dialog.Option{
		{Text: "the redirect", URL: "https://www.boe.es/b"}, {Text: "without www", URL: long},
		{Text: "as it came", URL: "x"},
	}
	c := dialog.NewChoose("https://www.boe.es/a", options, taken)
	if r == nil {
		return c
	}
	return previewed{c, *r}
}

// previewed answers each check at once with a result.
type previewed struct {
	*dialog.Choose
	result canon.Result
}

func (p previewed) Update(msg tea.Msg) dialog.Action {
	a := p.Choose.Update(msg)
	if check, ok := a.(dialog.Check); ok {
		p.SetCorrection(check.Text, review.Correction{Typed: check.Text, Result: p.result})
	}
	return a
}

func newConfirm() *dialog.Confirm {
	return &dialog.Confirm{
		Title: "Reject 2 URLs",
		Text:  []string{"They leave the queue. One undo takes them back into it, as they were before."},
		Lines: []string{long, "https://b.es/\u202e"}, Yes: "Reject", Do: "reject",
	}
}

// taken describes a correction that a dialog submits.
func taken(kind review.Kind, url string) dialog.Action { return fmt.Sprint(kind, " ", url) }

func newCorrect(r *canon.Result) *dialog.Correct {
	c := dialog.NewCorrect("https://www.boe.es/a", "https://www.boe.es/b", "item 7",
		taken)
	if r != nil {
		c.SetCorrection("https://www.boe.es/b", review.Correction{Typed: "https://www.boe.es/b", Result: *r})
	}
	return c
}

// full is an effect with all counts and a sample of each kind.
func full() dialog.EffectState {
	sample := func(id int64, before, after string, from, to review.Status) review.Sample {
		return review.Sample{ID: id, Before: before, After: after, StatusBefore: from, StatusAfter: to}
	}
	merged := sample(5, "https://h/5?a=1", "https://h/5", review.Pending, review.Accepted)
	merged.Merges = true
	return dialog.EffectState{
		Summary: "drop the parameter a on h and on all hosts below it, whatever their path is, " +
			"for it never changes the page",
		Done: true,
		Effect: &review.Effect{
			Total: 12345, Scanned: 12345, Settled: 1200, Changed: 30, Merged: 2, Approved: 1, Reopened: 4, Refused: 5,
			Cleared: map[canon.Code]int{canon.UnknownParam: 1200, canon.HomePage: 1},
			Raised:  map[canon.Code]int{canon.ChangedSinceApproval: 1},
			Samples: []review.Sample{
				sample(1, "https://h/1", "https://h/1", review.Pending, review.Accepted),
				sample(2, "https://h/2?a=1", "https://h/2", review.Pending, review.Accepted),
				sample(3, "https://h/3?a=1", "https://h/3", review.Pending, review.Accepted),
				sample(4, "https://h/4?a=1", "https://h/4", review.Approved, review.Approved), merged,
				sample(6, "https://h/6", "", review.Pending, review.Rejected),
				sample(7, "https://h/7?a=1", "https://h/7", review.Accepted, review.Pending),
			},
		},
	}
}

func decided() dialog.EffectState {
	return dialog.EffectState{Done: true, Effect: &review.Effect{Total: 2, Scanned: 2, Decided: 2, Settled: 2,
		Cleared: map[canon.Code]int{canon.HomePage: 2}}}
}

func running() dialog.EffectState {
	return dialog.EffectState{Effect: &review.Effect{Total: 4000, Scanned: 1000, Settled: 1,
		Raised: map[canon.Code]int{canon.HTTPOnly: 1}}}
}

func nothing() dialog.EffectState {
	return dialog.EffectState{Done: true, Effect: &review.Effect{Total: 1, Scanned: 1}}
}

func newFacets() *dialog.Facets {
	f := dialog.NewFacets([]string{"flag", "host", "parameter"}, []dialog.Facet{
		{Group: "host", Value: "old.es", N: 9, Choice: dialog.FacetWithout},
		{Group: "flag", Value: "home-page", Choice: dialog.FacetWith},
	})
	f.Apply = func(chosen []dialog.Facet) dialog.Action { return "apply " + names(chosen) }
	f.Recount = func(chosen []dialog.Facet) dialog.Action { return "count " + names(chosen) }
	f.Typed = func(text string) (dialog.Facet, bool) {
		return dialog.Facet{Group: "host", Value: text, N: -1}, strings.HasPrefix(text, "g")
	}
	return f
}

// names lists values with the sign of their choice.
func names(chosen []dialog.Facet) string {
	var list []string
	for _, x := range chosen {
		list = append(list, [...]string{"", "+", "-"}[x.Choice]+x.Value)
	}
	return strings.Join(list, " ")
}

func counted(f *dialog.Facets) *dialog.Facets {
	f.SetGroup("flag", []dialog.Facet{
		{Group: "flag", Value: "home-page", N: 12},
		{Group: "flag", Value: "http-only", Label: "HTTP only", N: 3, WantOnly: true},
	})
	f.SetGroup("host", []dialog.Facet{{Group: "host", Value: "boe.es", N: 1200},
		{Group: "host", Value: "a.gob.es", N: 2}})
	f.SetGroup("parameter", []dialog.Facet{{Group: "parameter", Value: "utm\u200b", N: 1}})
	return f
}

// newForm is the form for a URL with an unknown parameter of a long name, on a host that has an override.
func newForm() *dialog.Form {
	return dialog.NewForm(dialog.Suggestion{
		Host: "boe.es", Params: []string{"a", "a_very_long_parameter_name"},
		Flags:    []canon.Code{canon.UnknownParam, canon.HomePage},
		Rule:     canon.Override{DropQueryParams: []string{"a"}},
		Existing: &canon.Override{Match: canon.Match{Host: "boe.es"}}, By: "ana, 2026-01-02",
	}, "save")
}

// flagged suggests a rule for flags with fields of their own.
func flagged() dialog.Suggestion {
	return dialog.Suggestion{
		Host: "boe.es", Flags: []canon.Code{canon.HTTPOnly, canon.NoSpanish, canon.TrailingSlash, canon.HomePage},
		Spanish: canon.Prefixes{From: "/ca/", To: "/es/"},
		Rule:    canon.Override{Scheme: "http", TrailingSlash: "keep", Accept: []string{"home-page", "section-page"}},
	}
}

// everything is an override with every part.
func everything() canon.Override {
	return canon.Override{
		Match: canon.Match{Host: "h.es", PathPrefix: "/p"}, Scheme: "http", TrailingSlash: "keep",
		CanonicalHost:   "www.h.es",
		DropQueryParams: []string{"a", "b*"}, KeepQueryParams: []string{"c"}, PaginationParams: []string{"page"},
		NotPaginationParams: []string{"p"}, Spanish: &canon.Prefixes{From: "/ca/", To: "/es/"},
		RewriteRules: []canon.Rewrite{{FromPrefix: "https://h.es/a", ToPrefix: "https://h.es/b"},
			{FromPrefix: "https://h.es/c", ToPrefix: "https://h.es/d"}},
		Accept: []string{"home-page"}, Note: "agreed",
	}
}

func newMenu(at int) *dialog.Menu {
	return (&dialog.Menu{Title: "Commands", Hint: "run", Rows: []dialog.Row{
		{Key: "a", Name: "Approve",
			Text: "approve the URL as it is computed, or as it stands corrected, and go on to the next one", Do: "a"},
		{Key: "*", Name: "Mark all", Text: "all URLs", Do: "mark"},
		{Key: "g", Name: "Go to", Args: "NUMBER", Text: "a URL",
			Take: func(s string) dialog.Action { return "to " + s }},
		{Key: "ctrl+r", Name: "Redo", Text: "bring back", Do: "redo"},
	}}).Start(at)
}

func newPrompt() *dialog.Prompt {
	return &dialog.Prompt{
		Title: "Reject", About: strings.Repeat(long+" ", 4), Hint: "why it cannot be cited",
		Empty: "a reason is needed", Yes: "reject",
		Key: "reject 7", Do: func(text string) dialog.Action { return text },
	}
}

// offering is a prompt with texts to choose from, two of them hostile.
func offering() *dialog.Prompt {
	p := newPrompt()
	p.About, p.Choices = long, []string{"no longer there", "404 \x1b[2J", strings.Repeat("a long reason ", 9)}
	p.Recent = []string{"no longer there", "moved\u202e"}
	return p
}

func newReader() *dialog.Reader {
	text := "first\n  indented " + strings.Repeat("word ", 30) + "\n"
	for i := range 30 {
		text += fmt.Sprintf("line %d\n", i)
	}
	return &dialog.Reader{Title: "Entry", Text: text,
		Parts: []dialog.Part{{Head: "head\x1b", Text: "a\nb"}, {Head: "next", Text: "c"}}}
}

func newSearch() *dialog.Search {
	return &dialog.Search{Hint: "words, host:boe.es", Check: func(text string) error {
		if strings.Contains(text, "(") {
			return errors.New("no ( \x1b")
		}
		return nil
	}}
}
