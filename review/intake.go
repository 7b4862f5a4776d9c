package review

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"

	"visto/canon"
)

// Found is a URL that a reader found.
type Found struct {
	URL      string
	Title    string
	Source   Source
	Evidence *canon.Evidence
}

// Skip is something in an input that could not be read.
type Skip struct {
	File string
	Line int // 0: not known
	Why  string
}

// AddReport says what Add did. Skipped is for the caller to fill in, who alone knows what his reader skipped.
type AddReport struct {
	Found, Added, Known         int
	Accepted, Flagged, Rejected int // of the added
	Skipped                     int
}

// addBatch is how many URLs are added in one transaction: a decision made meanwhile waits for no more than that.
const addBatch = 500

// Add takes what a reader found into the queue, in batches, and reports. Found URLs are canonicalized with the evidence
// given for them, if any, and what evidence says of a host goes for all URLs on it, those too that are stored already. A
// cancelled ctx stops between batches; what was added stays.
func (d *Desk) Add(ctx context.Context, found func(yield func(Found) error) error) (AddReport, error) {
	var report AddReport
	news := false
	batch := make([]Found, 0, addBatch)
	flush := func() error {
		whole := batch
		batch = batch[:0]
		items, err := d.addBatch(ctx, whole, &report)
		if err != nil {
			return err
		}
		news = news || slices.ContainsFunc(items, func(n NewItem) bool { return n.Evidence != nil })
		return nil
	}
	err := found(func(f Found) error {
		if batch = append(batch, f); len(batch) < addBatch {
			return nil
		}
		return flush()
	})
	// What was found before the input broke is good.
	if len(batch) > 0 && ctx.Err() == nil {
		err = errors.Join(err, flush())
	}
	if news {
		err = errors.Join(err, d.Spread(context.WithoutCancel(ctx)))
	}
	if err == nil && report.Added > 0 {
		err = d.Tend(ctx)
	}
	return report, err
}

// addBatch canonicalizes and adds the URLs, and starts over if the rules change before they are in.
func (d *Desk) addBatch(ctx context.Context, batch []Found, report *AddReport) (items []NewItem, err error) {
	err = whileStale(func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		items = r.newItems(batch)
		outcomes, err := d.store.Add(ctx, r.gen, items)
		report.count(items[:len(outcomes)], outcomes)
		return err
	})
	return items, err
}

func (a *AddReport) count(items []NewItem, outcomes []AddOutcome) {
	a.Found += len(items)
	for i, o := range outcomes {
		if o.Known {
			a.Known++
			continue
		}
		a.Added++
		switch items[i].Computed.Verdict {
		case canon.Accepted:
			a.Accepted++
		case canon.Flagged:
			a.Flagged++
		case canon.Rejected:
			a.Rejected++
		}
	}
}

// newItems canonicalizes the batch on all cores, in its order.
func (r *rules) newItems(batch []Found) []NewItem {
	items := make([]NewItem, len(batch))
	part := max(1, (len(batch)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for from := 0; from < len(batch); from += part {
		group.Go(func() {
			c := canon.New(r.policy, r.overrides)
			for i := from; i < min(from+part, len(batch)); i++ {
				items[i] = newItem(c, batch[i], r.hosts)
			}
		})
	}
	group.Wait()
	return items
}

func newItem(c *canon.Canonicalizer, f Found, hosts canon.Hosts) NewItem {
	r := c.Canonicalize(f.URL, withHosts(f.Evidence, hosts))
	n := NewItem{Original: r.Original, Source: f.Source, Title: cleanText(f.Title), Computed: computedOf(&r), Evidence: f.Evidence, Due: dueOf(f.Evidence)}
	if f.Evidence != nil && f.Evidence.Title != "" {
		n.Title = f.Evidence.Title
	}
	return n
}

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
			all.Hosts[host] = later(all.Hosts[host], said)
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
	all.Hosts[host] = later(all.Hosts[host], said)
	return &all
}

// newOfHosts reports whether evidence says something of hosts that is not known.
func (r *rules) newOfHosts(inHost string, ev *canon.Evidence) bool {
	for host, said := range aboutHost(ev, inHost).Hosts {
		if !sameHost(later(r.hosts[host], said), r.hosts[host]) {
			return true
		}
	}
	return false
}

// later lays what is said of a host over what was known before.
func later(known, said canon.HostEvidence) canon.HostEvidence {
	if said.HTTPS != nil {
		known.HTTPS = said.HTTPS
	}
	if said.PreferredHost != "" {
		known.PreferredHost = said.PreferredHost
	}
	return known
}

func sameHost(a, b canon.HostEvidence) bool {
	same := (a.HTTPS == nil) == (b.HTTPS == nil) && a.PreferredHost == b.PreferredHost
	return same && (a.HTTPS == nil || *a.HTTPS == *b.HTTPS)
}
