package review

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"visto/canon"
	"visto/review/fault"
	"visto/review/read"
)

// Found is a URL to add.
type Found struct {
	URL      string
	Title    string
	Place    read.Place
	Record   *read.Record
	Evidence *canon.Evidence // a known URL gets it too
	Checks   []read.Check    // of its link, by their times; a known URL gets them too
}

// FromInput returns a URL from an input as one to add, without evidence.
func FromInput(f read.Found) Found {
	return Found{URL: f.URL, Title: f.Title, Place: f.Place, Record: f.Record}
}

// source returns the place as that where a URL was read first.
func (f *Found) source() Source {
	at := &f.Place
	s := Source{File: at.File, Field: at.Field}
	if s.Position, _, _ = strings.Cut(at.Path, ":"); at.Line > 0 { // else a row of a query
		s.Position = strconv.Itoa(at.Line)
	}
	return s
}

// Input describes the file that Add reads. The zero Input is one of which nothing can be gone, such as standard input.
type Input struct {
	File string // its name, as in read.Place; empty: none

	// Whole reports, once all URLs were yielded, whether the file was read from its start to its end without an error
	// and without a skipped part. Only then are occurrences gone that were not found again. nil: it was not.
	Whole func() bool

	// Takes reports whether strings under the field are read as URLs. The others are not gone.
	Takes func(field string) bool
}

// AddReport is the result of Add. The caller sets Skipped, which only its reader knows.
type AddReport struct {
	Found, Added, Known         int
	Accepted, Flagged, Rejected int // of the added
	Skipped                     int
	Checks                      int // of links, that are new
	Evidence                    int // known URLs that took new evidence
	EvidenceLeft                int // known URLs for which it was older, or a failure of a page that was seen before
	OccurrenceCounts
}

// The limits of a batch: batchURLs URLs, or batchBytes of text and evidence. A batch also ends when the reader
// pauses for batchPause, as a pipe may. The reader is at most readAhead URLs ahead of the batch.
const (
	batchURLs  = 8000
	batchBytes = 4 << 20
	batchPause = time.Second
	readAhead  = 64
)

// Add adds the URLs that found yields to the queue, in batches while found is running, each with the place where it
// stands. It canonicalizes them with their evidence, if any. New host evidence also applies to stored URLs on that
// host. After a file that was read whole, its occurrences that were not found again are gone. Cancelling ctx stops
// Add; batches that were written stay. found runs in another goroutine and has returned when Add returns.
func (d *Desk) Add(
	ctx context.Context, input Input, found func(yield func(Found) error) error,
) (AddReport, error) {
	var report AddReport
	in := startReading(ctx, found)
	intake := Intake{Reviewer: d.reviewer}
	hasEvidence := false
	err := d.ahead(ctx, in, func(p *prepared) error {
		hasEvidence = hasEvidence || slices.ContainsFunc(p.found, func(f Found) bool { return f.Evidence != nil })
		return d.addBatch(ctx, &intake, p, &report)
	})
	if err == nil && input.File != "" && input.Whole != nil && input.Whole() {
		err = d.markGone(ctx, &intake, input)
	}
	report.OccurrenceCounts = intake.OccurrenceCounts
	if hasEvidence {
		err = errors.Join(err, d.Propagate(context.WithoutCancel(ctx)))
	}
	if err == nil && intake.Run > 0 { // something changed
		err = d.Maintain(ctx)
	}
	return report, err
}

// markGone marks the occurrences in the input as gone that the run has not met.
func (d *Desk) markGone(ctx context.Context, intake *Intake, input Input) error {
	return whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		intake.under(r)
		return d.store.MarkGone(ctx, intake, input.File, input.Takes)
	})
}

// under prepares the intake to write results under the rules.
func (in *Intake) under(r *rules) {
	in.Computing = r.computing()
}

// reading is a reader that runs in a goroutine of its own.
type reading struct {
	found chan Found
	ctx   context.Context
	stop  context.CancelFunc
	err   error // of the reader; set before found is closed
}

func startReading(ctx context.Context, found func(yield func(Found) error) error) *reading {
	r := &reading{found: make(chan Found, readAhead)}
	r.ctx, r.stop = context.WithCancel(ctx)
	go func() {
		defer close(r.found)
		r.err = fault.Do(func() error { return found(r.yield) })
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

// batches calls fn with batches of found URLs until fn fails. URLs before an error of the reader are included. The next
// batch overwrites the slice.
func (r *reading) batches(fn func([]Found) error) error {
	defer r.stop()
	batch := make([]Found, 0, batchURLs)
	f, open := <-r.found
	for open {
		came, size := true, 0
		for batch = batch[:0]; open && came && len(batch) < batchURLs && size < batchBytes; f, open, came = r.soon() {
			batch = append(batch, f)
			size += len(f.URL) + len(f.Title) + sizeOf(f.Evidence)
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

// soon returns the next URL. came is false if the reader pauses for batchPause.
func (r *reading) soon() (f Found, open, came bool) {
	select {
	case f, open = <-r.found:
		return f, open, true
	default:
	}
	select {
	case f, open = <-r.found:
		return f, open, true
	case <-time.After(batchPause):
		return f, true, false
	}
}

// prepared is a batch with its results under rules.
type prepared struct {
	found []Found
	rules *rules
	items []NewItem
}

// cleanRecords puts each record as it is stored in its place.
func cleanRecords(found []Found) {
	clean := map[*read.Record]*read.Record{}
	for i := range found {
		r := found[i].Record
		if r != nil && clean[r] == nil {
			clean[r] = cleanRecord(r)
			clean[clean[r]] = clean[r] // prepared again, it is clean
		}
		found[i].Record = clean[r]
	}
}

func (d *Desk) prepare(ctx context.Context, found []Found) (*prepared, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	cleanRecords(found)
	items, err := r.newItems(found)
	return &prepared{found, r, items}, err
}

// ahead calls fn with the batches of the reader, and prepares the next one meanwhile.
func (d *Desk) ahead(ctx context.Context, in *reading, fn func(*prepared) error) error {
	batches := make(chan *prepared)
	var readErr error
	go func() {
		defer close(batches)
		prepare := func(batch []Found) error {
			p, err := d.prepare(ctx, slices.Clone(batch))
			if err != nil {
				return err
			}
			select {
			case batches <- p:
				return nil
			case <-in.ctx.Done():
				return in.ctx.Err()
			}
		}
		readErr = fault.Do(func() error { return in.batches(prepare) })
	}()
	for p := range batches {
		if err := fn(p); err != nil {
			in.stop()
			for range batches { // drain the channel until the reader has stopped
			}
			return err
		}
	}
	return readErr
}

// addBatch adds a batch. If the rules change meanwhile, it prepares the rest again.
func (d *Desk) addBatch(ctx context.Context, intake *Intake, p *prepared, report *AddReport) error {
	return whileStale(func() error {
		for len(p.items) > 0 {
			intake.under(p.rules)
			outcomes, err := d.store.Add(ctx, intake, p.items)
			n := len(outcomes)
			report.count(p.items[:n], outcomes)
			if errChecks := d.addChecks(ctx, p.rules, p.found[:n], outcomes, report); errChecks != nil {
				return errChecks
			}
			if errTaken := d.takeEvidence(ctx, p.found[:n], outcomes, report); errTaken != nil {
				return errTaken
			}
			p.found, p.items = p.found[n:], p.items[n:]
			if !errors.Is(err, ErrStale) {
				return err
			}
			again, prepareErr := d.prepare(ctx, p.found)
			if prepareErr != nil {
				return prepareErr
			}
			if *p = *again; n == 0 {
				return err
			}
		}
		return nil
	})
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
func (r *rules) newItems(batch []Found) ([]NewItem, error) {
	items := make([]NewItem, len(batch))
	part := max(1, (len(batch)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group errgroup.Group
	for from := 0; from < len(batch); from += part {
		group.Go(func() error {
			return fault.Do(func() error {
				c, known := r.engine(), &hostOverlay{all: r.hosts}
				for i := from; i < min(from+part, len(batch)); i++ {
					items[i] = newItem(c, batch[i], known)
				}
				return nil
			})
		})
	}
	return items, group.Wait()
}

func newItem(c *Engine, f Found, known *hostOverlay) NewItem {
	r := c.Canonicalize(f.URL, known.with(f.Evidence), NewFieldSet(f.Place.Field))
	n := NewItem{Original: r.Original, Source: f.source(), Title: cleanText(f.Title), Computed: computedOf(&r),
		Evidence: f.Evidence.Masked(), Due: dueOf(f.Evidence),
		Occurrence: &NewOccurrence{Place: f.Place, Record: f.Record}}
	if n.Evidence != nil && n.Evidence.Title != "" {
		n.Title = n.Evidence.Title
	}
	n.Digest = DigestOf(n.Original, n.Source, n.Title, n.Evidence)
	return n
}
