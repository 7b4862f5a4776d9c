package review

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/hex"
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
func (d *Desk) Export(ctx context.Context, w io.Writer, format Format, f Filter) (n int, err error) {
	defer annotate(&err, "exporting")
	r, err := d.rules(ctx)
	if err != nil {
		return 0, err
	}
	buf := bufio.NewWriterSize(w, 1<<16)
	write, flush := writeJSONL(buf), buf.Flush
	if format == CSV {
		if write, flush, err = writeCSV(buf); err != nil {
			return 0, err
		}
	}
	explain := func() worker[Record] {
		c := r.canonicalizer()
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
	if err == nil {
		err = flush()
	}
	return n, err
}

func writeJSONL(w io.Writer) func(*Record) error {
	return func(rec *Record) error {
		line, err := rec.MarshalJSON()
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	}
}

func writeCSV(w *bufio.Writer) (write func(*Record) error, flush func() error, err error) {
	rows := csv.NewWriter(w)
	write = func(rec *Record) error {
		return rows.Write(mapped(columns, func(c column) string { return read.Guard(printable(c.cell(rec))) }))
	}
	flush = func() error {
		rows.Flush()
		return cmp.Or(rows.Error(), w.Flush())
	}
	return write, flush, rows.Write(mapped(columns, func(c column) string { return c.name }))
}

// column is a column of the CSV export.
type column struct {
	name string
	cell func(*Record) string
}

var columns = []column{
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

func hashCell(r *Record) string {
	if r.Result.Canonical == "" {
		return ""
	}
	hash := r.Result.Hash()
	return hex.EncodeToString(hash[:])
}

func flagsCell(r *Record) string {
	return strings.Join(mapped(r.Result.Flags, func(f canon.Flag) string { return f.Code.String() }), " ")
}

func pageCell(r *Record) string {
	if r.Result.Pagination == nil {
		return ""
	}
	return strconv.Itoa(r.Result.Pagination.Page)
}

func notesCell(r *Record) string {
	return strings.Join(mapped(r.Notes, func(n Note) string { return n.Reviewer + ": " + n.Text }), "\n")
}

func decided(cell func(*Decision) string) func(*Record) string {
	return func(r *Record) string {
		if r.Item.Decision == nil {
			return ""
		}
		return cell(r.Item.Decision)
	}
}
