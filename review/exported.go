package review

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review/health"
)

// Exported is an item as list, show and export print it: its result with id, status, title, evidence, notes,
// decision and occurrences. The Result of an approved item has the approved URL, with the review as the last entry of
// its trace.
type Exported struct {
	Item     Item
	Result   canon.Result
	Evidence FetchInfo
	Notes    []Note
	Assigned *Assignment       // nil: to nobody, or for an export
	Files    map[string]string // the names of files as they are shown

	outdated map[int64]bool // the citers with an approval that the rules outdate; only of an item with Item.ByRecord
}

// FetchInfo is the part of the evidence that says how a page was seen. The names are those of canon.Evidence.
type FetchInfo struct {
	Status      int      `json:"status,omitempty"`
	Error       string   `json:"error,omitempty"`
	FetchedAt   string   `json:"fetched_at,omitempty"`
	ArchiveURL  string   `json:"archive_url,omitempty"`
	ArchiveDate string   `json:"archive_date,omitempty"`
	Caveats     []string `json:"caveats,omitempty"`
	SHA256      string   `json:"sha256,omitempty"`
}

// Exported returns the exported form of an item.
func (d itemDesk) Exported(ctx context.Context, it Item) (out Exported, err error) {
	defer annotate(&err, "URL %d", it.ID)
	r, err := d.rules(ctx)
	if err != nil {
		return out, err
	}
	ev, err := d.store.Evidence(ctx, it.ID)
	if err != nil {
		return out, err
	}
	files, err := d.Files(ctx)
	if err != nil {
		return out, err
	}
	list := []Exported{r.exporter(files)()(&it, withHosts(ev, r.hosts))}
	if err := d.follow(ctx, r, list); err != nil {
		return out, err
	}
	if out, err = d.withRest(ctx, list[0]); err == nil {
		out.Assigned, err = d.store.Assignment(ctx, it.ID)
	}
	return out, err
}

// withRest adds the notes and the flags of the link.
func (d itemDesk) withRest(ctx context.Context, out Exported) (_ Exported, err error) {
	if out.Item.Notes > 0 {
		out.Notes, err = d.store.Notes(ctx, out.Item.ID)
		out.Notes = mapped(out.Notes, maskedNote)
	}
	raised := out.Item.Computed.Flags & health.Flags
	if raised == 0 || err != nil {
		return out, err
	}
	link, err := d.store.LinkRecord(ctx, out.Item.ID)
	for _, c := range raised.Codes() {
		f := canon.Flag{Code: c, Rule: c.Step(), Detail: c.Summary()}
		if link != nil {
			f.Detail = strings.Join(link.Explain(c), "; ")
		}
		out.Result.Flags = append(out.Result.Flags, f)
	}
	return out, err
}

// exporter returns a function for workers for the exported forms of items. withRest adds the rest to each.
func (r *rules) exporter(files map[string]string) func() worker[Exported] {
	return func() worker[Exported] {
		c := r.engine()
		return func(it *Item, ev *canon.Evidence) Exported {
			out := Exported{Item: masked(*it), Evidence: fetchInfo(r.policy, ev), Files: files}
			d := out.Item.Standing()
			shown := *it
			if d != nil && it.ByRecord != nil {
				shown = it.For(d.Record)
			}
			out.Result = r.explain(c, &shown, ev)
			if it.Status == Approved {
				overlay(r.policy, &out.Result, d)
			}
			if it.ByRecord != nil && it.Computed.Flags.Has(canon.ChangedSinceApproval) {
				out.findOutdated(r, c, it, ev)
			}
			return out
		}
	}
}

// findOutdated finds the citers whose approval the rules outdate, and gives the result the flag for one of them.
func (r *Exported) findOutdated(rules *rules, c *Engine, it *Item, ev *canon.Evidence) {
	r.outdated = map[int64]bool{}
	for _, by := range it.ByRecord {
		own := it.For(by.Record)
		if own.Status != Approved {
			continue
		}
		canonical := rules.explain(c, &own, ev).Canonical
		if !own.Decision.outdatedBy(canonical) {
			continue
		}
		if r.outdated[by.Record] = true; !r.Result.Codes().Has(canon.ChangedSinceApproval) {
			r.Result.Flags = append(r.Result.Flags, outdatedFlag(rules.policy, own.Decision, canonical))
		}
	}
}

// outdatedFlag returns the flag of an approval that the rules outdate.
func outdatedFlag(p *canon.Policy, d *Decision, canonical string) canon.Flag {
	return canon.Flag{Code: canon.ChangedSinceApproval, Rule: canon.ChangedSinceApproval.Step(),
		Detail: p.MaskText(fmt.Sprintf("approved was %s, and the rules now give %s", d.Canonical,
			cmp.Or(canonical, "no URL at all")))}
}

func fetchInfo(p *canon.Policy, ev *canon.Evidence) FetchInfo {
	if ev == nil {
		return FetchInfo{}
	}
	ev = ev.Masked()
	text := canon.EscapeInvalid
	words := func(s string) string { return text(p.MaskText(s)) }
	return FetchInfo{ev.Status, words(ev.Error), text(ev.FetchedAt), text(ev.ArchiveURL), text(ev.ArchiveDate),
		mapped(ev.Caveats, words), text(ev.SHA256)}
}

// overlay puts the approved URL into the result. It extends the trace so that it still ends at the canonical URL.
func overlay(p *canon.Policy, r *canon.Result, d *Decision) {
	if r.Canonical == d.Canonical {
		return
	}
	if d.outdatedBy(r.Canonical) {
		r.Flags = append(r.Flags, outdatedFlag(p, d, r.Canonical))
	}
	before := r.Canonical
	if r.Verdict == canon.Rejected || d.Kind.Corrects() { // the approved URL is not a result of the trace
		r.Reason, r.Detail = canon.NotRejected, ""
		r.Trace, before = nil, r.Original
	}
	if r.Verdict = canon.Accepted; len(r.Flags) > 0 {
		r.Verdict = canon.Flagged
	}
	r.Trace = append(r.Trace, canon.Entry{Step: "review", Before: before, After: d.Canonical,
		Note: p.MaskText(reviewNote(d))})
	r.Canonical = d.Canonical
}

func reviewNote(d *Decision) string {
	did := "approved by "
	switch d.Kind {
	case Correct:
		did = "corrected by "
	case CorrectAsTyped:
		did = "corrected, as typed, by "
	}
	return strings.TrimSuffix(did+d.Reviewer+": "+d.Note, ": ")
}

// exportedJSON holds the fields of an Exported besides those of the result.
type exportedJSON struct {
	ID       int64     `json:"id"`
	Status   Status    `json:"status"`
	Link     string    `json:"link_state,omitempty"` // once it was checked
	Title    string    `json:"title,omitempty"`
	Evidence FetchInfo `json:"evidence,omitzero"`
	Gone     bool      `json:"gone,omitempty"`
	Notes    []Note    `json:"notes,omitempty"`
	Decision *Decision `json:"decision,omitempty"`

	Assigned    *Assignment      `json:"assigned,omitempty"`
	Occurrences []occurrenceJSON `json:"occurrences,omitempty"`
}

// occurrenceJSON is an occurrence as it is exported. Where there is a decision for one record alone, each occurrence
// has the status, canonical URL and decision for its record, Alone if that is for no other, and Changed if the rules
// outdate it.
type occurrenceJSON struct {
	File      string      `json:"file,omitempty"`
	Record    *recordJSON `json:"record,omitempty"`
	Field     string      `json:"field,omitempty"`
	Path      string      `json:"path,omitempty"`
	Part      int         `json:"part,omitempty"`
	Status    *Status     `json:"status,omitempty"`
	Canonical string      `json:"canonical,omitempty"`
	Decision  *Decision   `json:"decision,omitempty"`
	Alone     bool        `json:"alone,omitempty"`
	Changed   bool        `json:"changed_since_approval,omitempty"`
}

type recordJSON struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

func (r *Exported) occurrenceJSON(o Occurrence) occurrenceJSON {
	text := canon.EscapeInvalid
	out := occurrenceJSON{File: text(r.Files[o.File]), Field: text(o.Field), Path: text(o.Path), Part: o.Part}
	if o.Record != nil {
		out.Record = &recordJSON{ID: text(o.Record.ID), Name: text(o.Record.Name)}
	}
	if r.Item.ByRecord == nil || o.Gone {
		return out
	}
	own := r.Item.For(o.Citer)
	out.Status, out.Canonical = &own.Status, own.Canonical()
	out.Decision, out.Alone = own.Decision, own.Decision != nil && own.Decision.Record != 0
	out.Changed = r.outdated[o.Citer]
	return out
}

// linkState returns the state of the link, "" if it was never checked.
func (r *Exported) linkState() string {
	if !r.Item.Link.Checked {
		return ""
	}
	return r.Item.LinkState().String()
}

// MarshalJSON writes one object: the fields of the result, then the others. Times are RFC 3339 in UTC.
func (r Exported) MarshalJSON() ([]byte, error) {
	text := canon.EscapeInvalid
	result, err := r.Result.MarshalJSON()
	if err != nil {
		return nil, err
	}
	rest, err := encode(exportedJSON{r.Item.ID, r.Item.Status, r.linkState(), text(r.Item.Title), r.Evidence,
		r.Item.Presence == Gone, r.Notes, r.Item.Standing(), r.Assigned, mapped(r.Item.Citing(), r.occurrenceJSON)})
	if err != nil {
		return nil, err
	}
	return append(append(bytes.TrimSuffix(result, []byte("}")), ','), rest[1:]...), nil
}
