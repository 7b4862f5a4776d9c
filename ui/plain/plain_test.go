package plain_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
	"visto/ui/plain"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

// desk returns a desk on a new database with some URLs.
func desk(t *testing.T, urls ...string) *review.Desk {
	t.Helper()
	found := make([]review.Found, len(urls))
	for i, url := range urls {
		found[i].URL = url
	}
	return deskOf(t, found...)
}

func deskOf(t *testing.T, found ...review.Found) *review.Desk {
	t.Helper()
	d := deskAt(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	add(t, d, found...)
	return d
}

// deskAt opens the database at the path, for a reviewer.
func deskAt(t *testing.T, path, reviewer string) *review.Desk {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	store, err := sqlitetest.Open(t.Context(), path, sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d, err := review.Open(t.Context(), store, reviewer, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func add(t *testing.T, d *review.Desk, found ...review.Found) {
	t.Helper()
	_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for _, f := range found {
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var urls = []string{
	"https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte",
	"https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=sur",
	"https://www.sepe.es",
	"https://www.boe.es/\u202eabc/\x1b[31m?x=1",
}

// spelled is a URL of which there are other forms to choose from.
const spelled = "http://www.boe.es/buscar/%e1/?z=1"

// plainly runs commands and returns the output.
func plainly(t *testing.T, d *review.Desk, commands ...string) string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(commands, "\n"))
	if err := plain.Run(t.Context(), d, plain.Options{In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("hostile text comes through: %q", out.String())
	}
	return out.String()
}

// A rejection or a correction of a URL that several records cite asks for whom it is.
func TestPlainAlone(t *testing.T) {
	t.Parallel()
	var found []review.Found
	for _, id := range []string{"imv", "paro"} {
		r := &read.Record{Path: "/" + id, ID: id, Name: "Name of " + id}
		place := read.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}
		found = append(found, review.Found{URL: urls[0], Record: r, Place: place})
	}
	d := deskOf(t, found...)
	out := plainly(t, d, "r gone", "x", "r gone", strings.Repeat("2", 2<<20), "r gone", "2", "open",
		"e https://sede.ejemplo.gob.es/tramites/cita-previa", "1", "u", "r all", "0", "log 1")
	for _, want := range []string{"2 records cite this URL.\n0: for all of them\n1: for imv: Name of imv alone\n",
		"Nothing was written.\n", "at most 1048576 are read.\nNothing was written.\n",
		"rejected: URL 1 for paro: Name of paro alone.",
		"cita-previa for imv: Name of imv alone.", "rejected for this record alone by ana", "rejected: URL 1.",
		"in the place of 1 decision for one record"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		commands []string
		want     []string
		statuses []review.Status
	}{
		"approve": {[]string{"a", "q"},
			[]string{"Flag unknown-param", "approved: URL 1", "URL 2, pending. waiting: 3 URLs."},
			[]review.Status{review.Approved, review.Pending}},
		"reject": {[]string{"r", "r gone"},
			[]string{"a rejection needs a reason", "or a number: 1 for “not a public body”", "rejected: URL 1"},
			[]review.Status{review.Rejected, review.Pending}},
		"defer and undo and redo": {[]string{"d", "u", "redo", "redo"},
			[]string{"deferred: URL 1", "took back: defer, 1 URL", "brought back: defer, 1 URL",
				"nothing to bring back"},
			[]review.Status{review.Deferred, review.Pending}},
		"correct": {[]string{"e", "e ftp://x", "e https://sede.ejemplo.gob.es/tramites/cita-previa"},
			[]string{"which URL?", "cannot be cited: unsupported-scheme", "corrected and approved: URL 1"},
			[]review.Status{review.Approved, review.Pending}},
		"rule, not sure": {[]string{"o drop", "no"},
			[]string{"drop plaza on sede.ejemplo.gob.es", "Nothing was written"}, []review.Status{review.Pending}},
		"rule": {[]string{"o drop plaza", "yes"},
			[]string{"It concerns 2 URLs", "saved: 2 URLs settled", "URL 3, pending"},
			[]review.Status{review.Accepted, review.Accepted}},
		"rule for a host": {[]string{"override spanish /ca/", "override fly",
			`override {"match":{"host":"sede.ejemplo.gob.es"},"drop_query_params":["plaza"]}`, "y"},
			[]string{"spanish wants 2 words after it", "there is no rule \"fly\"", "It concerns 2 URLs.",
				"Settled: 2.", "Before: https://sede.ejemplo", "saved: 2 URLs settled"}, nil},
		"marks, decided together": {[]string{"mark", "next", "m", "approve-marked", "no", "A", "yes", "undo",
			"reject-marked", "R gone", "y", "yes"},
			[]string{"1 URL is marked", "2 URLs are marked", "Approve 2 URLs? yes or no: Nothing was written",
				"approved: 2 URLs", "took back: approve, 2 URLs",
				"nothing is marked: mark marks"}, []review.Status{review.Pending, review.Pending}},
		"marks by number, note, clear": {[]string{"mark 1 3", "note-on-marked ask them", "yes", "A", "y", "clear",
			"mark x"},
			[]string{"2 URLs are marked", "noted on 2 URLs", "approved: 2 URLs", "No URL is marked",
				`"x" is no number`}, []review.Status{review.Approved, review.Pending, review.Approved}},
		"mark the URLs shown": {[]string{"search sepe", "mark-all", "facets none", "search", "defer-marked", "y",
			"f status deferred", "reopen"},
			[]string{"with “sepe”: 1 URL", "1 URL is marked", "Put off 1 URL?", "deferred: 1 URL", "deferred: 1 URL.",
				"reopened: URL 3"}, []review.Status{review.Pending, review.Pending, review.Pending}},
		"search by a pattern": {[]string{"search re:^https://www[.]s.pe", "facets none", "search re:(sepe", "search"},
			[]string{"1 URL", "URL 3, pending", "at character 1: missing closing )"}, nil},
		"redo is asked about": {[]string{"*", "A", "y", "u", "d", "no", "redo", "u", "d", "yes", "redo"},
			[]string{"After this it can no longer be brought back: approve, 4 URLs", "Nothing was written",
				"brought back: approve, 4 URLs", "deferred: URL 1", "nothing to bring back"},
			[]review.Status{review.Deferred, review.Pending}},
		"redo of one is told": {[]string{"a", "u", "d"},
			[]string{"After this it can no longer be brought back: approve, 1 URL.", "deferred: URL 1"},
			[]review.Status{review.Deferred}},
		"facets": {[]string{"facets", "facets flag home-page", "facets flag nonsense", "facets colour red",
			"facets host", "facets none", "facets host -sede.ejemplo.gob.es"},
			[]string{"flag unknown-param: 3.", "host sede.ejemplo.gob.es: 2.", "waiting, home-page: 1 URL.",
				`nothing has the flag "nonsense"`, `there is no group "colour"`, "which value?",
				"waiting: 4 URLs", "URL 3, pending"}, nil},
		"the reason of an order": {[]string{"sort -doubt", "sort doubt"},
			[]string{"Order: pasted-text and 2 more: the page has to be read",
				"Order: unknown-param: one answer settles all that are alike"}, nil},
		"sort, list, go": {[]string{"sort -id", "list 2", "go 2", "go x", "go 99", "sort so", "list 0"},
			[]string{"URL 4, pending", "3, home-page: https://www.sepe.es", "2, unknown-param (plaza): https://sede",
				"URL 2, pending", "a number is wanted", "not found", `no order "so"`, "no count"}, nil},
		"go where nothing is shown": {[]string{"search nowhere", "go 2", "a"},
			[]string{"Nothing matches", "URL 2, pending. waiting, with “nowhere”: 0 URLs.", "approved: URL 2"},
			[]review.Status{review.Pending, review.Approved}},
		"trace, rules": {[]string{"next", "next", "next", "trace", "rules"},
			[]string{"Step path.", "Flag unknown-param", "Rule 3: Query Parameters -- Strip Tracking Params"}, nil},
		"causes": {[]string{"cause 1 drop", "causes", "cause 9 drop", "cause 1 fly", "cause 1 map", "cause 1 drop",
			"no", "cause 1 reject", "cause 1 drop", "yes"},
			[]string{"causes tells them first",
				"1: unknown-param, plaza on sede.ejemplo.gob.es. 2 URLs; to decide it settles 2.",
				"which cause? A number", "name a fix: keep, drop", "map does not settle this cause",
				"Nothing was written", "a rejection needs a reason", "saved: 2 URLs settled"},
			[]review.Status{review.Accepted, review.Accepted, review.Pending}},
		"cause rejected": {[]string{"causes", "urls 1", "cause 1 reject closed down", "yes"},
			[]string{"pending, unknown-param, parameter plaza, sede.ejemplo.gob.es: 2 URLs", "URL: https://sede",
				"reject: ", "Decided together: 2.", "rejected: 2 URLs"},
			[]review.Status{review.Rejected, review.Rejected, review.Pending}},
		"overrides": {[]string{"overrides", "o drop", "y", "overrides", "remove-override 7", "remove-override 1", "y"},
			[]string{"no overrides yet", "1: sede.ejemplo.gob.es: drop plaza. By ana", "which override?",
				"remove the override for sede.ejemplo.gob.es", "Back in the queue: 2.", "2 back in the queue"},
			[]review.Status{review.Pending, review.Pending}},
		"views": {[]string{"search sepe", "views save mine", "facets none", "search", "views", "views mine",
			"views none such", "views delete mine"},
			[]string{"saved as a view: mine", "mine: waiting, with “sepe”", "URL 3, pending",
				`there is no view "none such"`, "the view is deleted: mine"}, nil},
		"choose, related": {[]string{"next", "next", "choose-another-url", "c 9", "related", "prev", "related"},
			[]string{"Nothing else is known that could be cited", "which one?", "No other URL of this page",
				"1, near it, pending: https://sede"}, nil},
		"choose": {[]string{"next", "next", "next", "next", "c", "c 1"},
			[]string{"1: ", "corrected and approved: URL 5"}, nil},
		"log, stats": {[]string{"a", "log", "undo-batch x", "undo-batch 2", "no", "undo-batch 2", "y", "stats"},
			[]string{"ana: approve URL 1", "which batch?", "Take back batch 2?", "took back: approve, 1 URL",
				"4 URLs in all.", "4 wait for a person.", "Status pending: 4.", "Flag unknown-param, waiting: 3."},
			[]review.Status{review.Pending}},
		"stats, pace": {[]string{"o drop", "y", "a", "stats"},
			[]string{"Settled by rules and evidence: 2. By decisions on one URL: 1. By decisions on many at once: 0.",
				"Batches for each settled URL: 0.67.",
				"decisions: 1, batches: 2, active time: 1 min, decisions a minute: 1.0. Active time is",
				"2026-11-21: decisions: 1, "}, nil},
		"no rule": {[]string{"o", "o fly x", "o accept no-such-flag"},
			[]string{"which rule?", "there is no rule", "no-such-flag"}, []review.Status{review.Pending}},
		"accept": {[]string{"next", "next", "o accept home-page", "y"},
			[]string{"accept home-page on www.sepe.es", "saved: 1 URL settled"}, nil},
		"move": {[]string{"prev", "next", "prev"},
			[]string{"This is the first one", "URL 2, pending", "URL 1, pending"}, nil},
		"hostile": {[]string{"next", "next", "next", "show", "\x1b[31m"},
			[]string{`\u{202e}abc/\x1b[31m`, `no command \x1b[31m`}, nil},
		"note, show": {[]string{"n", "n ask them", "show"},
			[]string{"the note is empty", "noted on URL 1", "Notes", "ask them"}, nil},
		"help": {[]string{"?", "what"},
			[]string{"reject or r REASON: reject the URL.", "approve or a: approve the URL as shown.",
				"There is no command what"}, nil},
		"to the end": {[]string{"a", "a", "a", "a", "a", "show"},
			[]string{"Nothing waits for a person any more", "there is no URL here"},
			[]review.Status{review.Approved, review.Approved, review.Approved, review.Approved}},
		"nothing to undo": {[]string{"u"}, []string{"there is nothing to take back"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desk(t, urls...)
			if name == "choose" {
				d = desk(t, append(urls[:4:4], spelled)...)
			}
			said := plainly(t, d, tc.commands...)
			for _, want := range tc.want {
				if !strings.Contains(said, want) {
					t.Errorf("it did not say %q:\n%s", want, said)
				}
			}
			for i, want := range tc.statuses {
				det, err := d.Detail(t.Context(), int64(i+1))
				if err != nil || det.Item.Status != want {
					t.Errorf("URL %d is %s, not %s (%v)", i+1, det.Item.Status, want, err)
				}
			}
		})
	}
}

// The line mode tells the proposals before the rules. Another person than the author can confirm one.
func TestPlainProposals(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "visto.db")
	ana := deskAt(t, path, "ana")
	add(t, ana, review.Found{URL: urls[2]})
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml", Data: []byte("second_look: [home-page]\n")})
	if err == nil {
		_, _, err = ana.Recanon(t.Context(), policy)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := plainly(t, ana, "o accept home-page", "y", "overrides", "confirm-proposal 3", "confirm-proposal 1")
	berta := deskAt(t, path, "berta")
	out += plainly(t, berta, "confirm-proposal 3", "n", "o drop x", "y", "overrides", "confirm-proposal 3", "u",
		"confirm-proposal 3", "y", "y", "overrides")
	for _, want := range []string{"proposed: another person has to confirm it",
		"Batch 3, 1 of 2: accept home-page on www.sepe.es. Proposed by ana, 2026-11-21 09:00.\n",
		"you proposed it: another person has to confirm it. undo-batch 3 takes it back", "which proposal?",
		"09:00.\n1: www.sepe.es: drop x. By berta", "the rule has changed since it was proposed",
		"The rule: accept home-page", "Nothing was written",
		"saved: 1 URL settled", "1: www.sepe.es: accept home-page. By berta"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
}

// A URL that waits for a second person is no more work of the first one, and is that of another.
func TestPlainWaitsForAnotherPerson(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	ana := deskAt(t, path, "ana")
	add(t, ana, review.Found{URL: urls[2]})
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml", Data: []byte("second_look: [home-page]\n")})
	if err == nil {
		_, _, err = ana.Recanon(t.Context(), policy)
	}
	if err != nil {
		t.Fatal(err)
	}
	const half = "Nothing waits for you: 1 URL for the approval of another person."
	if out := plainly(t, ana, "a", "q"); !strings.Contains(out, half) {
		t.Errorf("%s", out)
	}
	out := plainly(t, ana, "facets", "mark-all", "q")
	if !strings.Contains(out, "status waiting: 0.") || !strings.Contains(out, "No URL is marked.") ||
		strings.Contains(out, "flag home-page: 1.") {
		t.Errorf("%s", out)
	}
	out = plainly(t, deskAt(t, path, "berta"), "a", "q")
	if !strings.Contains(out, "URL 1, pending, 1 of 2 (ana)") || !strings.Contains(out, "Nothing waits for a person") {
		t.Errorf("%s", out)
	}
}

// Spec 13: the line mode tells the records that cite a URL and the places where it stands, goes through the URLs of a
// record, and has the attributes of records among its facets.
func TestRecords(t *testing.T) {
	at := func(r *read.Record, field, url string) review.Found {
		return review.Found{URL: url, Record: r, Place: read.Place{File: "/data/local.yaml", Field: field,
			Path: r.Path + "/" + field}}
	}
	of := func(id, name, tier string) *read.Record {
		return &read.Record{Path: "/" + id, ID: id, Name: name,
			Attributes: []read.Attribute{{Name: "tier", Values: []string{tier}}}}
	}
	villa, otra := of("villa", "Villainventada\x1b[31m", "1"), of("otra", "Otra", "2")
	const shared, own = "https://www.villa.es/", "https://sede.villa.es/"
	d := deskOf(t, at(villa, "portal_url", shared), at(otra, "portal_url", shared), at(villa, "sede_url", own),
		at(otra, "sede_url", "https://sede.otra.es/"), review.Found{URL: "https://www.sepe.es/"})
	for _, tc := range []struct {
		commands []string
		want     []string
	}{
		{[]string{"list 2"}, []string{"2, home-page, off-allowlist: https://sede.villa.es, cited by villa: Vill"}},
		{[]string{"show"}, []string{"Cited by: local.yaml:/villa/portal_url (portal_url) villa: Villa",
			"Cited by: local.yaml:/otra/portal_url (portal_url) otra: Otra", "Note: two records cite this URL"}},
		{[]string{"go 2", "b", "list"}, []string{"all, the same record: 2 URLs", "cited by villa"}},
		{[]string{"go 4", "b"}, []string{"no record cites this URL: it stands in plain text"}},
		{[]string{"b"}, []string{"the same record: 3 URLs"}},
		{[]string{"facets"}, []string{"attribute tier=1: 2.", "attribute tier=2: 2.", "field sede_url: 2."}},
		{[]string{"facets attribute tier=2", "facets attribute tier=1", "facets attribute -tier=1"},
			[]string{"waiting, tier=2: 2 URLs", "waiting, tier=2 or 1: 3 URLs", "tier=2 or 1, not tier=1: 1 URL"}},
		{[]string{"facets", "facets file local.yaml", "facets file -local.yaml"},
			[]string{"\nfile local.yaml: 3.\n", "waiting, /data/local.yaml: 3 URLs", "not /data/local.yaml"}},
		{[]string{"facets attribute tier"}, []string{`nothing has the attribute "tier"`}},
		{[]string{"facets attribute tierx=1", "facets host https://www.villa.es/"},
			[]string{`no record has an attribute "tierx": there are tier`,
				`"https://www.villa.es/" is no host; did you mean www.villa.es?`}},
	} {
		said := plainly(t, d, tc.commands...)
		for _, want := range tc.want {
			if !strings.Contains(said, want) {
				t.Errorf("%v did not say %q:\n%s", tc.commands, want, said)
			}
		}
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := plain.Text(t.Context(), desk(t, urls...), &out, 60); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 of 4 URLs wait for a person; 0 reviewed", "1  unknown-param (plaza)",
		"  - https://www.boe.es/\\u{202e}abc", "`visto` opens the console"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 61 && strings.HasPrefix(line, "  ") {
			t.Errorf("%d cells: %q", len(line), line)
		}
	}
}

// The columns choose the facts of list, and a view keeps them.
func TestPlainColumns(t *testing.T) {
	t.Parallel()
	r := &read.Record{Path: "/imv", ID: "imv", Name: "Ingreso\x1b[2J", Attributes: []read.Attribute{
		{Name: "tier", Values: []string{"1"}}}}
	place := read.Place{File: "r.yaml", Field: "url", Path: r.Path + "/url"}
	d := deskOf(t, review.Found{URL: urls[0]}, review.Found{URL: urls[1], Record: r, Place: place})
	out := plainly(t, d, "columns", "columns record, url 9", "columns flag, record, attr:tier, url", "list",
		"views save t", "columns usual", "list", "views t", "columns")
	for _, want := range []string{"Columns of list: the usual ones.\n", "Not done: the column url takes no width",
		`2, unknown-param (plaza); record Ingreso\x1b[2J; attr:tier 1; https://sede.ejemplo.gob.es/`,
		"2, unknown-param (plaza): https://sede", "Columns of list: flag, record, attr:tier, url.\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
}

// Lines share URLs out, and find them again.
func TestPlainAssign(t *testing.T) {
	t.Parallel()
	d := desk(t, urls...)
	out := plainly(t, d, "assign ana, b\x1ben", "y", "assign ana", "facets assignee mine", "list", "facets",
		"assign none", "y", "assign none", "assign")
	for _, want := range []string{"ana: 2 URLs, 2 of them new.\n", `b\x1ben: `, "Assign 4 URLs? ",
		"assigned: 4 URLs (ana 2, b\\x1ben 2).\n", "Not done: 4 URLs are assigned already: none takes that back",
		"assignee mine: 2.\n", "assignee ana: 2.\n", "assignee none: 0.\n",
		"took back the assignments of 2 URLs.\n", "Not done: nothing is assigned here",
		"Not done: name the reviewers to share out to"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
}

// The columns of the configuration are the reviewer's own: a view does not keep them for others.
func TestPlainColumnsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	d := desk(t, urls...)
	var out bytes.Buffer
	opts := plain.Options{In: strings.NewReader("columns\nviews save t\n"), Out: &out,
		Columns: []review.Column{{Name: "host"}}}
	if err := plain.Run(t.Context(), d, opts); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		out.String():                        "Columns of list: host.\n",
		plainly(t, d, "views t", "columns"): "Columns of list: the usual ones.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
}

// A number stands for a reason or a note of the configuration.
func TestPlainOfferedTexts(t *testing.T) {
	t.Parallel()
	d := desk(t, urls...)
	in := strings.NewReader("reject\nnote\nnote 1\nnote 7\nreject 2\nmark\nreject-marked 1\ny\nu\n2\ncause 1 reject\n")
	var out bytes.Buffer
	opts := plain.Options{In: in, Out: &out, Reasons: []string{"gone\x1b[2J", "moved"}, Notes: []string{"ask"}}
	if err := plain.Run(t.Context(), d, opts); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`a rejection needs a reason: reject REASON, or a number: 1 for “gone\x1b[2J”, 2 for “moved”`,
		"the note is empty: note TEXT, or a number: 1 for “ask”\n", "reject REASON, or a number: 1 for"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing: %s", want, out.String())
		}
	}
	first, err := d.Detail(t.Context(), 1)
	if err != nil || first.Item.Decision == nil || first.Item.Decision.Note != "moved" || len(first.Notes) != 2 ||
		first.Notes[0].Text != "ask" && first.Notes[1].Text != "ask" {
		t.Errorf("%+v, %v", first, err)
	}
}
