package review

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
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

// ExportOptions select the items and fields that Export writes.
type ExportOptions struct {
	Format Format
	Query  Query
	Limit  int      // largest number of items; 0: all
	Fields []string // some of the format's Fields, in the order in which they are written; nil: all
}

// Export writes the items of the query, and returns their number. JSONL has one Exported a line; CSV (RFC 4180) has a
// header and one row for each item. CSV cells are guarded against formulas, see [read.Guard]. In both, bytes that are
// not UTF-8 are percent-encoded. In the order of the IDs an export is of one state of the store; in another order it
// may miss or repeat an item that changes meanwhile. The items follow the changes of very many first. Where they
// cannot, because the store is read-only, the export is written all the same, and the error is an UnfinishedError.
func (d itemDesk) Export(ctx context.Context, w io.Writer, opt ExportOptions) (n int, err error) {
	defer annotate(&err, "exporting")
	if !d.store.ReadOnly() {
		if err := d.store.Finish(ctx); err != nil {
			return 0, err
		}
	}
	r, err := d.rules(ctx)
	if err != nil {
		return 0, err
	}
	buf := bufio.NewWriterSize(w, 1<<16)
	write, flush := writeJSONL(buf, opt.Fields), buf.Flush
	if opt.Format == CSV {
		if write, flush, err = writeCSV(buf, opt.Fields); err != nil {
			return 0, err
		}
	}
	var left UnfinishedError
	err = d.eachExported(ctx, r, d.reader(opt), opt.Query.Filter, func(out *Exported) error {
		n++
		left += UnfinishedError(count(out.Item.Unfinished))
		return write(out)
	})
	if err == nil {
		err = flush()
	}
	if err == nil && left > 0 {
		err = left
	}
	return n, err
}

// EachExported calls fn for the items of the query in its order, at most limit of them; limit 0 means all. It may miss
// or repeat an item that changes meanwhile.
func (d itemDesk) EachExported(ctx context.Context, q Query, limit int, fn func(Exported) error) (err error) {
	defer annotate(&err, "listing")
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	return d.eachExported(ctx, r, d.pages(q, limit), q.Filter, func(out *Exported) (err error) {
		if out.Assigned, err = d.store.Assignment(ctx, out.Item.ID); err != nil {
			return err
		}
		return fn(*out)
	})
}

// eachExported calls fn for the items that read reads, in batches: they share the names of files and what follows from
// decisions.
func (d itemDesk) eachExported(
	ctx context.Context, r *rules, read itemReader, f Filter, fn func(*Exported) error,
) error {
	files, err := d.Files(ctx)
	if err != nil {
		return err
	}
	var list []Exported
	each := func() error {
		err := d.follow(ctx, r, list)
		for i := 0; i < len(list) && err == nil; i++ {
			if list[i], err = d.withRest(ctx, list[i]); err == nil {
				err = fn(&list[i])
			}
		}
		list = list[:0]
		return err
	}
	err = stream(ctx, read, f, r.exporter(files), func(_ *Item, out Exported) error {
		if list = append(list, out); len(list) < batchSize {
			return nil
		}
		return each()
	})
	if err == nil {
		err = each()
	}
	return err
}

// reader returns the reader of the items to export.
func (d itemDesk) reader(opt ExportOptions) itemReader {
	if opt.Query.Sort == ByID && !opt.Query.Desc && opt.Limit == 0 {
		return d.store.EachCited
	}
	return d.pages(opt.Query, opt.Limit)
}

// pages returns a reader of the items of a query, in its order, that holds no transaction from page to page.
func (d itemDesk) pages(q Query, limit int) itemReader {
	return func(ctx context.Context, _ Filter, fn func(Item, *canon.Evidence) error) error {
		var from *Cursor
		for left := limit; limit == 0 || left > 0; left -= batchSize {
			n := batchSize
			if limit > 0 {
				n = min(n, left)
			}
			page, err := d.store.Page(ctx, q, from, n)
			if err == nil {
				err = d.eachOfPage(ctx, page, fn)
			}
			if err != nil || len(page) < n {
				return err
			}
			from = q.After(&page[n-1])
		}
		return nil
	}
}

// eachOfPage calls fn for the items in their order, with their evidence.
func (d itemDesk) eachOfPage(ctx context.Context, page []Item, fn func(Item, *canon.Evidence) error) error {
	evidence := make(map[int64]*canon.Evidence, len(page))
	cited := make(map[int64][]Occurrence, len(page)) // a page has only the first ones
	ids := mapped(page, func(it Item) int64 { return it.ID })
	err := d.store.EachCited(ctx, Filter{IDs: ids, Presence: AnyPresence}, func(it Item, ev *canon.Evidence) error {
		evidence[it.ID], cited[it.ID] = ev, it.Occurrences
		return nil
	})
	for i := range page {
		if page[i].Occurrences = cited[page[i].ID]; err == nil {
			err = fn(page[i], evidence[page[i].ID])
		}
	}
	return err
}

// Fields returns the names of the fields of an Exported in the format, in their order.
func (f Format) Fields() []string {
	if f == CSV {
		return mapped(columns, func(c column) string { return c.name })
	}
	return []string{"original", "canonical", "normalized", "canonical_hash", "verdict", "reason", "flags", "link_type",
		"fragment_note", "pagination", "language", "lang_variants", "redirect_chain", "without_pasted_text", "policy", "trace", "id",
		"status", "link_state", "title", "evidence", "gone", "notes", "decision", "occurrences"}
}

func writeJSONL(w io.Writer, fields []string) func(*Exported) error {
	return func(out *Exported) error {
		line, err := out.MarshalJSON()
		if err == nil && fields != nil {
			line, err = onlyFields(line, fields)
		}
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	}
}

// onlyFields returns a JSON object with only these fields, in their order, as far as it has them.
func onlyFields(object []byte, fields []string) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	var out []byte
	for _, name := range fields {
		if value, ok := all[name]; ok {
			out = append(append(out, `,"`+name+`":`...), value...)
		}
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(out, []byte{','})...), '}'), nil
}

func writeCSV(w *bufio.Writer, fields []string) (write func(*Exported) error, flush func() error, err error) {
	rows, wanted := csv.NewWriter(w), columns
	if fields != nil {
		wanted = mapped(fields, columnOf)
	}
	write = func(out *Exported) error {
		return rows.Write(mapped(wanted, func(c column) string { return read.Guard(canon.EscapeInvalid(c.cell(out))) }))
	}
	flush = func() error {
		rows.Flush()
		return cmp.Or(rows.Error(), w.Flush())
	}
	return write, flush, rows.Write(mapped(wanted, func(c column) string { return c.name }))
}

func columnOf(name string) column {
	return columns[slices.IndexFunc(columns, func(c column) bool { return c.name == name })]
}

// column is a column of the CSV export.
type column struct {
	name string
	cell func(*Exported) string
}

var columns = []column{
	{"id", func(r *Exported) string { return strconv.FormatInt(r.Item.ID, 10) }},
	{"status", func(r *Exported) string { return r.Item.Status.String() }},
	{"original", func(r *Exported) string { return r.Result.Original }},
	{"canonical", func(r *Exported) string { return r.Result.Canonical }},
	{"canonical_hash", hashCell},
	{"verdict", func(r *Exported) string { return r.Result.Verdict.String() }},
	{"reason", func(r *Exported) string { return r.Result.Reason.String() }},
	{"flags", flagsCell},
	{"link_type", func(r *Exported) string { return r.Result.LinkType.String() }},
	{"language", func(r *Exported) string { return r.Result.Language }},
	{"fragment_note", func(r *Exported) string { return r.Result.FragmentNote }},
	{"without_pasted_text", func(r *Exported) string { return r.Result.WithoutPasted }},
	{"page", pageCell},
	{"title", func(r *Exported) string { return r.Item.Title }},
	{"source_file", first(func(r *Exported, o Occurrence) string { return r.Files[o.File] })},
	{"source_field", first(func(_ *Exported, o Occurrence) string { return o.Field })},
	{"source_position", first(func(_ *Exported, o Occurrence) string { return o.Path })},
	{"records", recordsCell},
	{"decision", decided(func(d *Decision) string { return d.Kind.String() })},
	{"reviewer", decided(func(d *Decision) string { return d.Reviewer })},
	{"decided_at", decided(func(d *Decision) string { return d.At.UTC().Format(time.RFC3339) })},
	{"decision_note", decided(func(d *Decision) string { return d.Note })},
	{"batch", decided(func(d *Decision) string { return strconv.FormatInt(d.Batch, 10) })},
	{"canonical_of", decided(func(d *Decision) string {
		if d.CanonicalOf == nil {
			return ""
		}
		return d.CanonicalOf.Original
	})},
	{"record_decisions", recordDecisionsCell},
	{"notes", notesCell},
	{"policy", func(r *Exported) string { return r.Result.Policy }},
	{"link_state", (*Exported).linkState},
}

// first returns a cell about the first occurrence.
func first(cell func(*Exported, Occurrence) string) func(*Exported) string {
	return func(r *Exported) string {
		if list := r.Item.Citing(); len(list) > 0 {
			return cell(r, list[0])
		}
		return ""
	}
}

func recordsCell(r *Exported) string {
	var list []string
	for _, o := range r.Item.Citing() {
		if o.Record != nil {
			list = append(list, o.Record.String())
		}
	}
	return strings.Join(slices.Compact(list), "\n")
}

// recordDecisionsCell has a line for each decision for one record alone.
func recordDecisionsCell(r *Exported) string {
	var list []string
	for _, by := range r.Item.Citers(r.Files) {
		own := r.Item.For(by.Number)
		if d := own.Decision; d == nil || d.Record == 0 {
			continue
		}
		text := by.Name + ": " + own.Decision.Kind.String()
		if own.Status == Approved {
			text += " " + own.Canonical()
		}
		if own.Decision.Waits() {
			text += " (1 of 2)"
		}
		list = append(list, text)
	}
	return strings.Join(list, "\n")
}

func hashCell(r *Exported) string {
	if r.Result.Canonical == "" {
		return ""
	}
	hash := r.Result.Hash()
	return hex.EncodeToString(hash[:])
}

func flagsCell(r *Exported) string {
	return strings.Join(mapped(r.Result.Flags, func(f canon.Flag) string { return f.Code.String() }), " ")
}

func pageCell(r *Exported) string {
	if r.Result.Pagination == nil {
		return ""
	}
	return r.Result.Pagination.Page.String()
}

func notesCell(r *Exported) string {
	return strings.Join(mapped(r.Notes, func(n Note) string { return n.Reviewer + ": " + n.Text }), "\n")
}

func decided(cell func(*Decision) string) func(*Exported) string {
	return func(r *Exported) string {
		d := r.Item.Standing()
		if d == nil {
			return ""
		}
		return cell(d)
	}
}
