package review

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review/read"
)

// Format is a format of an export.
type Format uint8

// The formats.
const (
	JSONL Format = iota
	CSV
)

func (f Format) String() string { return [...]string{"jsonl", "csv"}[f] }

// Export writes the items of the filter in the order of their IDs, and returns their number. JSONL has one Record a
// line; CSV (RFC 4180) has a header and one row for each item. CSV cells are guarded against formulas, see
// [read.Guard]. In both, bytes that are not UTF-8 are percent-encoded.
func (d *Desk) Export(ctx context.Context, w io.Writer, format Format, f Filter) (int, error) {
	buf := bufio.NewWriterSize(w, 1<<16)
	n, err := d.export(ctx, buf, format, f)
	if err == nil {
		err = buf.Flush()
	}
	if err != nil {
		return n, fmt.Errorf("exporting: %w", err)
	}
	return n, nil
}

func (d *Desk) export(ctx context.Context, w *bufio.Writer, format Format, f Filter) (int, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return 0, err
	}
	write := writeJSONL(w)
	if format == CSV {
		rows := csv.NewWriter(w)
		defer rows.Flush()
		if err := rows.Write(csvHeader()); err != nil {
			return 0, err
		}
		write = func(rec *Record) error { return rows.Write(csvRow(rec)) }
	}
	n := 0
	explain := func() worker[Record] {
		c := canon.New(r.policy, r.overrides)
		return func(it *Item, ev *canon.Evidence) Record { return newRecord(c, it, ev) }
	}
	err = stream(ctx, d.store.EachWithEvidence, f, explain, func(_ *Item, rec Record) error {
		rec, err := d.withNotes(ctx, rec)
		if err != nil {
			return err
		}
		n++
		return write(&rec)
	})
	return n, err
}

func writeJSONL(w *bufio.Writer) func(*Record) error {
	return func(rec *Record) error {
		line, err := rec.MarshalJSON()
		if err != nil {
			return err
		}
		_, err = w.Write(append(line, '\n'))
		return err
	}
}

// columns are the columns of the CSV export, in order.
var columns = []struct {
	name string
	cell func(*Record) string
}{
	{"id", func(r *Record) string { return strconv.FormatInt(r.Item.ID, 10) }},
	{"status", func(r *Record) string { return r.Item.Status.String() }},
	{"original", func(r *Record) string { return r.Result.Original }},
	{"canonical", func(r *Record) string { return r.Result.Canonical }},
	{"canonical_hash", hashCell},
	{"verdict", func(r *Record) string { return r.Result.Verdict.String() }},
	{"reason", func(r *Record) string { return r.Result.Reason.String() }},
	{"flags", flagsCell},
	{"link_type", func(r *Record) string { return r.Result.LinkType.String() }},
	{"language", func(r *Record) string { return r.Result.Language }},
	{"fragment_note", func(r *Record) string { return r.Result.FragmentNote }},
	{"page", pageCell},
	{"title", func(r *Record) string { return r.Item.Title }},
	{"source_file", func(r *Record) string { return r.Item.Source.File }},
	{"source_field", func(r *Record) string { return r.Item.Source.Field }},
	{"source_position", func(r *Record) string { return r.Item.Source.Position }},
	{"decision", decided(func(d *Decision) string { return d.Kind.String() })},
	{"reviewer", decided(func(d *Decision) string { return d.Reviewer })},
	{"decided_at", decided(func(d *Decision) string { return d.At.UTC().Format(time.RFC3339) })},
	{"decision_note", decided(func(d *Decision) string { return d.Note })},
	{"batch", decided(func(d *Decision) string { return strconv.FormatInt(d.Batch, 10) })},
	{"notes", notesCell},
	{"policy", func(r *Record) string { return r.Result.Policy }},
}

func csvHeader() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

func csvRow(rec *Record) []string {
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = read.Guard(printable(c.cell(rec)))
	}
	return row
}

func hashCell(r *Record) string {
	if r.Result.Canonical == "" {
		return ""
	}
	hash := r.Result.Hash()
	return hex.EncodeToString(hash[:])
}

func flagsCell(r *Record) string {
	names := make([]string, len(r.Result.Flags))
	for i, f := range r.Result.Flags {
		names[i] = f.Code.String()
	}
	return strings.Join(names, " ")
}

func pageCell(r *Record) string {
	if r.Result.Pagination == nil {
		return ""
	}
	return strconv.Itoa(r.Result.Pagination.Page)
}

func notesCell(r *Record) string {
	texts := make([]string, len(r.Notes))
	for i, n := range r.Notes {
		texts[i] = n.Reviewer + ": " + n.Text
	}
	return strings.Join(texts, "\n")
}

func decided(cell func(*Decision) string) func(*Record) string {
	return func(r *Record) string {
		if r.Item.Decision == nil {
			return ""
		}
		return cell(r.Item.Decision)
	}
}
