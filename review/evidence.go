package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// withHosts adds to a URL's evidence what is known of hosts. What it says itself is newer.
func withHosts(ev *canon.Evidence, hosts canon.Hosts) *canon.Evidence {
	if len(hosts) == 0 {
		return ev
	}
	if ev == nil {
		return &canon.Evidence{Hosts: hosts}
	}
	all := *ev
	all.Hosts = hosts
	if len(ev.Hosts) > 0 {
		all.Hosts = maps.Clone(hosts)
		for host, said := range ev.Hosts {
			all.Hosts[host] = all.Hosts[host].Update(said)
		}
	}
	return &all
}

// aboutHost is the evidence with what it says of its own host among what it says of hosts.
func aboutHost(ev *canon.Evidence, host string) *canon.Evidence {
	said := canon.HostEvidence{HTTPS: ev.HTTPS, PreferredHost: ev.PreferredHost}
	if host == "" || said == (canon.HostEvidence{}) {
		return ev
	}
	all := *ev
	all.Hosts = canon.Hosts{}
	maps.Copy(all.Hosts, ev.Hosts)
	all.Hosts[host] = all.Hosts[host].Update(said)
	return &all
}

// newOfHosts reports whether evidence says something of hosts that is not known.
func (r *rules) newOfHosts(inHost string, ev *canon.Evidence) bool {
	for host, said := range aboutHost(ev, inHost).Hosts {
		if !sameHost(r.hosts[host].Update(said), r.hosts[host]) {
			return true
		}
	}
	return false
}

func sameHost(a, b canon.HostEvidence) bool {
	same := (a.HTTPS == nil) == (b.HTTPS == nil) && a.PreferredHost == b.PreferredHost
	return same && (a.HTTPS == nil || *a.HTTPS == *b.HTTPS)
}

// RelatedHosts returns the hosts whose evidence concerns an item: the given ones and those that its evidence leads to, each with and
// without "www.". Hosts can come twice.
func RelatedHosts(ev *canon.Evidence, hosts ...string) []string {
	if ev != nil {
		hosts = append(hosts, ev.PreferredHost, hostOf(ev.FinalURL))
		hosts = slices.AppendSeq(hosts, maps.Keys(ev.Hosts))
		for _, h := range ev.Hops {
			hosts = append(hosts, hostOf(h.URL))
		}
	}
	var all []string
	for _, h := range hosts {
		if h != "" {
			bare := strings.TrimPrefix(h, "www.")
			all = append(all, bare, "www."+bare)
		}
	}
	return all
}

func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// failedTTL is how long evidence stands that does not say so itself, such as that nobody answered.
const failedTTL = 24 * time.Hour

// goodFor is how long evidence stands from when it was gathered.
func goodFor(ev *canon.Evidence) time.Duration {
	if ev.TTLHours > 0 {
		return time.Duration(ev.TTLHours) * time.Hour
	}
	return failedTTL
}

// dueAfter is when evidence that was gathered at a time is due: not before the server wants to be asked again.
func dueAfter(ev *canon.Evidence, at time.Time) time.Time {
	due := at.Add(goodFor(ev))
	if after, err := time.Parse(time.RFC3339, ev.RetryAfter); err == nil && after.After(due) {
		return after
	}
	return due
}

// dueOf is when evidence is due that says itself when it was gathered and for how long it stands; else it is due at once.
func dueOf(ev *canon.Evidence) time.Time {
	if ev == nil || ev.TTLHours <= 0 {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, ev.FetchedAt)
	if err != nil {
		return time.Time{}
	}
	return dueAfter(ev, at)
}

// said returns what evidence says as JSON, but for what it says of hosts and for how and when it was gathered.
func said(ev *canon.Evidence) []byte {
	var s canon.Evidence
	if ev != nil {
		s = *ev
	}
	s.Hosts, s.ETag, s.LastModified, s.SHA256, s.Size, s.FetchedAt, s.TTLHours, s.Method, s.RetryAfter = nil, "", "", "", 0, "", 0, "", ""
	text, err := json.Marshal(&s)
	if err != nil {
		panic(err) // strings, numbers and maps of them always are JSON
	}
	return text
}

func sameEvidence(a, b *canon.Evidence) bool { return bytes.Equal(said(a), said(b)) }

// Answer says in a few words what the network answered.
func Answer(ev *canon.Evidence) string {
	switch {
	case ev == nil:
		return "nothing is known"
	case ev.Robots == "blocked":
		return "robots.txt forbids asking"
	case ev.Error != "":
		return ev.Error
	case len(ev.Hops) > 0 && ev.FinalURL != "":
		return fmt.Sprintf("%d at %s", ev.Status, ev.FinalURL)
	}
	return fmt.Sprint(ev.Status)
}
