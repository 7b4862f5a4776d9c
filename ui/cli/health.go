package cli

import (
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/health"
)

// healthOutput are the outputs of visto health; without any it prints a summary for people.
type healthOutput struct {
	report     string // file; reportToStdout: stdout; empty: no report
	prometheus string // file
}

// reportToStdout is the value of --report without a file.
const reportToStdout = "-"

func newHealth(a *app) *cobra.Command {
	var filter filterFlags
	var out healthOutput
	cmd := command("health", "Show which links answer, which fail, and what is new", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(out.file(args), out.mayKeep(a)); err != nil {
				return usage(cmd, err)
			}
			return a.withDesk(cmd.Context(), uses, func(desk *review.Desk) error {
				f, err := filter.filter(cmd, desk, review.Registry())
				if err != nil {
					return err
				}
				return out.write(a, cmd, desk, f)
			})
		})
	filter.register(a, cmd, "accepted,approved")
	cmd.Flags().StringVar(&out.report, "report", "", "write the weekly report as Markdown, to `FILE` or stdout")
	cmd.Flags().Lookup("report").NoOptDefVal = reportToStdout
	cmd.Flags().StringVar(&out.prometheus, "prometheus", "", "write metrics for a node exporter to `FILE`")
	checkFirst(cmd, func() error {
		if out.report != "" && a.json {
			return errors.New("--report is Markdown and --json is not: give one of them")
		}
		return nil
	})
	return cmd
}

// file takes the argument as the file of --report.
func (o *healthOutput) file(args []string) error {
	switch {
	case len(args) == 0:
	case o.report != reportToStdout:
		return errors.New("a file is only for --report")
	default:
		o.report = args[0]
	}
	return nil
}

// mayKeep reports an error if the time of the report cannot be kept.
func (o *healthOutput) mayKeep(a *app) error {
	if o.report != "" && o.report != reportToStdout && a.readOnly {
		return errors.New("--report notes its time in the database, which --read-only forbids")
	}
	return nil
}

// write writes the outputs.
func (o *healthOutput) write(a *app, cmd *cobra.Command, desk *review.Desk, f review.Filter) error {
	now := time.Now()
	sum, err := desk.Health(cmd.Context(), f, now)
	if err != nil {
		return err
	}
	if o.prometheus != "" {
		err := a.printTo(cmd.Context(), o.prometheus, func(w io.Writer) error { return writeMetrics(w, &sum) },
			func() string { return "metrics of " + count(sum.URLs, "URL") })
		if err != nil || o.report == "" && !a.json {
			return err
		}
	}
	if o.report != "" {
		return a.report(cmd, desk, f, o.report, &sum)
	}
	waiting := 0
	if !a.json && !cmd.Flags().Changed("status") {
		f.Statuses = []review.Status{review.Pending, review.Deferred}
		if waiting, err = desk.Count(cmd.Context(), f); err != nil {
			return err
		}
	}
	return a.print(func(w *printer) error {
		if a.json {
			return w.data(healthData(&sum))
		}
		printHealth(w, &sum, waiting)
		return nil
	})
}

// report writes the report. The next one compares with one that was written to a file: on stdout it is a preview.
func (a *app) report(cmd *cobra.Command, desk *review.Desk, f review.Filter, file string, sum *health.Summary) error {
	preview := file == reportToStdout
	if preview {
		file = ""
	}
	err := a.printTo(cmd.Context(), file, func(w io.Writer) error { return writeReport(w, sum) },
		func() string { return "the report on " + count(sum.URLs, "URL") })
	if err != nil || preview {
		return err
	}
	return desk.KeepReport(cmd.Context(), f, sum.At)
}
