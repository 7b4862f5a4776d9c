package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

// addOn adds URLs that wait for a person, so many on each host.
func (d *desk) addOn(hosts map[string]int) {
	d.Helper()
	var urls []string
	for host, n := range hosts {
		for i := range n {
			urls = append(urls, fmt.Sprintf("https://%s/tramite/1?plaza=%d", host, i))
		}
	}
	slices.Sort(urls)
	d.add(urls...)
}

// share shares out, writes it, and checks the portions: name, URLs, new ones.
func (d *desk) share(s review.Sharing, want string) *review.Shares {
	d.Helper()
	shares, err := d.Shares(d.Context(), s)
	d.must(err)
	var got []string
	for _, p := range shares.Portions {
		got = append(got, fmt.Sprintf("%s %d +%d", p.Reviewer, p.URLs, p.New))
	}
	if text := strings.Join(got, ", "); text != want {
		d.Fatalf("shared out as %s, want %s", text, want)
	}
	n, err := d.Assign(d.Context(), shares)
	d.must(err)
	if n != shares.Changed {
		d.Errorf("%d of %d were assigned", n, shares.Changed)
	}
	return shares
}

// owners returns the reviewers of the URLs on each host.
func (d *desk) owners() map[string]string {
	d.Helper()
	owners := map[string]string{}
	for _, it := range d.items(review.Filter{Presence: review.AnyPresence}) {
		det, err := d.Detail(d.Context(), it.ID)
		d.must(err)
		name := "-"
		if det.Assignment != nil {
			name = det.Assignment.Reviewer
		}
		if was := owners[it.Computed.Host]; !slices.Contains(strings.Fields(was), name) {
			owners[it.Computed.Host] = strings.TrimSpace(was + " " + name)
		}
	}
	return owners
}

func (d *desk) owned(want map[string]string) {
	d.Helper()
	if got := d.owners(); fmt.Sprint(got) != fmt.Sprint(want) {
		d.Fatalf("assigned: %v, want %v", got, want)
	}
}

// Sharing assigns whole hosts, the largest first, each to the reviewer with the fewest URLs. Sharing again keeps the
// existing assignments.
func TestShareHosts(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.gob.es": 5, "b.gob.es": 4, "c.gob.es": 3, "d.gob.es": 2})
	both := review.Sharing{To: []string{" ana", "ben", "ana"}}
	d.share(both, "ana 7 +7, ben 7 +7")
	whole := map[string]string{"a.gob.es": "ana", "b.gob.es": "ben", "c.gob.es": "ben", "d.gob.es": "ana"}
	d.owned(whole)
	if again := d.share(both, "ana 7 +0, ben 7 +0"); again.Changed != 0 || again.Kept != 14 {
		t.Errorf("repeated: %d change, %d stay", again.Changed, again.Kept)
	}

	// New URLs go to the reviewer of their host. A new host goes to the reviewer with the fewest URLs. A reviewer who
	// is not named keeps the URLs assigned before.
	d.add("https://b.gob.es/tramite/2?plaza=1", "https://e.gob.es/tramite/1?plaza=1")
	d.share(review.Sharing{To: []string{"eva", "ben"}}, "eva 1 +1, ben 8 +1")
	whole["e.gob.es"] = "eva"
	d.owned(whole)

	// decided URLs are not shared out
	d.decide(review.Approve, "https://a.gob.es/tramite/1?plaza=0")
	anew := review.Sharing{To: []string{"eva"}, Again: true, Filter: review.Filter{AtHosts: []string{"a.gob.es"}}}
	d.share(anew, "eva 4 +4")
	whole["a.gob.es"] = "ana eva"
	d.owned(whole)
	if d.share(anew, "eva 4 +0").Kept != 4 {
		t.Error("the repeated sharing keeps not all")
	}
	approved := review.Filter{Statuses: []review.Status{review.Approved}}
	d.share(review.Sharing{To: []string{"ben"}, Again: true, Filter: approved}, "ben 1 +1") // unless it is wanted
	d.sound()
}

// By count each gets as many URLs, and few hosts are split.
func TestShareByCount(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.gob.es": 7, "b.gob.es": 2, "c.gob.es": 1})
	byCount := review.Sharing{To: []string{"ana", "ben", "eva"}, ByCount: true}
	d.share(byCount, "ana 4 +4, ben 3 +3, eva 3 +3")
	d.owned(map[string]string{"a.gob.es": "ana ben", "b.gob.es": "eva", "c.gob.es": "eva"})
	d.addOn(map[string]int{"f.gob.es": 5})
	d.share(byCount, "ana 5 +1, ben 5 +2, eva 5 +2")
}

// Assignments can be taken back: all of a filter, or one sharing.
func TestUnassign(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.gob.es": 2, "b.gob.es": 1})
	onA := review.Filter{AtHosts: []string{"a.gob.es"}}
	first := d.share(review.Sharing{To: []string{"ana"}, Filter: onA}, "ana 2 +2")
	second := d.share(review.Sharing{To: []string{"ben"}, Again: true}, "ben 3 +3")
	_, err := d.Unassign(d.Context(), second)
	d.must(err)
	d.owned(map[string]string{"a.gob.es": "ana", "b.gob.es": "-"})
	_, err = d.Unassign(d.Context(), first)
	d.must(err)
	d.owned(map[string]string{"a.gob.es": "-", "b.gob.es": "-"})

	d.share(review.Sharing{To: []string{"ana"}}, "ana 3 +3")
	d.decide(review.Approve, "https://a.gob.es/tramite/1?plaza=0")
	clear := review.Sharing{To: []string{review.Nobody}, Filter: onA}
	cleared := d.share(clear, "")
	d.owned(map[string]string{"a.gob.es": "-", "b.gob.es": "ana"})
	if again := d.share(clear, ""); again.Changed+again.Kept != 0 {
		t.Errorf("repeated: %d change, %d stay", again.Changed, again.Kept)
	}
	d.share(review.Sharing{To: []string{"eva"}}, "eva 1 +1")
	_, err = d.Unassign(d.Context(), cleared)
	d.must(err)
	d.owned(map[string]string{"a.gob.es": "ana eva", "b.gob.es": "ana"}) // what eva got since stays hers
}

// Hosts with as many URLs are shared out by name.
func TestShareEqualHosts(t *testing.T) {
	d := newDesk(t)
	for _, host := range []string{"c.gob.es", "a.gob.es", "b.gob.es"} {
		d.addOn(map[string]int{host: 1})
	}
	d.share(review.Sharing{To: []string{"ana", "ben", "eva"}}, "ana 1 +1, ben 1 +1, eva 1 +1")
	d.owned(map[string]string{"a.gob.es": "ana", "b.gob.es": "ben", "c.gob.es": "eva"})
}

// Sharing does not change assignments made after it was computed.
func TestShareMeanwhile(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.gob.es": 2})
	slow, err := d.Shares(d.Context(), review.Sharing{To: []string{"ana"}})
	d.must(err)
	d.share(review.Sharing{To: []string{"ben"}}, "ben 2 +2")
	if n, err := d.Assign(d.Context(), slow); n != 0 || err != nil {
		t.Errorf("%d change hands, %v", n, err)
	}
	d.owned(map[string]string{"a.gob.es": "ben"})
}

// Taking a sharing back leaves the URLs to those whom somebody assigned them since.
func TestUnassignMeanwhile(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.gob.es": 2, "b.gob.es": 1})
	onA := review.Filter{AtHosts: []string{"a.gob.es"}}
	takenBack := func(s *review.Shares, want int) {
		t.Helper()
		if n, err := d.Unassign(d.Context(), s); n != want || err != nil {
			t.Errorf("%d were taken back, %v, want %d", n, err, want)
		}
	}

	anas := d.share(review.Sharing{To: []string{"ana"}}, "ana 3 +3")
	d.share(review.Sharing{To: []string{"ben"}, Filter: onA, Again: true}, "ben 2 +2")
	takenBack(anas, 1)
	d.owned(map[string]string{"a.gob.es": "ben", "b.gob.es": "-"})

	cleared := d.share(review.Sharing{To: []string{review.Nobody}}, "")
	d.share(review.Sharing{To: []string{"eva"}}, "eva 3 +3")
	takenBack(cleared, 0)
	d.owned(map[string]string{"a.gob.es": "eva", "b.gob.es": "eva"})

	d.share(review.Sharing{To: []string{review.Nobody}}, "")
	slow, err := d.Shares(d.Context(), review.Sharing{To: []string{"ana"}})
	d.must(err)
	d.share(review.Sharing{To: []string{"ben"}}, "ben 3 +3")
	_, err = d.Assign(d.Context(), slow)
	d.must(err)
	takenBack(slow, 0)
	d.owned(map[string]string{"a.gob.es": "ben", "b.gob.es": "ben"})
}

// fullDisk is a store whose disk is full after two assignments.
type fullDisk struct{ review.Store }

func (fullDisk) Assign(context.Context, review.AssignmentChange) (int, error) {
	return 2, errors.New("the disk is full")
}

// Many assignments are written in parts: an error says how many were.
func TestShareInPart(t *testing.T) {
	d := newDesk(t)
	d.addOn(map[string]int{"a.ejemplo.gob.es": 3})
	desk, err := review.Open(t.Context(), fullDisk{d.store()}, "ana", nil)
	d.must(err)
	shares, err := desk.Shares(t.Context(), review.Sharing{To: []string{"ana"}})
	d.must(err)
	const want = "after 2 of 3 URLs: the disk is full"
	if n, err := desk.Assign(t.Context(), shares); n != 2 || err == nil || err.Error() != want {
		t.Errorf("assigned %d: %v, want %s", n, err, want)
	}
}

func TestShareToWhom(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		to   []string
		want string
	}{
		{nil, "name the reviewers"}, {[]string{" "}, "name the reviewers"},
		{[]string{"ana", review.Mine}, `"mine" stands for`}, {[]string{"ana", review.Nobody}, `"none" stands for`},
		{[]string{strings.Repeat("ñ", 50) + "a"}, "at most 100 bytes"}, {[]string{strings.Repeat("ñ", 50)}, ""},
	} {
		_, err := d.Shares(d.Context(), review.Sharing{To: c.to})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("to %q: %v", c.to, err)
		}
	}
}

// A filter says in words whose URLs it selects.
func TestAssignedInWords(t *testing.T) {
	f := review.Filter{Open: true, Assigned: []string{review.Mine, review.Nobody}, Me: "ana",
		Not: review.Values{Assigned: []string{"ben"}, Flags: canon.SetOf(canon.HomePage)}}
	if got := f.String(); got != "waiting, mine or unassigned, not home-page, not assigned to ben" {
		t.Error(got)
	}
}
