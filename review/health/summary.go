package health

import (
	"maps"
	"slices"
	"time"

	"visto/canon"
)

// Link is a link for a Summary.
type Link struct {
	ID       int64
	Domain   string        // see Domain.Name
	Path     string        // the rest of the URL
	URL      string        // under which its page is cited
	State    State         // under the decision in force
	Flags    canon.CodeSet // of Flags, those that no decision accepts
	Approved time.Time     // of the newest decision that approves it; zero: there is none
	Stray    string        // host off the allowlist to which it redirects; empty: none
	Record   *Record       // nil: there was no check
}

// Rank is higher for a link that does worse: by its State, a failure of the last check, its Flags, and then the time of
// that check. A link without a check has the lowest rank.
func (l *Link) Rank() uint64 {
	if l.Record == nil || l.Record.Last() == nil {
		return 0
	}
	failing := uint64(0)
	if l.Record.Failures > 0 {
		failing = 1
	}
	flags := uint64(len(l.Flags.Codes()))
	return uint64(l.State)<<56 | failing<<55 | flags<<48 | uint64(l.Record.Last().At.Unix())
}

// Summary sums up many links at a time.
type Summary struct {
	At     time.Time // in the zone of the settings
	Before time.Time // New and Resolved are the differences from then; in that zone too

	URLs      int
	Healthy   int // State Active, and checked
	Degraded  int
	Inactive  int
	Unchecked int
	Failing   int // the last check failed, whatever the State

	Flags    map[canon.Code]int // URLs by flag of Flags
	Uptime   Share              // mean of the URLs
	Response time.Duration      // mean of the URLs; 0: not known
	LastAt   time.Time          // of the newest check

	Domains  []Domain // the worst first
	Issues   []Issue  // active ones, the worst first
	New      []Issue  // of Issues, those that were none before
	Resolved []Issue  // that were issues before, and are none now

	// Rows are the URLs with an issue by domain and path; all URLs if these are at most MaxRows.
	Rows []Row
}

// MaxRows is the number of URLs of which Summary.Rows has all.
const MaxRows = 1000

// Row is one URL of a Summary.
type Row struct {
	Link        Link          // without its Record
	Last        Check         // the zero Check: there was none
	LastSuccess time.Time     // zero: none is kept
	Failures    int           // in a row
	Certificate time.Time     // its end; zero: not known
	Hops        []string      // redirects of the last page that was read
	Uptime      Share         // of the last Days
	Response    time.Duration // mean of the last Days; 0: not known
	Issues      []Issue
}

// Checked reports whether there was a check.
func (r *Row) Checked() bool { return !r.Last.At.IsZero() }

// Summarizer makes a Summary of links that it takes one after the other. It keeps only those with an issue.
type Summarizer struct {
	Summary
	settings         Settings
	calendar         calendar
	uptime, response mean
	domains          map[string]*domainSum
	brief            bool // without Rows and issues
}

// Brief returns a Summarizer for the time now that counts only: its Summary has no Rows and no issues, and takes
// memory for the domains alone.
func Brief(now time.Time, s Settings) *Summarizer {
	z := Summarize(now, now, s)
	z.brief = true
	return z
}

// Summarize returns a Summarizer for the time now that compares with an earlier time.
func Summarize(now, before time.Time, s Settings) *Summarizer {
	return &Summarizer{
		Summary:  Summary{At: now.In(s.Zone), Before: before.In(s.Zone), Flags: map[canon.Code]int{}},
		settings: s, calendar: newCalendar(now, s.Zone), domains: map[string]*domainSum{},
	}
}

// Add takes the next link.
func (z *Summarizer) Add(l Link) {
	d := z.domains[l.Domain]
	if d == nil {
		d = &domainSum{Domain: Domain{Name: l.Domain}}
		z.domains[l.Domain] = d
	}
	d.URLs++
	z.URLs++
	var m moment
	if l.Record != nil {
		m = l.Record.at(z.At, z.settings)
	}
	row := Row{Link: l}
	row.Link.Record = nil
	if m.last == nil {
		d.Unchecked++
		z.Unchecked++
	} else {
		m.state = l.State
		z.count(d, &l, &m, &row)
	}
	if z.brief {
		return
	}
	if len(row.Issues) > 0 || z.URLs <= MaxRows {
		z.Rows = append(z.Rows, row)
	}
	if z.URLs == MaxRows+1 {
		z.Rows = slices.DeleteFunc(z.Rows, func(r Row) bool { return len(r.Issues) == 0 })
	}
}

// count counts a link that was checked.
func (z *Summarizer) count(d *domainSum, l *Link, m *moment, row *Row) {
	switch l.State {
	case Active:
		z.Healthy++
	case Degraded:
		z.Degraded++
		d.Degraded++
	case Inactive:
		z.Inactive++
		d.Inactive++
	}
	if m.failures > 0 {
		z.Failing++
		d.Failing++
	}
	for _, flag := range l.Flags.Codes() {
		z.Flags[flag]++
	}
	row.Last, row.Failures, row.Certificate, row.Hops = *m.last, m.failures, m.certificate, l.Record.Page.Hops
	z.measure(d, l.Record, row)
	d.checkedAt(m.last.At)
	if m.last.At.After(z.LastAt) {
		z.LastAt = m.last.At
	}
	if !z.brief {
		z.compare(d, l, m, row)
	}
}

// measure takes uptime and response times from the checks of a link.
func (z *Summarizer) measure(d *domainSum, r *Record, row *Row) {
	var all Day
	var took mean
	for _, c := range slices.Backward(r.Checks) {
		i, recent := z.calendar.day(c.At)
		switch {
		case c.At.After(z.At):
			continue
		case c.Outcome == Answered && row.LastSuccess.IsZero():
			row.LastSuccess = c.At
		}
		if !recent || c.Outcome == Excused {
			continue
		}
		d.Days[i].Checks++
		all.Checks++
		if c.Outcome == Answered {
			d.Days[i].Answered++
			all.Answered++
			if c.Took > 0 {
				took.add(float64(c.Took))
			}
		}
	}
	row.Uptime, row.Response = all.Share(), took.duration()
	if row.Uptime.Known {
		z.uptime.add(row.Uptime.Value)
		d.uptime.add(row.Uptime.Value)
	}
	if took.n > 0 {
		z.response.add(took.share().Value)
		d.response.add(took.share().Value)
	}
}

// compare notes the issues of a link, now and before.
func (z *Summarizer) compare(d *domainSum, l *Link, m *moment, row *Row) {
	s := z.settings
	now := m.kinds(s) | l.raised()
	earlier := l.Record.at(z.Before, z.settings)
	var before kinds
	if earlier.last != nil {
		before = earlier.kinds(s) | l.raisedAt(z.Before)
	}
	d.now.add(m, now)
	d.before.add(&earlier, before)
	for _, k := range now.list() {
		issue := l.issue(k, m, s)
		row.Issues = append(row.Issues, issue)
		d.active = append(d.active, compared{issue, !before.has(k) && !(failed.has(k) && before&failed != 0)})
	}
	for _, k := range (before &^ now).list() {
		if !failed.has(k) || now&failed == 0 {
			d.resolved = append(d.resolved, l.issue(k, &earlier, s))
		}
	}
}

func (l *Link) issue(k Kind, m *moment, s Settings) Issue {
	return Issue{Kind: k, Severity: k.severity(m), ID: l.ID, Domain: l.Domain, Path: l.Path, Since: l.since(k, m, s),
		URLs: 1, Status: m.last.Status, Error: m.last.Error, Failures: m.failures, State: m.state,
		Certificate: m.certificate, Stray: l.Stray}
}

// Done returns the summary of the links.
func (z *Summarizer) Done() Summary {
	sum := z.Summary
	sum.Uptime, sum.Response = z.uptime.share(), z.response.duration()
	for _, name := range slices.Sorted(maps.Keys(z.domains)) {
		d := z.domains[name]
		active, resolved := d.issues(z.At, z.Before)
		for _, c := range active {
			sum.Issues = append(sum.Issues, c.Issue)
			if c.isNew {
				sum.New = append(sum.New, c.Issue)
			}
		}
		sum.Resolved = append(sum.Resolved, resolved...)
		d.Domain.Issues = len(active)
		sum.Domains = append(sum.Domains, d.done())
	}
	for _, list := range [][]Issue{sum.Issues, sum.New, sum.Resolved} {
		slices.SortFunc(list, compareIssues)
	}
	slices.SortFunc(sum.Domains, compareDomains)
	slices.SortFunc(sum.Rows, compareRows)
	return sum
}
