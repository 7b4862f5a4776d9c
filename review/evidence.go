package review

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/probe/extract"
)

// withHosts returns the evidence of a URL with all host evidence. Host evidence of its own takes precedence.
func withHosts(ev *canon.Evidence, hosts canon.Hosts) *canon.Evidence {
	return (&hostOverlay{all: hosts}).with(ev)
}

// hostOverlay adds all host evidence to the evidence of one URL after the other. It belongs to one goroutine.
type hostOverlay struct {
	all    canon.Hosts    // shared, never written to
	merged canon.Hosts    // of all, with the own host evidence of one URL; nil until a URL has some that is new
	own    []string       // the hosts in merged that differ from all
	ev     canon.Evidence // the last result
}

// with returns the evidence of a URL with all host evidence. Host evidence of its own takes precedence. The result
// holds until the next call.
func (o *hostOverlay) with(ev *canon.Evidence) *canon.Evidence {
	if len(o.all) == 0 {
		return ev
	}
	o.reset()
	if ev == nil {
		o.ev = canon.Evidence{Hosts: o.all}
		return &o.ev
	}
	o.ev = *ev
	o.ev.Hosts = o.all
	for host, own := range ev.Hosts {
		if both := o.all[host].Update(own); !both.Same(o.all[host]) {
			o.set(host, both)
			o.ev.Hosts = o.merged
		}
	}
	return &o.ev
}

func (o *hostOverlay) set(host string, h canon.HostEvidence) {
	if o.merged == nil {
		o.merged = maps.Clone(o.all)
	}
	o.merged[host] = h
	o.own = append(o.own, host)
}

// reset makes merged equal to all again.
func (o *hostOverlay) reset() {
	for _, host := range o.own {
		if h, ok := o.all[host]; ok {
			o.merged[host] = h
		} else {
			delete(o.merged, host)
		}
	}
	o.own = o.own[:0]
}

// withOwnHost returns the evidence with what it says about the host of its URL as host evidence.
func withOwnHost(ev *canon.Evidence, host string) *canon.Evidence {
	own := ev.OwnHost()
	if host == "" || own == (canon.HostEvidence{}) {
		return ev
	}
	all := *ev
	all.Hosts = canon.Hosts{}
	maps.Copy(all.Hosts, ev.Hosts)
	all.Hosts[host] = all.Hosts[host].Update(own)
	return &all
}

// hasHostNews reports whether evidence changes the known host evidence.
func (r *rules) hasHostNews(inHost string, ev *canon.Evidence) bool {
	for host, own := range withOwnHost(ev, inHost).Hosts {
		if !r.hosts[host].Update(own).Same(r.hosts[host]) {
			return true
		}
	}
	return false
}

// sizeOf returns about how many bytes of memory evidence takes.
func sizeOf(ev *canon.Evidence) int {
	if ev == nil {
		return 0
	}
	const fields, entry = 1000, 100 // without the bytes of long texts
	n := fields + entry*(len(ev.Hops)+len(ev.LangVariants)+len(ev.Caveats)+len(ev.Hosts))
	n += len(ev.Title) + len(ev.Error)
	for _, hop := range ev.Hops {
		n += len(hop.URL)
	}
	for _, url := range ev.LangVariants {
		n += len(url)
	}
	for _, caveat := range ev.Caveats {
		n += len(caveat)
	}
	return n
}

// RelatedHosts returns the hosts whose evidence concerns an item: the given ones and those in its evidence, each with
// and without "www.". A host may occur twice.
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

// failedTTL is the TTL of evidence without one of its own, such as that of a failed fetch.
const failedTTL = 24 * time.Hour

// dueAfter returns when evidence gathered at a time is due: after its TTL, and not before its RetryAfter.
func dueAfter(ev *canon.Evidence, at time.Time) time.Time {
	due := at.Add(cmp.Or(time.Duration(max(0, ev.TTLHours))*time.Hour, failedTTL))
	if after, err := time.Parse(time.RFC3339, ev.RetryAfter); err == nil && after.After(due) {
		return after
	}
	return due
}

// dueOf returns when evidence with a time and a TTL of its own is due. Other evidence is due at once: the zero time.
func dueOf(ev *canon.Evidence) time.Time {
	if ev != nil && ev.TTLHours > 0 {
		if at, err := time.Parse(time.RFC3339, ev.FetchedAt); err == nil {
			return dueAfter(ev, at)
		}
	}
	return time.Time{}
}

// evidenceContent returns the evidence as JSON, without host evidence and without the circumstances of the fetch.
// Canonical URLs depend on it alone, so the log has to hold it.
func evidenceContent(ev *canon.Evidence) []byte {
	var s canon.Evidence
	if ev != nil {
		s = *ev
	}
	s.Hosts, s.ETag, s.LastModified, s.SHA256, s.Size, s.FetchedAt, s.TTLHours, s.Method, s.RetryAfter = nil, "", "",
		"", 0, "", 0, "", ""
	text, err := json.Marshal(&s)
	if err != nil {
		panic(err) // cannot happen: all fields are strings, numbers and maps of them
	}
	// A byte that is not UTF-8 is written as an escape, and once read back as the character: both are the same.
	return bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\uFFFD"))
}

func sameEvidence(a, b *canon.Evidence) bool {
	return bytes.Equal(evidenceContent(a), evidenceContent(b))
}

// maskedContent returns the content of a page without user and password of the URLs in its texts, as canon.MaskUsers.
func maskedContent(doc *extract.Document) (*extract.Document, error) {
	text, err := json.Marshal(doc)
	if doc == nil || err != nil || bytes.IndexByte(text, '@') < 0 {
		return doc, err
	}
	var tree any
	if err = json.Unmarshal(text, &tree); err == nil {
		text, err = json.Marshal(maskedTree(tree))
	}
	var masked extract.Document
	if err == nil {
		err = json.Unmarshal(text, &masked)
	}
	return &masked, err
}

// maskedTree masks all texts of a value that JSON was read into.
func maskedTree(v any) any {
	switch v := v.(type) {
	case string:
		return canon.MaskUsers(v)
	case []any:
		for i := range v {
			v[i] = maskedTree(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = maskedTree(v[key])
		}
	}
	return v
}

// Answer summarizes the answer of the network in a few words.
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
