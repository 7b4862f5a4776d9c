package pane

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/ui/term"
)

// Probe is the state of a network probe of a URL, running or finished.
type Probe struct {
	Running bool
	Result  *review.ProbeResult // nil while running
	Failed  string              // why it failed; trusted

	activity  string // the current request or pause; untrusted
	exchanges []probe.Exchange
}

// Take records an event of the probe.
func (p *Probe) Take(e probe.Event) {
	switch e.Kind {
	case probe.Asking:
		p.activity = e.Exchange.Method + " " + e.Exchange.URL
	case probe.Waiting:
		p.activity = fmt.Sprintf("waiting %s: %s", e.Wait.Round(100*time.Millisecond), e.Why)
	case probe.Answered:
		p.activity = ""
		p.exchanges = append(p.exchanges, e.Exchange)
	}
}

// SetProbe sets the probe of an item, which is drawn while that item is shown; nil removes it.
func (d *Detail) SetProbe(id int64, p *Probe) {
	if d.probed == id && d.probe == nil && p == nil {
		return
	}
	d.probed, d.probe, d.stale = id, p, true
}

// currentProbe returns the probe of the shown item, nil if there is none.
func (d *Detail) currentProbe() *Probe {
	if id, _ := d.ID(); d.probe == nil || id != d.probed {
		return nil
	}
	return d.probe
}

// probe adds the current probe: its state, its requests, and once finished the evidence.
func (p *page) probe(d *Detail) {
	run := d.currentProbe()
	if run == nil {
		return
	}
	p.add("")
	p.probeLine(d)
	if run.Result != nil && run.Result.Report.Evidence != nil {
		p.fields(EvidenceFields(run.Result.Report.Evidence, time.Time{}))
		return
	}
	for _, x := range run.exchanges {
		p.field(purpose(x), x.Method+" "+x.URL+": "+cmp.Or(x.Error, fmt.Sprint(x.Status)))
	}
}

// probeLine adds the state of the probe in a line or a few.
func (p *page) probeLine(d *Detail) {
	switch run := d.currentProbe(); {
	case run == nil:
	case run.Running:
		p.hang(p.th.Accent, "… ", "asking the network: "+cmp.Or(term.Safe(term.Clip(run.activity, 300)), "one moment"))
	case run.Result != nil:
		p.hang(p.th.OK, "✓ ", "the network, asked just now: "+Outcome(run.Result))
	default:
		p.hang(p.th.Error, "! ", "asking the network: "+run.Failed)
	}
}

// purpose returns the purpose of a request for the reviewer.
func purpose(x probe.Exchange) string {
	names := map[string]string{
		"browser": "the browser", "robots": "robots.txt", "host": "the host", "archive": "the archive",
		"answer": "another URL",
	}
	return cmp.Or(names[x.Purpose], "the page")
}

// Outcome returns the answer of the network and its consequences in one line of safe text.
func Outcome(l *review.ProbeResult) string {
	if l.Postponed != nil {
		return term.Safe(fmt.Sprintf("not before %s: %s", Stamp(l.Postponed.Until), l.Postponed.Why))
	}
	before, after := l.Before.Computed, l.After.Computed
	text := answerText(l.Report.Evidence)
	switch {
	case after.Verdict == canon.Rejected && before.Verdict != canon.Rejected:
		text += "; the URL is rejected: " + after.Reason.String()
	case before.Canonical != after.Canonical:
		text += "; the canonical URL is " + term.Clip(after.Canonical, 300)
	}
	for _, c := range []struct {
		name  string
		flags canon.CodeSet
	}{{"raised", after.Flags &^ before.Flags}, {"cleared", before.Flags &^ after.Flags}} {
		if c.flags.Len() > 0 {
			text += "; " + c.name + ": " + codes(c.flags)
		}
	}
	if before.Canonical == after.Canonical && before.Flags == after.Flags && before.Verdict == after.Verdict {
		text += "; nothing else than was known"
	}
	return term.Safe(text)
}

// answerText returns the answer and the number of redirects that led to it.
func answerText(ev *canon.Evidence) string {
	text := review.Answer(&canon.Evidence{Status: ev.Status, Error: ev.Error, Robots: ev.Robots})
	if ev.Status > 0 && ev.Status < 400 && ev.Title != "" {
		text += " “" + term.Clip(ev.Title, 60) + "”"
	}
	switch n := len(ev.Hops); {
	case n == 1:
		text += " after a redirect"
	case n > 1:
		text += fmt.Sprintf(" after %d redirects", n)
	}
	if ev.ArchiveURL != "" {
		text += ", and there is a copy in the web archive"
	}
	return text
}

func codes(set canon.CodeSet) string {
	var names []string
	for _, c := range set.Codes() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}
