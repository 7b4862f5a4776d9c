package health_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"visto/review/health"
)

// naive is a link of the naive summary, with all its checks.
type naive struct {
	domain string
	path   string
	checks []health.Check
}

// until returns the checks until a time.
func (n *naive) until(t time.Time) (list []health.Check) {
	for _, c := range n.checks {
		if !c.At.After(t) {
			list = append(list, c)
		}
	}
	return list
}

// now returns the failures in a row, the first of them, and whether the link is inactive at a time.
func (n *naive) now(t time.Time) (failures int, failedAt time.Time, state health.State) {
	for _, c := range n.until(t) {
		switch c.Outcome {
		case health.Answered:
			failures = 0
			if state == health.Degraded {
				state = health.Active
			}
		case health.Failed:
			if failures++; failures == 1 {
				failedAt = c.At
			}
			switch {
			case c.Status == 410 || civil(c.At)-civil(failedAt) >= 7:
				state = health.Inactive
			case state == health.Active && failures >= 3:
				state = health.Degraded
			}
		}
	}
	return failures, failedAt, state
}

// issues returns the issues of the link at a time, by kind, with their severity.
func (n *naive) issues(t time.Time) map[string]string {
	list := n.until(t)
	found := map[string]string{}
	if len(list) == 0 {
		return found
	}
	failures, _, state := n.now(t)
	last := list[len(list)-1]
	switch {
	case state != health.Active && failures > 0 || failures >= 3:
		found["down"] = "alert"
	case failures == 2:
		found["down"] = "warning"
	case failures == 1:
		found["down"] = "notice"
	case state == health.Inactive:
		found["answers-again"] = "review"
	}
	if last.Outcome == health.Answered && last.Took > time.Second {
		found["slow"] = "notice"
	}
	return found
}

// town is a set of naive links.
type town []*naive

// issues returns the issues at a time as names without and with the severity.
func (w town) issues(t time.Time) (names map[string]string) {
	names = map[string]string{}
	for _, domain := range w.domains() {
		kind, worst := w.failing(domain, t)
		if kind != "" {
			names[kind+" "+domain] = worst + " " + kind + " " + domain
		}
		for _, n := range w {
			for k, severity := range n.issues(t) {
				if n.domain == domain && (k != "down" || kind == "") {
					names[k+" "+domain+n.path] = severity + " " + k + " " + domain + n.path
				}
			}
		}
	}
	return names
}

func (w town) domains() (names []string) {
	for _, n := range w {
		names = append(names, n.domain)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// failing returns the issue of a domain whose URLs fail, and its severity.
func (w town) failing(domain string, t time.Time) (kind, worst string) {
	checked, failing, dark, rank := 0, 0, true, 0
	severities := []string{"", "notice", "warning", "alert"}
	for _, n := range w {
		if n.domain != domain || len(n.until(t)) == 0 {
			continue
		}
		checked++
		failures, failedAt, _ := n.now(t)
		if failures == 0 {
			dark = false
			continue
		}
		failing++
		dark = dark && t.Sub(failedAt) >= 14*day
		rank = max(rank, slices.Index(severities, n.issues(t)["down"]))
	}
	switch {
	case failing > 0 && dark:
		return "domain-dark", "alert"
	case failing > 1 && failing > checked-failing:
		return "domain-failing", severities[rank]
	}
	return "", ""
}

// changes returns the names of the issues that are new since an earlier time, and of those that are resolved.
func (w town) changes(now, before time.Time) (fresh, resolved []string) {
	are, were := w.issues(now), w.issues(before)
	for name := range are {
		_, was := were[name]
		if !was && !w.wasDown(name, before) {
			fresh = append(fresh, name)
		}
	}
	for name := range were {
		if _, is := are[name]; !is && !w.wasDown(name, now) {
			resolved = append(resolved, name)
		}
	}
	slices.Sort(fresh)
	slices.Sort(resolved)
	return fresh, resolved
}

// wasDown reports whether a failing link, or a whole domain, was another issue for the same reason at a time: a link is
// one of the domain then, and a domain whose URLs fail may have become a dark one. Some URLs of it that still fail make
// no difference to a domain.
func (w town) wasDown(name string, t time.Time) bool {
	var kind, rest string
	fmt.Sscan(name, &kind, &rest)
	for _, n := range w {
		failures, _, _ := n.now(t)
		if kind == "down" && n.domain+n.path == rest && failures > 0 {
			return true
		}
	}
	other, _ := w.failing(rest, t)
	return other != ""
}

// TestSummaryAsTheNaiveOne compares summaries of random links, counted and compared with an earlier time, with those of
// a program that looks at every check of every link for each of them.
func TestSummaryAsTheNaiveOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[string]int{}
	for range 600 {
		w := randomTown(r)
		now := w.last().Add(time.Duration(r.IntN(20*24)) * hour)
		before := now.Add(-time.Duration(1+r.IntN(40*24)) * hour)
		z := health.Summarize(now, before, settings)
		for i, n := range w {
			z.Add(n.link(int64(i + 1)))
		}
		s := z.Done()
		var want []string
		for _, name := range w.issues(now) {
			want = append(want, name)
		}
		slices.Sort(want)
		got := namesOf(s.Issues)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("issues\n got %q\nwant %q", got, want)
		}
		fresh, resolved := w.changes(now, before)
		compareNames(t, "new", s.New, fresh, seen)
		compareNames(t, "resolved", s.Resolved, resolved, seen)
		compareCounts(t, w, &s, now)
	}
	for _, kind := range []string{"new domain-dark", "new domain-failing", "new down", "new slow", "new answers-again",
		"resolved domain-failing", "resolved domain-dark", "resolved down", "resolved slow"} {
		if seen[kind] == 0 {
			t.Errorf("no case of %s: %v", kind, seen)
		}
	}
}

// last returns the time of the last check, at least the start.
func (w town) last() time.Time {
	at := start
	for _, n := range w {
		for _, c := range n.checks {
			at = slices.MaxFunc([]time.Time{at, c.At}, time.Time.Compare)
		}
	}
	return at
}

func compareNames(t *testing.T, about string, got []health.Issue, want []string, seen map[string]int) {
	t.Helper()
	var names []string
	for _, i := range got {
		names = append(names, fmt.Sprintf("%s %s%s", i.Kind, i.Domain, i.Path))
		seen[about+" "+i.Kind.String()]++
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Fatalf("%s\n got %q\nwant %q", about, names, want)
	}
}

// randomTown returns links with up to 30 checks each, so that a record keeps all of them.
func randomTown(r *rand.Rand) (w town) {
	for i := range 1 + r.IntN(8) {
		n := &naive{domain: string(rune('a'+r.IntN(3))) + ".es", path: fmt.Sprintf("/%d", i)}
		at, status := start.Add(time.Duration(r.IntN(48))*hour), 200
		for range r.IntN(31) {
			if r.IntN(4) == 0 {
				status = []int{200, 200, 404, 404, 503, 0, 429, 410}[r.IntN(8)]
			}
			took := time.Duration(0)
			if status == 200 {
				took = time.Duration(1+r.IntN(1300)) * time.Millisecond
			}
			n.checks = append(n.checks, health.Check{At: at, Status: status, Took: took,
				Outcome: health.OutcomeOf(status)})
			at = at.Add(time.Duration(1+r.IntN(72)) * hour)
		}
		w = append(w, n)
	}
	return w
}

// link returns the link for a summary, whose record takes the checks one after the other.
func (n *naive) link(id int64) health.Link {
	var l link
	for _, c := range n.checks {
		l.Add(health.Observation{Check: c}, 0, settings)
	}
	link := asLink(id, n.domain, &l.Record)
	if link.Path = n.path; len(n.checks) == 0 {
		link.Record = nil
	}
	return link
}

// compareCounts compares the counts, uptime and response times of a summary.
func compareCounts(t *testing.T, w town, s *health.Summary, now time.Time) {
	t.Helper()
	for _, d := range s.Domains {
		want := health.Domain{Name: d.Name}
		var uptime, response []float64
		for _, n := range w {
			if n.domain != d.Name {
				continue
			}
			want.URLs++
			failures, _, _ := n.now(now)
			if failures > 0 {
				want.Failing++
			}
			n.measure(now, &want, &uptime, &response)
		}
		if want.Unchecked > 0 {
			want.LastFull = time.Time{}
		}
		if d.URLs != want.URLs || d.Failing != want.Failing || d.Unchecked != want.Unchecked || d.Days != want.Days ||
			!d.LastFull.Equal(want.LastFull) || d.Uptime.Known != (len(uptime) > 0) ||
			math.Abs(d.Uptime.Value-average(uptime)) > 1e-9 ||
			(d.Response-time.Duration(average(response))).Abs() > time.Millisecond {
			t.Fatalf("at %v:\n got %+v\nwant %+v, %v, %v", now, d, want, uptime, response)
		}
	}
	if last := w.last(); s.Unchecked < len(w) && !s.LastAt.Equal(last) {
		t.Fatalf("last check at %v, want %v", s.LastAt, last)
	}
	urls := 0
	for i, d := range s.Domains {
		urls += d.URLs
		if i > 0 && cmp.Compare(share(s.Domains[i-1]), share(d)) < 0 {
			t.Fatalf("%s stands before %s", s.Domains[i-1].Name, d.Name)
		}
	}
	states := s.Healthy + s.Degraded + s.Inactive + s.Unchecked
	if urls != len(w) || states != len(w) || s.URLs != len(w) || len(s.Rows) != len(w) {
		t.Fatalf("%d URLs: %+v", len(w), s)
	}
}

func share(d health.Domain) float64 { return float64(d.Failing) / float64(max(1, d.URLs-d.Unchecked)) }

func average(list []float64) (sum float64) {
	for _, v := range list {
		sum += v / float64(len(list))
	}
	return sum
}

// measure adds a link to the sums of its domain.
func (n *naive) measure(now time.Time, d *health.Domain, uptime, response *[]float64) {
	list := n.until(now)
	if len(list) == 0 {
		d.Unchecked++
		return
	}
	if last := list[len(list)-1].At; d.LastFull.IsZero() || last.Before(d.LastFull) {
		d.LastFull = last
	}
	all, good, times := 0, 0, []float64(nil)
	for _, c := range list {
		ago := civil(now) - civil(c.At)
		if ago >= health.Days || c.Outcome == health.Excused {
			continue
		}
		all++
		d.Days[health.Days-1-ago].Checks++
		if c.Outcome == health.Answered {
			good++
			d.Days[health.Days-1-ago].Answered++
			times = append(times, float64(c.Took))
		}
	}
	if all > 0 {
		*uptime = append(*uptime, float64(good)/float64(all))
	}
	if len(times) > 0 {
		*response = append(*response, average(times))
	}
}

// civil numbers the days of the zone of the settings.
func civil(t time.Time) int {
	y, m, d := t.In(settings.Zone).Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}
