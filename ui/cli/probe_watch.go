package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/watch"
	"visto/store/rows"
)

// scheduleFlags are the flags of visto probe for links that are due.
type scheduleFlags struct {
	due, watch bool
	between    string

	hours *watch.Hours // nil: at any time
	next  time.Time    // when the next link is due
}

func (s *scheduleFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&s.due, "due", false, "request the URLs whose link is to be checked again, by priority")
	f.BoolVar(&s.watch, "watch", false, "stay, and request each URL when it is due, until ctrl-c")
	f.StringVar(&s.between, "between", "",
		"with --due or --watch: request only in these `HOURS`, such as 02:00-06:00")
}

// check refuses flags that do not go together, and wrong hours.
func (s *scheduleFlags) check(flags *pflag.FlagSet) error {
	for _, pair := range [][2]string{{"due", "refresh"}, {"watch", "refresh"}, {"watch", "limit"},
		{"watch", "dry-run"}} {
		if flags.Changed(pair[0]) && flags.Changed(pair[1]) {
			return fmt.Errorf("--%s does not go with --%s", pair[1], pair[0])
		}
	}
	if s.between == "" {
		return nil
	}
	if !s.due && !s.watch {
		return errors.New("--between is for --due or --watch")
	}
	if _, err := watch.ParseHours(s.between, time.UTC); err != nil {
		return fmt.Errorf("--between: %w", err)
	}
	return nil
}

// hoursOf returns the hours of the flag in the time zone of the desk's policy.
func (s *scheduleFlags) hoursOf(desk *review.Desk) *watch.Hours {
	if s.between != "" {
		s.hours, _ = watch.ParseHours(s.between, health.SettingsOf(desk.Policy()).Zone) // check has read it
	}
	return s.hours
}

// watch requests the URLs of the filter whenever they are due, until ctx ends.
func (c *probeCmd) watch(ctx context.Context, desk *review.Desk, cfg probe.Config, filter review.Filter) error {
	net := newNetwork(c.app, desk, cfg)
	defer net.close()
	if _, err := net.ready(ctx); err != nil {
		return err
	}
	var told string
	w := watch.Watch{Desk: desk, Clock: c.app.clock, Hours: c.schedule.hours, Filter: filter,
		Due: review.DueOptions{Private: cfg.AllowPrivate},
		Ask: func(ctx context.Context, jobs []review.ProbeJob) error { return c.round(ctx, net, jobs) },
		Tell: func(wait watch.Wait) {
			if text := c.waiting(wait); text != told {
				told = text
				c.app.warn("%s\n", text)
			}
		}}
	lease := review.NewWatchLease(desk, rows.ThisProcess(), c.app.clock.Now)
	err := lease.Alone(ctx, w.Run)
	if ctx.Err() != nil {
		c.app.warn("stopped; the answers so far are stored: %d answered, %d failed, %d blocked, %d forbidden by "+
			"robots.txt, %d put off\n", c.counts.answered, c.counts.failed, c.counts.walled, c.counts.robotsBlocked,
			c.counts.late)
		return nil
	}
	if _, taken := errors.AsType[*review.LeaseError](err); taken {
		return withHint(err, "one is enough: it checks all URLs")
	}
	return err
}

// round requests the URLs that are due now. It shows its progress on a terminal alone: a log has the answers.
func (c *probeCmd) round(ctx context.Context, net *network, jobs []review.ProbeJob) error {
	c.done = map[int64]bool{}
	screen := newProbeScreen(c.app, len(jobs), "URL")
	if screen.live {
		net.cfg.Progress = screen.event
	}
	return c.ask(ctx, net.runDue, jobs, screen)
}

// waiting says why nothing is asked.
func (c *probeCmd) waiting(w watch.Wait) string {
	switch w.Why {
	case watch.Closed:
		return "asking nothing until " + timestamp(w.Until) + ": it is not within " + c.schedule.hours.String()
	case watch.Offline:
		return "waiting for the network: " + w.Err.Error()
	case watch.Busy:
		return "waiting for another program: " + w.Err.Error()
	}
	if w.Until.IsZero() {
		return "nothing is due until URLs are added"
	}
	return "nothing is due until " + timestamp(w.Until)
}
