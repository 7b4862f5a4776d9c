package plain_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
	"visto/ui/plain"
)

// readOnly is a desk of a read-only database.
type readOnly struct{ *review.Desk }

func (readOnly) ReadOnly() bool { return true }

// withoutFile is a desk of a database whose file has gone away.
type withoutFile struct{ *review.Desk }

func (withoutFile) Version(context.Context) (int64, error) { return 0, review.ErrGone }

// network finds the same page behind every URL.
type network struct{ desk *review.Desk }

const page = "https://sede.ejemplo.gob.es/tramites/cita-previa"

func (n network) Probe(ctx context.Context, id int64, watch func(probe.Event)) (result review.ProbeResult, err error) {
	watch(probe.Event{Kind: probe.Asking, Exchange: probe.Exchange{Method: "GET", URL: page}})
	watch(probe.Event{Kind: probe.Waiting, Why: "delay between requests"})
	jobs, err := n.desk.ProbeJobs(ctx, review.Filter{IDs: []int64{id}}, review.ProbeJobOptions{})
	if err != nil {
		return result, err
	}
	now := func() time.Time { return time.Unix(0, 0) }
	err = review.NewProbing(n.desk, n, now).Run(ctx, jobs, func(r review.ProbeResult) error {
		result = r
		return nil
	})
	return result, err
}

func (n network) Run(_ context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	works := true
	return sink(probe.Report{Target: targets[0], Evidence: &canon.Evidence{
		Asked: targets[0].URL, Status: 200, Title: "Cita previa", HTTPS: &works, Method: "get", FinalURL: page,
		Hops: []canon.Hop{{Status: 301, URL: page}}, FetchedAt: "2026-11-21T10:00:00Z", TTLHours: 24,
	}})
}

func (n network) Candidates(
	_ context.Context, q candidate.Question, watch func(probe.Event),
) ([]candidate.Candidate, error) {
	watch(probe.Event{Kind: probe.Asking, Exchange: probe.Exchange{Method: "GET", URL: page}})
	switch {
	case q.Link.URL == "https://www.ejemplo.gob.es":
		return nil, errors.New("the link cannot be cited: it answered 404")
	case q.Item == 1 && q.Link.URL == "":
		return nil, nil
	}
	works := true
	return []candidate.Candidate{{URL: page, Title: "Cita previa", Score: 3.5,
		Why: []string{"title has «cita»", "linked"},
		Report: probe.Report{Evidence: &canon.Evidence{Asked: page, Status: 200, Title: "Cita previa", HTTPS: &works,
			Method: "get", FetchedAt: "2026-11-21T10:00:00Z", TTLHours: 24}}}}, nil
}

// Spec 15: the line mode finds pages to cite, tells them with score and why, and cites one by its number.
func TestPlainPagesToCite(t *testing.T) {
	d := desk(t, urls...)
	var out bytes.Buffer
	in := strings.NewReader("C\nC 1\nnext\nC 1\npages-to-cite\nC 2\nC 1\nq\n")
	if err := plain.Run(t.Context(), d, plain.Options{Prober: network{d}, In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Asking: GET " + page + "\n", "No page was found that fits.\n",
		"Not done: no pages have been found for this URL", "1: " + page + "\nTitle: Cita previa\n" +
			"Score 3.50: title has «cita»; linked\n", "Not done: which one? A number from 1 to 1",
		"corrected and approved: URL 2 as " + page} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, &out)
		}
	}
	if items, err := d.Find(t.Context(), page); err != nil || items[0].Title != "Cita previa" {
		t.Errorf("the page is not stored: %v, %v", items, err)
	}
}

// Spec 15: a link opens as a candidate: in the line mode it is read, and cited with its evidence. A link that cannot be
// read is not cited.
func TestPlainCitesLink(t *testing.T) {
	d := desk(t, urls...)
	readPage(t, d, grant())
	var out bytes.Buffer
	in := strings.NewReader("go 1\npage cite 1\npage cite 2\nq\n")
	if err := plain.Run(t.Context(), d, plain.Options{Prober: network{d}, In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"it answered 404; correct URL cites it without reading it",
		"Asking: GET " + page + "\n", "Read: title has «cita»; linked\n", "corrected and approved: URL 1 as " + page} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, &out)
		}
	}
	if items, err := d.Find(t.Context(), page); err != nil || items[0].Title != "Cita previa" {
		t.Errorf("the page is not stored: %v, %v", items, err)
	}
}

func TestPlainProbe(t *testing.T) {
	d := desk(t, urls...)
	var out bytes.Buffer
	in := strings.NewReader("next\nnext\np\nq\n")
	if err := plain.Run(t.Context(), d, plain.Options{Prober: network{d}, In: in, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Asking: GET " + page + "\n", "Waiting: delay between requests\n",
		"URL 3: 200 “Cita previa” after a redirect; the canonical URL is " + page + "; cleared: home-page.",
		"URL 3, accepted. waiting: 3 URLs."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, &out)
		}
	}
	out.Reset()
	err := plain.Run(t.Context(), d, plain.Options{In: strings.NewReader("p\n"), Out: &out})
	if err != nil || !strings.Contains(out.String(), "Not done: there is no network") {
		t.Errorf("%v: %s", err, &out)
	}
}

// clearNetwork finds a page that clearly fits.
type clearNetwork struct{ network }

func (n clearNetwork) Candidates(
	ctx context.Context, q candidate.Question, watch func(probe.Event),
) ([]candidate.Candidate, error) {
	list, err := n.network.Candidates(ctx, candidate.Question{Item: q.Item + 1}, watch)
	for i := range list {
		list[i].Score = 20
	}
	return list, err
}

// cause NUMBER pages tells the page for each URL of a cause before it asks, and corrects all as one batch.
func TestPlainPagesOfACause(t *testing.T) {
	d := desk(t, "https://www.uno.gob.es/")
	var out bytes.Buffer
	in := strings.NewReader("causes\ncause 1 pages\nyes\nundo\nq\n")
	opts := plain.Options{Prober: clearNetwork{network{d}}, In: in, Out: &out}
	if err := plain.Run(t.Context(), d, opts); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"done.\n", "https://www.uno.gob.es\n", "   to cite: " + page + "\n",
		"Score 20.00: title has «cita»; linked\n", "Correct 1 URL? yes or no: ",
		"corrected: 1 URL to the pages found.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, &out)
		}
	}
	if open, err := d.Count(t.Context(), review.Filter{Open: true}); err != nil || open != 1 {
		t.Errorf("%d URLs wait after the undo, %v", open, err)
	}
}
