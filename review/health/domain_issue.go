package health

import (
	"cmp"
	"slices"
	"time"
)

// domainSum is a Domain in the making.
type domainSum struct {
	Domain
	uptime, response mean
	now, before      condition
	active           []compared // issues of its links
	resolved         []Issue
}

// compared is an issue with whether it is new.
type compared struct {
	Issue
	isNew bool
}

// The conditions of whole domains, from the link-checking document of Clara's team.
const (
	darkAfter    = 14 * day
	expiredAfter = 7 * day
	minFailing   = 2 // one failing URL is an issue of its own
)

// MostFail reports whether so many of a domain's URLs fail that the domain is the cause: more than half, and not one.
func MostFail(failing, urls int) bool { return failing >= minFailing && 2*failing > urls }

// condition is the condition of a domain at a time.
type condition struct {
	checked, failing int
	failedAt         time.Time // of the URL that failed last for the first time
	certificate      time.Time // earliest end that a later check has met; zero: none
	urls             [kindCount]int
}

func (c *condition) add(m *moment, list kinds) {
	if m.last == nil {
		return
	}
	c.checked++
	if m.failures > 0 {
		c.failing++
		if m.failedAt.After(c.failedAt) {
			c.failedAt = m.failedAt
		}
	}
	ended := !m.certificate.IsZero() && m.certificate.Before(m.last.At)
	if ended && (c.certificate.IsZero() || m.certificate.Before(c.certificate)) {
		c.certificate = m.certificate
	}
	for _, k := range list.list() {
		c.urls[k]++
	}
}

// kinds returns the issues of the domain at a time.
func (c *condition) kinds(at time.Time) (k kinds) {
	switch {
	case c.failing > 0 && c.failing == c.checked && at.Sub(c.failedAt) >= darkAfter:
		k = k.with(DomainDark)
	case MostFail(c.failing, c.checked):
		k = k.with(DomainFailing)
	}
	switch {
	case !c.certificate.IsZero() && at.Sub(c.certificate) >= expiredAfter:
		k = k.with(DomainExpired)
	case c.urls[CertificateEnds] > 0:
		k = k.with(CertificateEnds)
	}
	if c.urls[LeavesAllowlist] > 0 {
		k = k.with(LeavesAllowlist)
	}
	return k
}

// replaces returns the kinds of issues of links for which issues of the domain stand.
func (s kinds) replaces() kinds {
	replaced := kinds(1<<CertificateEnds | 1<<LeavesAllowlist)
	if s.hasLike(DomainFailing) {
		replaced |= failed
	}
	return replaced
}

// issues returns the issues of the domain and its links, and those that are resolved.
func (d *domainSum) issues(now, before time.Time) (active []compared, resolved []Issue) {
	are, were := d.now.kinds(now), d.before.kinds(before)
	for _, k := range are.list() {
		active = append(active, compared{d.issue(k), !were.hasLike(k)})
	}
	for _, c := range d.active {
		if !are.replaces().has(c.Kind) {
			active = append(active, c)
		}
	}
	for _, k := range were.list() {
		if !are.hasLike(k) {
			resolved = append(resolved, Issue{Kind: k, Domain: d.Name, URLs: d.before.count(k)})
		}
	}
	for _, issue := range d.resolved {
		if !were.replaces().has(issue.Kind) {
			resolved = append(resolved, issue)
		}
	}
	return active, resolved
}

// hasLike reports whether the set has an issue of a domain, or one that it turns into or comes from.
func (s kinds) hasLike(k Kind) bool {
	switch k {
	case DomainDark, DomainFailing:
		return s.has(DomainDark) || s.has(DomainFailing)
	case CertificateEnds, DomainExpired:
		return s.has(CertificateEnds) || s.has(DomainExpired)
	}
	return s.has(k)
}

// count returns the number of URLs that an issue of the domain is about.
func (c *condition) count(k Kind) int {
	switch k {
	case DomainDark, DomainFailing:
		return c.failing
	case DomainExpired:
		return max(1, c.urls[CertificateEnds])
	}
	return c.urls[k]
}

// issue returns an issue of the domain now. It has the fields of the first link with it, and is about that alone if it
// is the only one.
func (d *domainSum) issue(k Kind) Issue {
	var links []Issue
	for _, c := range d.active {
		if c.Kind == k || k == DomainExpired && c.Kind == CertificateEnds ||
			(k == DomainDark || k == DomainFailing) && failed.has(c.Kind) {
			links = append(links, c.Issue)
		}
	}
	slices.SortStableFunc(links, func(a, b Issue) int { return a.Since.Compare(b.Since) })
	first := links[0]
	issue := Issue{Kind: k, Severity: Alert, Domain: d.Name, Since: first.Since, URLs: len(links),
		Certificate: first.Certificate, Stray: first.Stray}
	switch k {
	case DomainDark:
		issue.Since = links[len(links)-1].Since
	case DomainFailing:
		issue.Since = links[(d.now.checked)/2].Since // since then more than half
		issue.Severity = slices.MaxFunc(links, bySeverity).Severity
	case DomainExpired:
		issue.Since, issue.Certificate = d.now.certificate, d.now.certificate
	case CertificateEnds:
		issue.Severity = Warning
	}
	if len(links) == 1 && k >= LeavesAllowlist {
		first.Severity = issue.Severity
		return first
	}
	return issue
}

func bySeverity(a, b Issue) int { return cmp.Compare(a.Severity, b.Severity) }

// checkedAt notes the time of the last check of a link.
func (d *domainSum) checkedAt(at time.Time) {
	if d.LastFull.IsZero() || at.Before(d.LastFull) {
		d.LastFull = at
	}
}

// done returns the finished Domain.
func (d *domainSum) done() Domain {
	d.Uptime, d.Response = d.uptime.share(), d.response.duration()
	if d.Unchecked > 0 {
		d.LastFull = time.Time{}
	}
	return d.Domain
}

func compareRows(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Link.Domain, b.Link.Domain), cmp.Compare(a.Link.Path, b.Link.Path),
		cmp.Compare(a.Link.ID, b.Link.ID))
}
