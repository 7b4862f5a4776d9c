package review_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

// TestStoredSecretsStayInside: spec 2, row 1, "Credentials: strip". An earlier program stored user and password; no
// record, detail or export of its database has them.
func TestStoredSecretsStayInside(t *testing.T) {
	o := newOffice(t)
	d, s := o.desk("ana"), o.store()
	const secret = "https://bob:S3cret@www.boe.es/a/b/"
	ev := &canon.Evidence{URL: secret, Status: 200, Title: "at " + secret, Caveats: []string{secret},
		Hops: []canon.Hop{{Status: 301, URL: secret + "x"}}}
	var items []review.NewItem
	for i := range 2 {
		r := canon.Canonicalize(secret+"c", d.Policy(), nil, nil)
		items = append(items, review.NewItem{Original: fmt.Sprint(secret, strings.Repeat("/", i), "c"), Title: ev.Title,
			Evidence: ev, Computed: review.Computed{Canonical: r.Canonical, Verdict: r.Verdict, Flags: r.Codes()}})
	}
	meta, err := d.Meta(t.Context())
	o.must(err)
	_, err = s.Add(t.Context(), &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: meta.Gen}}, items)
	o.must(err)
	it, err := s.Item(t.Context(), 1)
	o.must(err)
	_, err = s.Commit(t.Context(), review.Decide{Reviewer: "ana", Action: review.ActApprove,
		Decisions: []review.ItemDecision{{ID: 1, Rev: it.Rev, Decision: review.Decision{Kind: review.Approve,
			Canonical: it.Computed.Canonical, From: it.Computed.Canonical, Note: "was " + secret}}}})
	o.must(err)
	_, err = s.Commit(t.Context(), review.AddNotes{Reviewer: "ana",
		Notes: []review.ItemNote{{ID: 1, Text: "see " + secret}}})
	o.must(err)

	var all bytes.Buffer
	for _, format := range []review.Format{review.JSONL, review.CSV} {
		_, err := d.Export(t.Context(), &all, whole(format, review.Filter{}))
		o.must(err)
	}
	it, err = s.Item(t.Context(), 1)
	o.must(err)
	record, err := d.Exported(t.Context(), it)
	o.must(err)
	detail, err := d.Detail(t.Context(), 1)
	o.must(err)
	for _, v := range []any{record, detail} {
		text, err := json.Marshal(v)
		o.must(err)
		all.Write(text)
	}
	fmt.Fprintf(&all, "%+v", record.Item.Decision)
	if text := all.String(); strings.Contains(text, "S3cret") {
		t.Errorf("a password goes out:\n%s", text)
	}
	if !strings.Contains(all.String(), "see https://***@www.boe.es") {
		t.Errorf("the note is missing:\n%s", all.String())
	}
}
