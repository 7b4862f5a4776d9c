package review

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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
// given for them, if any. A cancelled ctx stops between batches; what was added stays.
func (d *Desk) Add(ctx context.Context, found func(yield func(Found) error) error) (AddReport, error) {
	var report AddReport
	batch := make([]Found, 0, addBatch)
	flush := func() error {
		whole := batch
		batch = batch[:0]
		if err := d.addBatch(ctx, whole, &report); err != nil {
			return fmt.Errorf("adding URLs: %w", err)
		}
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
	return report, err
}

// addBatch canonicalizes and adds the URLs, and starts over if the rules change before they are in.
func (d *Desk) addBatch(ctx context.Context, batch []Found, report *AddReport) error {
	for try := 1; ; try++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		items := r.newItems(batch)
		outcomes, err := d.store.Add(ctx, r.gen, items)
		if err == nil {
			report.count(items, outcomes)
			return nil
		}
		if !errors.Is(err, ErrStale) || try == maxTries {
			return err
		}
	}
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
				items[i] = newItem(c, batch[i])
			}
		})
	}
	group.Wait()
	return items
}

func newItem(c *canon.Canonicalizer, f Found) NewItem {
	r := c.Canonicalize(f.URL, f.Evidence)
	n := NewItem{Original: r.Original, Source: f.Source, Title: cleanText(f.Title), Computed: computedOf(&r), Evidence: f.Evidence}
	if f.Evidence != nil && f.Evidence.Title != "" {
		n.Title = f.Evidence.Title
	}
	return n
}
