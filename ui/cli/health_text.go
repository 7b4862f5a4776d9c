package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"visto/review/health"
	"visto/ui/pane"
)

// issuesShown is the number of issues of a severity in the output for people.
const issuesShown = 20

// printHealth writes a summary for people. Besides its URLs as many wait for a review.
func printHealth(w io.Writer, s *health.Summary, waiting int) {
	since := "since " + pane.CheckStamp(s, s.Before)
	rows := [][]any{{"URLs", s.URLs, "last checked " + pane.CheckStamp(s, s.LastAt)}}
	part := func(name string, n int, text string) { rows = append(rows, []any{name, n, text}) }
	part("  healthy", s.Healthy, share(s.Healthy, s.URLs))
	part("  degraded", s.Degraded, share(s.Degraded, s.URLs))
	part("  inactive", s.Inactive, share(s.Inactive, s.URLs))
	part("  never checked", s.Unchecked, share(s.Unchecked, s.URLs))
	if waiting > 0 {
		part("in review", waiting, "not counted here: --status all")
	}
	part("failing", s.Failing, "at the last check")
	part("new issues", len(s.New), since)
	part("resolved", len(s.Resolved), since)
	table(w, rows...)
	fmt.Fprintf(w, "\nuptime %s, answers in %s, mean of %d days\n", uptime(s.Uptime), took(s.Response), health.Days)
	for _, severity := range health.Severities() {
		printIssues(w, s, severity)
	}
	printDomains(w, s)
}

func share(n, all int) string { return strings.Trim(ofAll(n, all), " ()") }

func took(d time.Duration) string {
	if d == 0 {
		return none
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// printIssues writes the active issues of a severity.
func printIssues(w io.Writer, s *health.Summary, severity health.Severity) {
	n := 0
	for i := range s.Issues {
		issue := &s.Issues[i]
		if issue.Severity != severity {
			continue
		}
		if n == 0 {
			fmt.Fprintf(w, "\n%s\n", strings.ToUpper(severity.String()))
		}
		if n++; n <= issuesShown {
			fmt.Fprintf(w, "  %s -- %s\n", safe(issue.Domain+issue.Path), safe(issue.Text(s.At)))
		}
	}
	if n > issuesShown {
		fmt.Fprintf(w, "  and %d more\n", n-issuesShown)
	}
}

func printDomains(w io.Writer, s *health.Summary) {
	var rows [][]any
	for i, d := range s.Domains {
		if i == hostsShown {
			rows = append(rows, []any{fmt.Sprintf("and %d more", len(s.Domains)-i), ""})
			break
		}
		rows = append(rows, []any{d.Name, d.URLs, d.Failing, uptime(d.Uptime), took(d.Response),
			pane.CheckStamp(s, d.LastFull), pane.Trend(&d)})
	}
	printCounts(w, []any{"DOMAIN", "URLS", "FAILING", "UPTIME", "ANSWERS", "ALL CHECKED SINCE", "30 DAYS"}, rows)
}
