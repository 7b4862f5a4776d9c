package review_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// whole returns the options for everything about the items of a filter.
func whole(format review.Format, f review.Filter) review.ExportOptions {
	return review.ExportOptions{Format: format, Query: review.Query{Filter: f}}
}

func (d *desk) export(format review.Format, f review.Filter) string {
	d.Helper()
	var out bytes.Buffer
	n, err := d.Export(d.Context(), &out, whole(format, f))
	d.must(err)
	if want := len(d.items(f)); n != want {
		d.Errorf("exported %d, want %d", n, want)
	}
	return out.String()
}

// object is a parsed line of the export.
type object struct {
	Original    string
	Canonical   string
	Normalized  string
	Hash        string `json:"canonical_hash"`
	Verdict     string
	Flags       []struct{ Code, Rule, Detail string }
	Trace       []canon.Entry
	ID          int64
	Status      string
	Occurrences []place
	Notes       []map[string]string
	Decision    map[string]any
}

func parse(t *testing.T, line string) object {
	t.Helper()
	var o object
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return o
}

// place is an occurrence in no record.
type place struct{ File, Field, Path string }

func TestExported(t *testing.T) {
	d := newDesk(t)
	d.addFound(review.Found{URL: odd, Place: read.Place{File: "a\xE1.csv", Field: "url", Path: "7"}},
		review.Found{URL: fine})
	_, err := d.Decide(t.Context(), review.Choice{Kind: review.Defer, Note: "más <tarde> & así"}, review.Target{ID: 1})
	d.must(err)
	_, err = d.Note(t.Context(), "nota", 1)
	d.must(err)
	lines := strings.Split(d.export(review.JSONL, review.Filter{}), "\n")
	o := parse(t, lines[0])
	if o.ID != 1 || o.Status != "deferred" || o.Original != odd || o.Canonical != odd || o.Verdict != "flagged" ||
		o.Flags[0].Code != "unknown-param" {
		t.Errorf("record %+v", o)
	}
	if len(o.Occurrences) != 1 || o.Occurrences[0] != (place{"a%E1.csv", "url", "7"}) {
		t.Errorf("occurrences %+v", o.Occurrences)
	}
	for _, want := range []string{
		`"decision":{"kind":"defer","reviewer":"ana","at":"2026-11-21T09:00:0`, `"note":"más <tarde> & así","batch":2}`,
		`"notes":[{"at":"2026-11-21T09:00:`, `"reviewer":"ana","text":"nota"}]`,
	} {
		if !strings.Contains(lines[0], want) {
			t.Errorf("no %s in %s", want, lines[0])
		}
	}
	for _, absent := range []string{"null", `"notes"`, `"decision"`, `"source"`, `"flags"`, `"title"`} {
		if strings.Contains(lines[1], absent) {
			t.Errorf("%s in %s", absent, lines[1])
		}
	}
	rec, err := d.Exported(t.Context(), d.item(odd))
	d.must(err)
	if text, err := json.Marshal(rec); err != nil || len(text) == 0 ||
		parse(t, string(text)).Decision["kind"] != "defer" {
		t.Errorf("%s, %v", text, err)
	}
	if one, _ := rec.MarshalJSON(); string(one) != lines[0] {
		t.Errorf("Exported gives\n\t%s\nExport\n\t%s", one, lines[0])
	}
}

// The export has the approved URL, and the trace ends at it.
func TestRecordApproved(t *testing.T) {
	const corrected = "https://sede.ejemplo.gob.es/otra?b=1&a=2"
	for _, test := range []struct {
		name    string
		url     string
		choice  review.Choice
		rule    canon.Override
		want    string
		note    string
		changed string // the URL that the rules now give; empty: as approved
	}{
		{"as it is", odd, review.Choice{Kind: review.Approve}, canon.Override{}, odd, "", ""},
		{"corrected", odd, review.Choice{Kind: review.Correct, Canonical: corrected, Note: "mejor"}, canon.Override{},
			corrected, "corrected by ana: mejor", ""},
		{"corrected from nothing", broken, review.Choice{Kind: review.Correct, Canonical: corrected}, canon.Override{},
			corrected, "corrected by ana", ""},
		{"changed since", odd, review.Choice{Kind: review.Approve}, canon.Override{DropQueryParams: []string{"rara"}},
			odd, "approved by ana",
			strings.TrimSuffix(odd, "?rara=1")},
		{"corrected, changed since", odd, review.Choice{Kind: review.Correct, Canonical: corrected},
			canon.Override{DropQueryParams: []string{"b", "a"}}, corrected, "corrected by ana",
			"https://sede.ejemplo.gob.es/otra"},
		{"caught up with", odd, review.Choice{Kind: review.Correct, Canonical: strings.TrimSuffix(odd, "?rara=1")},
			canon.Override{DropQueryParams: []string{"rara"}},
			strings.TrimSuffix(odd, "?rara=1"), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.add(odd, fine, broken)
			_, err := d.Decide(t.Context(), test.choice, review.Target{ID: d.item(test.url).ID})
			d.must(err)
			if test.rule.DropQueryParams != nil {
				test.rule.Match.Host = "sede.ejemplo.gob.es"
				d.save(test.rule)
			}
			o := parse(t, d.export(review.JSONL, review.Filter{Statuses: []review.Status{review.Approved}}))
			hash := canon.HashOf(test.want)
			if o.Canonical != test.want || o.Normalized != canon.NormalizedOf(test.want) ||
				o.Hash != hex.EncodeToString(hash[:]) {
				t.Errorf("record %+v", o)
			}
			leads(t, o.Trace, o.Original, test.want)
			if n := len(o.Trace); test.note != "" &&
				(n == 0 || o.Trace[n-1].Step != "review" || o.Trace[n-1].Note != test.note) {
				t.Errorf("trace %+v", o.Trace)
			}
			changed := ""
			for _, f := range o.Flags {
				if f.Code == "changed-since-approval" {
					changed = f.Detail
				}
			}
			if flagged := o.Verdict == "flagged"; flagged != (len(o.Flags) > 0) || !flagged && o.Verdict != "accepted" {
				t.Errorf("verdict %s with flags %v", o.Verdict, o.Flags)
			}
			if (test.changed != "") != (changed != "") || changed != "" &&
				!(strings.Contains(changed, test.want) && strings.HasSuffix(changed, " "+test.changed)) {
				t.Errorf("changed since approval: %q", changed)
			}
		})
	}
}

func TestExportCSV(t *testing.T) {
	d := newDesk(t)
	d.addFound(
		review.Found{URL: `https://sede.ejemplo.gob.es/tramite/"uno",dos-tres?rara=1`, Title: "=HYPERLINK(\"x\")",
			Place: read.Place{File: "@risk.csv"}},
		review.Found{URL: fine, Title: "-1+1"},
		review.Found{URL: "ftp://sede.ejemplo.gob.es/\xE1"},
	)
	for _, note := range []string{"\tsalto", "dos\nlíneas"} {
		_, err := d.Note(t.Context(), note, 1)
		d.must(err)
	}
	_, err := d.Decide(t.Context(), review.Choice{Kind: review.Approve, Note: "+si"}, review.Target{ID: 1})
	d.must(err)
	rows, err := csv.NewReader(strings.NewReader(d.export(review.CSV, review.Filter{}))).ReadAll()
	d.must(err)
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	cells := func(row int) map[string]string {
		all := map[string]string{}
		for i, name := range rows[0] {
			all[name] = rows[row][i]
		}
		return all
	}
	for name, want := range map[string]string{
		"id": "1", "status": "approved", "original": `https://sede.ejemplo.gob.es/tramite/"uno",dos-tres?rara=1`,
		"canonical": "https://sede.ejemplo.gob.es/tramite/%22uno%22,dos-tres?rara=1", "flags": "unknown-param",
		"title":       `'=HYPERLINK("x")`,
		"source_file": "'@risk.csv", "decision": "approve", "decision_note": "'+si",
		"notes": "ana: salto\nana: dos\nlíneas", "policy": d.Policy().ID(),
	} {
		if got := cells(1)[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := cells(1)["decided_at"]; !strings.HasPrefix(got, "2026-11-21T09:00:") || !strings.HasSuffix(got, "Z") {
		t.Errorf("decided at %s", got)
	}
	if cells(2)["title"] != "'-1+1" || cells(3)["original"] != "ftp://sede.ejemplo.gob.es/%E1" ||
		cells(3)["canonical_hash"] != "" || cells(3)["reason"] != "unsupported-scheme" {
		t.Errorf("rows %q", rows)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
}

// Two exports of the same state are equal, in the order of the IDs.
func TestExportOrder(t *testing.T) {
	d := newDesk(t)
	d.add(many(1500)...)
	one, two := d.export(review.JSONL, review.Filter{}), d.export(review.JSONL, review.Filter{})
	if one != two {
		t.Error("two exports differ")
	}
	for i, line := range strings.Split(strings.TrimSuffix(one, "\n"), "\n") {
		if o := parse(t, line); o.ID != int64(i+1) {
			t.Fatalf("line %d is of URL %d", i+1, o.ID)
		}
	}
	for limit, want := range map[int]int{0: 1500, 1: 1, 600: 600, 2000: 1500} {
		var file bytes.Buffer
		n, err := d.Export(t.Context(), &file, review.ExportOptions{Limit: limit, Query: review.Query{Desc: true}})
		d.must(err)
		lines := strings.Split(strings.TrimSuffix(file.String(), "\n"), "\n")
		if n != want || len(lines) != want {
			t.Errorf("limit %d: %d are written, in %d lines", limit, n, len(lines))
		}
		for i, line := range lines {
			if o := parse(t, line); o.ID != int64(1500-i) {
				t.Fatalf("limit %d: line %d is of URL %d", limit, i+1, o.ID)
			}
		}
	}
}

// An export can be read as an input.
func TestExportReadBack(t *testing.T) {
	d := newDesk(t)
	d.add(odd, fine, home)
	d.decide(review.Approve, odd)
	for _, format := range []review.Format{review.JSONL, review.CSV} {
		got := readAgain(t, "x."+format.String(), d.export(format, review.Filter{}), "canonical")
		if len(got) != 3 || got[0].URL != odd {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

// A CSV export restores every text, and no cell starts a formula.
func TestExportCSVWhole(t *testing.T) {
	d := newDesk(t)
	texts := []string{"=1+1", "'=1+1", "''", "'", "+x", "-x", "@x", "\uff1dx", "\uff20x", "a\tb", `"`, `"",""`,
		"a,b;c", "dos\nlíneas", "tres\r\nlíneas", "x\ry", "'\n'", "plain", "\ufeffx"}
	var found []review.Found
	for i, text := range texts {
		found = append(found, review.Found{URL: fmt.Sprintf("https://sede.ejemplo.gob.es/tramite/%d/una-pagina", i),
			Title: text,
			Place: read.Place{File: text, Field: "\n" + text, Path: text}})
	}
	d.addFound(found...)
	file := d.export(review.CSV, review.Filter{})
	rows := rfc4180(file)
	if len(rows) != len(texts)+1 {
		t.Fatalf("%d rows", len(rows))
	}
	at := func(name string) int { return slices.Index(rows[0], name) }
	for i, row := range rows[1:] {
		for name, want := range map[string]string{"title": strings.TrimSpace(texts[i]), "source_file": texts[i],
			"source_field": "\n" + texts[i], "source_position": texts[i]} {
			cell := row[at(name)]
			if cell != "" && strings.ContainsAny(string([]rune(cell)[0]), "=+-@\t\r\n\uff1d\uff20") {
				t.Errorf("a formula: %q", cell)
			}
			if strings.TrimPrefix(cell, "'") != want {
				t.Errorf("%s of row %d is %q, want %q", name, i+1, cell, want)
			}
		}
	}
	back := newDesk(t)
	back.addFound(readAgain(t, "x.csv", file, "original")...)
	for i, it := range back.items(review.Filter{}) {
		if want := strings.ReplaceAll(strings.TrimSpace(texts[i]), "\r\n", "\n"); it.Original != found[i].URL ||
			it.Title != want {
			t.Errorf("read back %q %q, want %q %q", it.Original, it.Title, found[i].URL, want)
		}
	}
}

// rfc4180 parses CSV strictly. encoding/csv cannot be used: it turns CRLF in a cell into LF.
func rfc4180(text string) (rows [][]string) {
	var row []string
	for len(text) > 0 {
		var cell string
		if text[0] == '"' {
			text = text[1:]
			for {
				end := strings.IndexByte(text, '"')
				cell, text = cell+text[:end], text[end+1:]
				if !strings.HasPrefix(text, `"`) {
					break
				}
				cell, text = cell+`"`, text[1:]
			}
		} else {
			end := strings.IndexAny(text, ",\n")
			cell, text = text[:end], text[end:]
		}
		row = append(row, cell)
		if text[0] == '\n' {
			rows, row = append(rows, row), nil
		}
		text = text[1:]
	}
	return rows
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestExportFails(t *testing.T) {
	d := newDesk(t)
	d.add(many(2000)...)
	for _, format := range []review.Format{review.JSONL, review.CSV} {
		n, err := d.Export(t.Context(), full{}, whole(format, review.Filter{}))
		if !errors.Is(err, errFull) || n == 0 || n > 300 { // more than a full buffer holds
			t.Errorf("%s: %d are written, %v", format, n, err)
		}
		if _, err := d.Export(cancelled(t), &bytes.Buffer{}, whole(format, review.Filter{})); err == nil {
			t.Errorf("%s: a cancelled export goes on", format)
		}
	}
}

// leads checks that a trace replays from the original to the canonical URL.
func leads(t *testing.T, trace []canon.Entry, original, canonical string) {
	t.Helper()
	at := original
	for _, e := range trace {
		if e.Before != at {
			t.Errorf("step %s begins at %s, not %s", e.Step, e.Before, at)
		}
		at = e.After
	}
	if at != canonical {
		t.Errorf("the trace leads to %s, not to %s", at, canonical)
	}
}

// Spec 13: "A URL that equals an approved canonical URL counts as decided"; chains of decisions are followed to their
// end, so the export cites the URL to which the last correction leads. A circle stays at its first link.
func TestExportFollowsChains(t *testing.T) {
	d := newDesk(t)
	const first, second, third = "https://www.sepe.es/a/uno", "https://www.sepe.es/a/dos", "https://www.boe.es"
	d.add(first, second)
	d.must(d.correct(review.Correct, first, second))
	d.must(d.correct(review.Correct, second, third))
	cited := func(want ...string) {
		t.Helper()
		text := d.export(review.JSONL, review.Filter{})
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			var got struct {
				Canonical string
				Flags     []struct{ Code string }
				Trace     []struct{ After string }
			}
			d.must(json.Unmarshal([]byte(line), &got))
			flag := "section-page"
			if want[i] == third {
				flag = "home-page"
			}
			if got.Canonical != want[i] || len(got.Flags) != 1 || got.Flags[0].Code != flag ||
				got.Trace[len(got.Trace)-1].After != want[i] {
				t.Errorf("line %d: %s", i, line)
			}
			if one, err := d.Exported(d.Context(), d.item([]string{first, second}[i])); err != nil ||
				one.Result.Canonical != want[i] {
				t.Errorf("by itself: %s, %v", one.Result.Canonical, err)
			}
		}
	}
	cited(third, third)
	d.must(d.correct(review.Correct, second, first))
	cited(second, first)
}

// EachExported gives each item as Exported does, in the order of the query, and reads the names of the files once.
func TestEachExported(t *testing.T) {
	o := newOffice(t)
	names := &countingFiles{Store: o.store()}
	own, err := review.Open(t.Context(), names, "ana", nil)
	o.must(err)
	d := &desk{own, o}
	d.add(many(600)...)
	_, err = names.Assign(t.Context(), review.AssignmentChange{By: "ana", Items: []review.Assigned{{600, "eva"}}})
	d.must(err)
	names.calls = 0
	var got []review.Exported
	q := review.Query{Sort: review.ByID, Desc: true}
	d.must(d.EachExported(t.Context(), q, 599, func(out review.Exported) error {
		got = append(got, out)
		return nil
	}))
	if len(got) != 599 || got[0].Item.ID != 600 || got[598].Item.ID != 2 || names.calls != 1 {
		t.Fatalf("%d items, the names of the files read %d times", len(got), names.calls)
	}
	for _, out := range []review.Exported{got[0], got[300]} {
		alone, err := d.Exported(t.Context(), d.item(out.Item.Original))
		d.must(err)
		a, _ := alone.MarshalJSON()
		if b, _ := out.MarshalJSON(); string(a) != string(b) || (out.Assigned != nil) != (out.Item.ID == 600) {
			t.Errorf("%s\nalone %s", b, a)
		}
	}
}

// countingFiles counts how often the names of the files are read.
type countingFiles struct {
	review.Store
	calls int
}

func (s *countingFiles) Files(ctx context.Context) ([]string, error) {
	s.calls++
	return s.Store.Files(ctx)
}
