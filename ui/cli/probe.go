package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/ui/pane"
)

func newProbe(a *app) *cobra.Command {
	c := &probeCmd{app: a}
	cmd := command("probe [ID|URL...]", "Request URLs that have no evidence, or stale evidence",
		cobra.ArbitraryArgs, c.run)
	c.filter.register(a, cmd, "all but rejected")
	f := cmd.Flags()
	f.IntVar(&c.limit, "limit", 0, "request at most `N` URLs; 0 means all")
	f.BoolVar(&c.refresh, "refresh", false, "request URLs with fresh evidence too, and the whole content")
	f.BoolVar(&c.dryRun, "dry-run", false, "print the URLs to request, and request nothing")
	c.schedule.register(cmd)
	c.network.register(cmd, false)
	cmd.ValidArgsFunction = a.completeIDs(review.Filter{})
	return cmd
}

// probeCmd is one run of visto probe: its flags and its results so far.
type probeCmd struct {
	app      *app
	filter   filterFlags
	network  networkFlags
	schedule scheduleFlags
	limit    int
	refresh  bool
	dryRun   bool

	done   map[int64]bool // by the ID of the target
	counts probeCounts
}

// probeCounts counts the answers and their consequences.
type probeCounts struct {
	answered, failed, walled, robotsBlocked, late int // requests, by their answers
	changed, raised, approved                     int // entries, by the consequence
}

func (c *probeCmd) run(cmd *cobra.Command, args []string) error {
	cfg, err := c.network.config(cmd)
	if err != nil {
		return err
	}
	if err := errors.Join(checkLimit(c.limit), c.schedule.check(cmd.Flags())); err != nil {
		return usage(cmd, err)
	}
	return c.app.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
		filter, err := c.items(cmd, desk, args)
		if err != nil {
			return err
		}
		cfg.Open = c.schedule.hoursOf(desk).Contain
		if c.schedule.watch {
			return c.watch(cmd.Context(), desk, cfg, filter)
		}
		jobs, err := c.jobs(cmd.Context(), desk, filter, len(args) > 0)
		switch {
		case err != nil:
			return err
		case c.dryRun:
			return c.app.print(func(w *printer) error { return c.printJobs(w, jobs) })
		}
		return c.probe(cmd.Context(), desk, cfg, jobs)
	})
}

// items returns the filter for the URLs to request.
func (c *probeCmd) items(cmd *cobra.Command, desk *review.Desk, args []string) (filter review.Filter, err error) {
	unrejected := review.Filter{
		Statuses: []review.Status{review.Pending, review.Accepted, review.Approved, review.Deferred},
	}
	if len(args) > 0 {
		unrejected.Statuses = nil // a URL that is named is wanted, whatever its status
	}
	if filter, err = c.filter.filter(cmd, desk, unrejected); err == nil && len(args) > 0 {
		filter.IDs, err = c.app.ids(cmd.Context(), desk, args)
	}
	return filter, err
}

// jobs returns the URLs to request.
func (c *probeCmd) jobs(ctx context.Context, desk *review.Desk, filter review.Filter, named bool) (
	jobs []review.ProbeJob, err error,
) {
	if c.schedule.due {
		opt := review.DueOptions{Private: c.network.cfg.AllowPrivate, Limit: c.limit}
		jobs, c.schedule.next, err = desk.DueLinks(ctx, filter, c.app.clock.Now(), opt)
		return jobs, err
	}
	if !named && !c.refresh {
		filter.Due = c.app.clock.Now()
	}
	opt := review.ProbeJobOptions{Fresh: c.refresh, Private: c.network.cfg.AllowPrivate}
	jobs, err = desk.ProbeJobs(ctx, filter, opt)
	if c.limit > 0 {
		jobs = jobs[:min(c.limit, len(jobs))]
	}
	return jobs, err
}

// ids finds the items that the arguments name. A URL that several entries share names all of them.
func (a *app) ids(ctx context.Context, desk *review.Desk, args []string) ([]int64, error) {
	names, err := a.names(ctx, args)
	if err != nil {
		return nil, err
	}
	ids := []int64{}
	for _, name := range names {
		items, err := find(ctx, desk, name)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			ids = append(ids, it.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// probeJobJSON is a line of --dry-run --json.
type probeJobJSON struct {
	URL string  `json:"url"` // to request
	IDs []int64 `json:"ids"`
}

func (c *probeCmd) printJobs(w *printer, jobs []review.ProbeJob) error {
	for _, job := range jobs {
		err := w.line(probeJobJSON{job.URL, job.IDs}, "%6d  %s%s\n", job.IDs[0], safe(job.URL), others(job.IDs))
		if err != nil {
			return err
		}
	}
	c.app.warn("%s would be asked\n", count(len(jobs), "URL"))
	return nil
}

// others counts the other entries that share an answer.
func others(ids []int64) string {
	if len(ids) == 1 {
		return ""
	}
	return fmt.Sprintf("  (and for %s)", count(len(ids)-1, "other URL"))
}

// probe sends the requests, prints the results, and sums up.
func (c *probeCmd) probe(ctx context.Context, desk *review.Desk, cfg probe.Config, jobs []review.ProbeJob) error {
	if len(jobs) == 0 {
		c.app.warn("%s\n", c.nothing())
	}
	c.done = map[int64]bool{}
	screen := newProbeScreen(c.app, len(jobs), "URL")
	net := newNetwork(c.app, desk, cfg)
	defer net.close()
	net.cfg.Progress = screen.event
	if _, err := net.ready(ctx); err != nil {
		return err
	}
	run := net.run
	if c.schedule.due {
		run = net.runDue
	}
	err := c.ask(ctx, run, jobs, screen)
	return c.finish(ctx, err, screen)
}

// ask runs the jobs and prints the results above the screen.
func (c *probeCmd) ask(ctx context.Context, run runner, jobs []review.ProbeJob, screen *probeScreen) error {
	defer screen.end()
	return c.app.print(func(w *printer) error {
		return run(ctx, jobs, func(l review.ProbeResult) error {
			c.count(&l)
			return screen.above(func() error { return c.printProbeResult(w, &l) })
		})
	})
}

// runner is network.run or network.runDue.
type runner func(context.Context, []review.ProbeJob, func(review.ProbeResult) error) error

// nothing says why no URL is asked.
func (c *probeCmd) nothing() string {
	switch {
	case !c.schedule.due:
		return "nothing to ask: all evidence is fresh (--refresh asks nevertheless)"
	case c.schedule.next.IsZero():
		return "nothing to ask: no URL will be due"
	}
	return "nothing to ask: the next URL is due at " + timestamp(c.schedule.next)
}

func (c *probeCmd) count(l *review.ProbeResult) {
	if !c.done[l.Report.Target.ID] { // only for the first of the entries that share the answer
		c.done[l.Report.Target.ID] = true
		*c.counts.of(l)++
	}
	if l.Before.Computed.Canonical != l.After.Computed.Canonical {
		c.counts.changed++
	}
	if !l.Before.Open() && l.After.Open() {
		c.counts.raised++
	}
	if gained := l.After.Computed.Flags &^ l.Before.Computed.Flags; gained.Has(canon.ChangedSinceApproval) {
		c.counts.approved++
	}
}

// of returns the counter for a result.
func (n *probeCounts) of(l *review.ProbeResult) *int {
	switch ev := l.Report.Evidence; {
	case l.Postponed != nil:
		return &n.late
	case ev.Robots == "blocked":
		return &n.robotsBlocked
	case ev.Blocked != "":
		return &n.walled
	case ev.Error != "" || ev.Status >= 400:
		return &n.failed
	}
	return &n.answered
}

// finish prints the totals, and advice if the probe did not end.
func (c *probeCmd) finish(ctx context.Context, err error, screen *probeScreen) error {
	n, total := &c.counts, screen.total
	if total > 0 {
		c.app.warn("%d of %s asked in %s: %d answered, %d failed, %d blocked, %d forbidden by robots.txt, %d put off\n",
			len(c.done), count(total, "URL"), time.Since(screen.began).Round(time.Second),
			n.answered, n.failed, n.walled, n.robotsBlocked, n.late)
		c.app.warn("%d canonical URLs changed; %d more URLs wait for a person, %d of them approved ones that changed\n",
			n.changed, n.raised, n.approved)
	}
	var taken *review.LeaseError
	switch {
	case errors.As(err, &taken):
		return withHint(err, "wait until it ends, and probe again for the other URLs")
	case errors.Is(err, probe.ErrClosed):
		c.app.warn("it is not within %s: %d of %s stay due\n", c.schedule.hours, total-len(c.done), count(total, "URL"))
		return nil
	case errors.Is(err, probe.ErrOffline):
		return withHint(err, "the other URLs stay due: probe again once there is a network")
	case err != nil && ctx.Err() != nil:
		c.app.warn("visto: interrupted; the answers so far are stored, and visto probe goes on with the other %d\n",
			total-len(c.done))
		return quiet(statusFailed)
	}
	return err
}

// probeResultJSON is a line of --json: the answer for an entry, and its consequences.
type probeResultJSON struct {
	ID        int64           `json:"id"`
	Original  string          `json:"original"`
	Canonical string          `json:"canonical,omitempty"`
	Before    string          `json:"before,omitempty"` // the canonical URL before, if it changed
	Status    string          `json:"status"`
	Flags     []string        `json:"flags,omitempty"`
	Evidence  *canon.Evidence `json:"evidence,omitempty"`
	Unchanged bool            `json:"unchanged,omitempty"` // the content has not changed
	Postponed *postponedJSON  `json:"postponed,omitempty"`
}

type postponedJSON struct {
	Until string `json:"until"`
	Why   string `json:"why"`
}

func (c *probeCmd) printProbeResult(w *printer, l *review.ProbeResult) error {
	if c.app.json {
		w.data(probeResultData(l))
	} else {
		printProbeResult(w, l)
	}
	return cmp.Or(w.err, w.Flush())
}

func probeResultData(l *review.ProbeResult) probeResultJSON {
	it := &l.After
	data := probeResultJSON{ID: it.ID, Original: it.Original, Canonical: it.Canonical(), Status: it.Status.String(),
		Flags: namesOf(it.Computed.Flags.Codes()), Evidence: l.Report.Evidence, Unchanged: l.Report.Unchanged}
	if before := l.Before.Computed.Canonical; before != it.Computed.Canonical {
		data.Before = before
	}
	if p := l.Postponed; p != nil {
		data.Postponed = &postponedJSON{timestamp(p.Until), p.Why}
	}
	return data
}

// printProbeResult writes the result for an entry: number, answer, URL, and details below.
func printProbeResult(w io.Writer, l *review.ProbeResult) {
	it, ev := &l.After, l.Report.Evidence
	fmt.Fprintf(w, "%6d  %-9s  %s%s\n", it.ID, answerWord(l), safe(pane.Shown(it)), safe(remark(it)))
	below := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "        %-9s  %s\n", name, safe(text))
		}
	}
	if l.Postponed != nil {
		below("put off", "until "+timestamp(l.Postponed.Until)+": "+l.Postponed.Why)
		return
	}
	if before := l.Before.Computed.Canonical; before != it.Computed.Canonical {
		below("was", before)
	}
	below("because", ev.Error)
	below("shown at", ev.Alternative)
	below("archived", ev.ArchiveURL)
}

// answerWord returns the answer in a word.
func answerWord(l *review.ProbeResult) string {
	ev := l.Report.Evidence
	switch {
	case l.Postponed != nil:
		return "later"
	case ev.Robots == "blocked":
		return "robots"
	case ev.TLSError != "":
		return "TLS"
	case ev.Error != "":
		return "no answer"
	case ev.Blocked != "":
		return ev.Blocked
	}
	return fmt.Sprint(ev.Status)
}
