package cli

import (
	"time"

	"visto/review/health"
)

// healthJSON is a health.Summary. Times are RFC 3339, and days are, in the zone of the policy; values that are not known are null or left out.
type healthJSON struct {
	At        string          `json:"at"`
	Since     string          `json:"since"`
	URLs      int             `json:"urls"`
	Healthy   int             `json:"healthy"`
	Degraded  int             `json:"degraded"`
	Inactive  int             `json:"inactive"`
	Unchecked int             `json:"unchecked"`
	Failing   int             `json:"failing"`
	Flags     map[string]int  `json:"flags"`
	Uptime    *float64        `json:"uptime_ratio"`
	Response  *int64          `json:"avg_response_ms"`
	LastCheck string          `json:"last_check_at,omitempty"`
	Issues    []issueJSON     `json:"issues"`
	New       []issueJSON     `json:"new"`
	Resolved  []issueJSON     `json:"resolved"`
	Domains   []domainJSON    `json:"domains"`
	Links     []linkHealthRow `json:"links"`
}

type issueJSON struct {
	Kind     health.Kind     `json:"kind"`
	Severity health.Severity `json:"severity"`
	ID       int64           `json:"id,omitempty"`
	Domain   string          `json:"domain"`
	Path     string          `json:"path,omitempty"`
	URLs     int             `json:"urls"`
	Since    string          `json:"since,omitempty"`
	Text     string          `json:"text"`
}

type domainJSON struct {
	Domain    string     `json:"domain"`
	URLs      int        `json:"total_urls"`
	Unchecked int        `json:"unchecked_urls"`
	Failing   int        `json:"failing_urls"`
	Degraded  int        `json:"degraded_urls"`
	Inactive  int        `json:"inactive_urls"`
	Uptime    *float64   `json:"domain_uptime_ratio"`
	Response  *int64     `json:"domain_avg_response_ms"`
	LastFull  string     `json:"last_full_check,omitempty"`
	Issues    int        `json:"issues"`
	Days      []*float64 `json:"days"` // oldest first, today last; null: no check
}

type linkHealthRow struct {
	ID          int64        `json:"id"`
	URL         string       `json:"url"`
	Domain      string       `json:"domain"`
	State       health.State `json:"link_state"`
	LastCheck   string       `json:"last_check_at,omitempty"`
	LastSuccess string       `json:"last_success_at,omitempty"`
	Status      int          `json:"last_status_code,omitempty"`
	Error       string       `json:"error,omitempty"`
	Took        *int64       `json:"response_time_ms"`
	Failures    int          `json:"consecutive_failures"`
	Uptime      *float64     `json:"uptime_ratio"`
	Response    *int64       `json:"avg_response_time_ms"`
	Hops        []string     `json:"redirect_chain,omitempty"`
	Certificate string       `json:"ssl_expiry,omitempty"`
	Flags       []string     `json:"flags"`
	Issues      []string     `json:"issues"`
}

func healthData(s *health.Summary) healthJSON {
	data := healthJSON{At: timeOrNone(s, s.At), Since: timeOrNone(s, s.Before), URLs: s.URLs, Healthy: s.Healthy,
		Degraded: s.Degraded, Inactive: s.Inactive, Unchecked: s.Unchecked, Failing: s.Failing, Flags: named(s.Flags),
		Uptime: ratio(s.Uptime), Response: inMillis(s.Response), LastCheck: timeOrNone(s, s.LastAt),
		Issues: issueData(s, s.Issues), New: issueData(s, s.New), Resolved: issueData(s, s.Resolved),
		Domains: []domainJSON{}, Links: []linkHealthRow{}}
	for i := range s.Domains {
		data.Domains = append(data.Domains, domainData(s, &s.Domains[i]))
	}
	for i := range s.Rows {
		data.Links = append(data.Links, linkData(s, &s.Rows[i]))
	}
	return data
}

func issueData(s *health.Summary, list []health.Issue) []issueJSON {
	data := []issueJSON{}
	for i := range list {
		issue := &list[i]
		data = append(data, issueJSON{issue.Kind, issue.Severity, issue.ID, issue.Domain, issue.Path, issue.URLs,
			timeOrNone(s, issue.Since), issue.Text(s.At)})
	}
	return data
}

func domainData(s *health.Summary, d *health.Domain) domainJSON {
	data := domainJSON{Domain: d.Name, URLs: d.URLs, Unchecked: d.Unchecked, Failing: d.Failing, Degraded: d.Degraded,
		Inactive: d.Inactive, Uptime: ratio(d.Uptime), Response: inMillis(d.Response), LastFull: timeOrNone(s, d.LastFull),
		Issues: d.Issues}
	for _, day := range d.Days {
		data.Days = append(data.Days, ratio(day.Share()))
	}
	return data
}

func linkData(s *health.Summary, r *health.Row) linkHealthRow {
	data := linkHealthRow{ID: r.Link.ID, URL: r.Link.URL, Domain: r.Link.Domain, State: r.Link.State,
		LastCheck: timeOrNone(s, r.Last.At), LastSuccess: timeOrNone(s, r.LastSuccess), Status: r.Last.Status,
		Error: r.Last.Error, Took: inMillis(r.Last.Took), Failures: r.Failures, Uptime: ratio(r.Uptime),
		Response: inMillis(r.Response), Hops: r.Hops, Flags: namesOf(r.Link.Flags.Codes()), Issues: []string{}}
	if !r.Certificate.IsZero() {
		data.Certificate = r.Certificate.In(s.At.Location()).Format(time.DateOnly)
	}
	for _, issue := range r.Issues {
		data.Issues = append(data.Issues, issue.Kind.String())
	}
	return data
}

func ratio(s health.Share) *float64 {
	if !s.Known {
		return nil
	}
	return &s.Value
}

func inMillis(d time.Duration) *int64 {
	if d == 0 {
		return nil
	}
	ms := d.Milliseconds()
	return &ms
}

// timeOrNone writes a time in the zone of the summary.
func timeOrNone(s *health.Summary, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.At.Location()).Format(time.RFC3339)
}
