package review

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"visto/canon"
	"visto/review/read"
)

// Found is a URL to add.
type Found struct {
	URL      string
	Title    string
	Source   Source
	Evidence *canon.Evidence
}

// FromInput returns a URL from an input as one to add, without evidence.
func FromInput(f read.Found) Found {
	return Found{URL: f.URL, Title: f.Title, Source: Source(f.Source)}
}

// AddReport is the result of Add. The caller sets Skipped, which only its reader knows.
type AddReport struct {
	Found, Added, Known         int
	Accepted, Flagged, Rejected int // of the added
	Skipped                     int
}

// The limits of a batch: addBatch URLs, or addBytes of text. A batch is also written when the reader pauses for
// addPause, as a pipe may. The reader is at most addAhead URLs ahead of the batch.
const (
	addBatch = 8000
	addBytes = 8 << 20
	addPause = time.Second
	addAhead = 64
)

// Add adds the URLs that found yields to the queue, in batches while found is running. It canonicalizes them with
// their evidence, if any. New host evidence also applies to stored URLs on that host. Cancelling ctx stops Add;
// batches that were written stay. found runs in another goroutine and has returned when Add returns.
func (d *Desk) Add(ctx context.Context, found func(yield func(Found) error) error) (AddReport, error) {
	var report AddReport
	in := startReading(ctx, found)
	intake := Intake{Reviewer: d.reviewer}
	hasEvidence := false
	err := in.batches(func(batch []Found) error {
		items, err := d.addBatch(ctx, &intake, batch, &report)
		hasEvidence = hasEvidence || slices.ContainsFunc(items, func(n NewItem) bool { return n.Evidence != nil })
		return err
	})
	if hasEvidence {
		err = errors.Join(err, d.Propagate(context.WithoutCancel(ctx)))
	}
	if err == nil && report.Added > 0 {
		err = d.Maintain(ctx)
	}
	return report, err
}

// reading is a reader that runs in a goroutine of its own.
type reading struct {
	found chan Found
	ctx   context.Context
	stop  context.CancelFunc
	err   error // of the reader; set before found is closed
}

func startReading(ctx context.Context, found func(yield func(Found) error) error) *reading {
	r := &reading{found: make(chan Found, addAhead)}
	r.ctx, r.stop = context.WithCancel(ctx)
	go func() {
		defer close(r.found)
		r.err = found(r.yield)
	}()
	return r
}

func (r *reading) yield(f Found) error {
	if r.ctx.Err() == nil {
		select {
		case r.found <- f:
			return nil
		case <-r.ctx.Done():
		}
	}
	return r.ctx.Err()
}

// batches calls fn with batches of found URLs until fn fails. URLs before an error of the reader are included.
func (r *reading) batches(fn func([]Found) error) error {
	defer r.stop()
	batch := make([]Found, 0, addBatch)
	f, open := <-r.found
	for open {
		came, size := true, 0
		for batch = batch[:0]; open && came && len(batch) < addBatch && size < addBytes; f, open, came = r.soon() {
			batch = append(batch, f)
			size += len(f.URL) + len(f.Title)
		}
		if err := fn(batch); err != nil {
			r.stop()
			for range r.found { // drain the channel until the reader has stopped
			}
			return err
		}
		if !came {
			f, open = <-r.found
		}
	}
	return r.err
}

// soon returns the next URL. came is false if the reader pauses for addPause.
func (r *reading) soon() (f Found, open, came bool) {
	select {
	case f, open = <-r.found:
		return f, open, true
	default:
	}
	select {
	case f, open = <-r.found:
		return f, open, true
	case <-time.After(addPause):
		return f, true, false
	}
}

// addBatch canonicalizes and adds the URLs. If the rules change meanwhile, it starts again with those not yet added.
func (d *Desk) addBatch(ctx context.Context, intake *Intake, batch []Found, report *AddReport) (items []NewItem,
	err error) {
	for len(batch) > 0 && err == nil {
		err = whileStale(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := d.rules(ctx)
			if err != nil {
				return err
			}
			list := r.newItems(batch)
			intake.Gen = r.gen
			outcomes, err := d.store.Add(ctx, intake, list)
			n := len(outcomes)
			report.count(list[:n], outcomes)
			items, batch = append(items, list[:n]...), batch[n:]
			if n > 0 && errors.Is(err, ErrStale) {
				err = nil
			}
			return err
		})
	}
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

// newItems canonicalizes the batch on all cores. It keeps the order.
func (r *rules) newItems(batch []Found) []NewItem {
	items := make([]NewItem, len(batch))
	part := max(1, (len(batch)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for from := 0; from < len(batch); from += part {
		group.Go(func() {
			c := r.canonicalizer()
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
	n := NewItem{Original: r.Original, Source: f.Source, Title: cleanText(f.Title), Computed: computedOf(&r),
		Evidence: f.Evidence.Masked(), Due: dueOf(f.Evidence)}
	if n.Evidence != nil && n.Evidence.Title != "" {
		n.Title = n.Evidence.Title
	}
	n.Digest = DigestOf(n.Original, n.Source, n.Title, n.Evidence)
	return n
}
