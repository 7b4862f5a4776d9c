package review

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"visto/canon"
)

// Record is an item as list, show and export print it: its result with id, status, source, notes and decision. The
// Result of an approved item has the approved URL, with the review as the last entry of its trace.
type Record struct {
	Item   Item
	Result canon.Result
	Notes  []Note
}

// Record returns the record of an item.
func (d *Desk) Record(ctx context.Context, it Item) (rec Record, err error) {
	defer annotate(&err, "URL %d", it.ID)
	r, err := d.rules(ctx)
	if err != nil {
		return rec, err
	}
	ev, err := d.store.Evidence(ctx, it.ID)
	if err != nil {
		return rec, err
	}
	return d.withNotes(ctx, newRecord(r.canonicalizer(), &it, withHosts(ev, r.hosts)))
}

func (d *Desk) withNotes(ctx context.Context, rec Record) (_ Record, err error) {
	if rec.Item.Notes > 0 {
		rec.Notes, err = d.store.Notes(ctx, rec.Item.ID)
	}
	return rec, err
}

func newRecord(c *canon.Canonicalizer, it *Item, ev *canon.Evidence) Record {
	rec := Record{Item: *it, Result: c.Explain(it.Original, ev)}
	if it.Status == Approved {
		overlay(&rec.Result, it.Decision)
	}
	return rec
}

// overlay puts the approved URL into the result. It extends the trace so that it still ends at the canonical URL.
func overlay(r *canon.Result, d *Decision) {
	if r.Canonical == d.Canonical {
		return
	}
	if r.Canonical != d.From {
		r.Flags = append(r.Flags, canon.Flag{
			Code: canon.ChangedSinceApproval, Rule: canon.ChangedSinceApproval.Step(),
			Detail: fmt.Sprintf("approved was %s, and the rules now give %s", d.Canonical,
				cmp.Or(r.Canonical, "no URL at all")),
		})
	}
	before := r.Canonical
	if r.Verdict == canon.Rejected { // the approved URL is not a result of the trace
		r.Reason, r.Detail = canon.NotRejected, ""
		r.Trace, before = nil, r.Original
	}
	if r.Verdict = canon.Accepted; len(r.Flags) > 0 {
		r.Verdict = canon.Flagged
	}
	r.Trace = append(r.Trace, canon.Entry{Step: "review", Before: before, After: d.Canonical, Note: reviewNote(d)})
	r.Canonical = d.Canonical
}

func reviewNote(d *Decision) string {
	did := "approved by "
	if d.Kind == Correct {
		did = "corrected by "
	}
	return strings.TrimSuffix(did+d.Reviewer+": "+d.Note, ": ")
}

// recordJSON holds the fields of a record besides those of the result.
type recordJSON struct {
	ID       int64     `json:"id"`
	Status   Status    `json:"status"`
	Source   Source    `json:"source,omitzero"`
	Notes    []Note    `json:"notes,omitempty"`
	Decision *Decision `json:"decision,omitempty"`
}

// MarshalJSON writes one object: the fields of the result, then those of the record. Times are RFC 3339 in UTC.
func (r Record) MarshalJSON() ([]byte, error) {
	s := r.Item.Source
	source := Source{File: printable(s.File), Field: printable(s.Field), Position: s.Position}
	result, err := r.Result.MarshalJSON()
	if err != nil {
		return nil, err
	}
	rest, err := encode(recordJSON{r.Item.ID, r.Item.Status, source, r.Notes, r.Item.Decision})
	if err != nil {
		return nil, err
	}
	return append(append(bytes.TrimSuffix(result, []byte("}")), ','), rest[1:]...), nil
}

// encode marshals a value to JSON without escaping "&", "<" and ">".
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// printable percent-encodes the bytes of s that are not UTF-8, which JSON and CSV cannot represent.
func printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%%%02X", s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
