package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/review/read"
)

// Setting is a value for a field of the records whose URLs a person approved. {date} in Value stands for the day.
type Setting struct{ Field, Value string }

// ParseSetting reads FIELD=VALUE.
func ParseSetting(text string) (Setting, error) {
	field, value, ok := strings.Cut(text, "=")
	if !ok || field == "" {
		return Setting{}, fmt.Errorf("%q is not FIELD=VALUE", text)
	}
	if strings.Count(value, dateMark) > 1 {
		return Setting{}, fmt.Errorf("%q has %s more than once", text, dateMark)
	}
	return Setting{field, value}, nil
}

const dateMark = "{date}"

// Plan is the way to put a file in order.
type Plan struct {
	Edits    []read.Edit
	findings []Finding // for each edit, the one if it is not made
}

// NewPlan returns the plan for the judged URLs of a file: to write the URLs to cite in the place of others, and to set
// fields of the records whose URLs are all settled, at least one of them by a person. A field that has the value
// already has no edit. One with {date} has none if it has a day that is not before the last approval: otherwise a run
// on another day would change it again.
func NewPlan(judged []Judgement, set []Setting, today time.Time) *Plan {
	p := &Plan{}
	for _, j := range judged {
		for _, f := range j.Findings {
			if f.Fix != "" {
				p.add(read.Edit{Place: f.Place, Was: j.Found.URL, Value: f.Fix}, f)
			}
		}
	}
	for _, r := range approvedRecords(judged) {
		for _, s := range set {
			p.set(r, s, today)
		}
	}
	return p
}

func (p *Plan) add(e read.Edit, f Finding) {
	p.Edits, p.findings = append(p.Edits, e), append(p.findings, f)
}

// approvedRecord is a record whose URLs are all settled.
type approvedRecord struct {
	*read.Record
	first    read.Place // of its first URL
	approval time.Time  // the last of its URLs; zero: no person approved one
	open     bool       // a URL is not settled
}

// approvedRecords returns the records whose URLs are all settled, at least one of them by a person, in their order.
func approvedRecords(judged []Judgement) []*approvedRecord {
	known := map[*read.Record]*approvedRecord{}
	var list []*approvedRecord
	for _, j := range judged {
		if j.Found.Record == nil {
			continue
		}
		r := known[j.Found.Record]
		if r == nil {
			r = &approvedRecord{Record: j.Found.Record, first: j.Found.Place}
			known[j.Found.Record], list = r, append(list, r)
		}
		r.open = r.open || j.Target == ""
		if j.Approval != nil && j.Approval.At.After(r.approval) {
			r.approval = j.Approval.At
		}
	}
	return slices.DeleteFunc(list, func(r *approvedRecord) bool { return r.open || r.approval.IsZero() })
}

// set plans to set a field of a record.
func (p *Plan) set(r *approvedRecord, s Setting, today time.Time) {
	value := strings.Replace(s.Value, dateMark, today.UTC().Format(time.DateOnly), 1)
	if i := slices.IndexFunc(r.Attributes, func(a read.Attribute) bool { return a.Name == s.Field }); i >= 0 {
		if has := r.Attributes[i].Values; len(has) == 1 && (has[0] == value || s.current(has[0], r.approval)) {
			return
		}
	}
	f := Finding{Code: NotSet, Place: r.first, Record: r.Record,
		Message: words("%s is not set to %s", s.Field, value)}
	f.Place.Field = s.Field
	p.add(read.Edit{Record: r.Record, Field: s.Field, Value: value}, f)
}

// current reports whether a value of a setting with {date} has a day that is not before the approval.
func (s Setting) current(value string, approval time.Time) bool {
	before, after, ok := strings.Cut(s.Value, dateMark)
	if !ok || !strings.HasPrefix(value, before) || !strings.HasSuffix(value, after) ||
		len(value) != len(before)+len(time.DateOnly)+len(after) {
		return false
	}
	day, err := time.Parse(time.DateOnly, value[len(before):len(value)-len(after)])
	return err == nil && !day.Before(approval.UTC().Truncate(24*time.Hour))
}

// Refuse takes the refused edits out of the plan, and returns their findings with the reasons. With the edit of a URL
// those of the fields of its record go too: the record does not have the approved URL.
func (p *Plan) Refuse(refused []read.Refusal) []Finding {
	var findings []Finding
	var records []*read.Record
	gone := map[int]bool{}
	for _, r := range refused {
		f := p.findings[r.Edit]
		if gone[r.Edit] = true; f.Code != NotSet {
			records = append(records, f.Record)
		}
		f.Message += "; it is not written: " + words("%s", r.Why)
		findings = append(findings, f)
	}
	kept := &Plan{}
	for i, e := range p.Edits {
		if !gone[i] && (e.Record == nil || !slices.Contains(records, e.Record)) {
			kept.add(e, p.findings[i])
		}
	}
	*p = *kept
	return findings
}

// Size returns the number of URLs and of fields that the plan writes.
func (p *Plan) Size() (urls, fields int) {
	for _, e := range p.Edits {
		if e.Record == nil {
			urls++
		} else {
			fields++
		}
	}
	return urls, fields
}
