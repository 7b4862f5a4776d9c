package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"visto/review/health"
)

// writeReport writes the weekly report in the form of the link-checking document of Clara's team.
func writeReport(to io.Writer, s *health.Summary) error {
	w := bufio.NewWriter(to)
	total := func(name string, n int) { fmt.Fprintf(w, "**%s:** %d%s\n", name, n, ofAll(n, s.URLs)) }
	fmt.Fprintf(w, "## Link Health Report -- Week of %s\n\n", monday(s.At).Format(time.DateOnly))
	fmt.Fprintf(w, "**Total URLs monitored:** %d\n", s.URLs)
	total("Healthy", s.Healthy)
	total("Degraded", s.Degraded)
	total("Down", s.Inactive)
	if s.Unchecked > 0 {
		total("Never checked", s.Unchecked)
	}
	fmt.Fprintf(w, "**New issues this week:** %d\n**Resolved this week:** %d\n\n", len(s.New), len(s.Resolved))
	reportRows(w, s)
	io.WriteString(w, "\n### Active Issues\n\n")
	for i := range s.Issues {
		issue := &s.Issues[i]
		fmt.Fprintf(w, "%d. **%s** -- %s\n", i+1, inCell(issue.Domain+issue.Path), inCell(issue.Text(s.At)))
	}
	if len(s.Issues) == 0 {
		io.WriteString(w, "None.\n")
	}
	return w.Flush()
}

// reportRows writes the table of the URLs.
func reportRows(w io.Writer, s *health.Summary) {
	io.WriteString(w, "| Domain | URL (path) | Last Check | Status | Response (ms) | Uptime 30d | Issues |\n"+
		"|--------|------------|------------|--------|---------------|------------|--------|\n")
	for i := range s.Rows {
		r := &s.Rows[i]
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", inCell(r.Link.Domain), codeInCell(r.Link.Path),
			minute(r.Last.At, s.At.Location()), statusOf(r), milliseconds(r), uptime(r.Uptime), inCell(shortIssues(r, s.At)))
	}
	if left := s.URLs - len(s.Rows); left > 0 {
		fmt.Fprintf(w, "\n%s without an issue left out.\n", count(left, "URL"))
	}
}

// none stands for a value that is not known.
const none = "--"

// minute writes a time in a zone, with its offset from UTC.
func minute(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return none
	}
	return at.In(zone).Format("2006-01-02T15:04Z07:00")
}

func statusOf(r *health.Row) string {
	switch {
	case r.Last.Status != 0:
		return strconv.Itoa(r.Last.Status)
	case r.Checked() && r.Last.Outcome == health.Failed:
		return "error"
	}
	return none
}

func milliseconds(r *health.Row) string {
	if r.Last.Outcome != health.Answered || r.Last.Took == 0 {
		return none
	}
	return strconv.FormatInt(r.Last.Took.Milliseconds(), 10)
}

func uptime(s health.Share) string {
	if !s.Known {
		return none
	}
	return percent(s.Value)
}

func shortIssues(r *health.Row, now time.Time) string {
	var words []string
	for i := range r.Issues {
		words = append(words, r.Issues[i].Short(now))
	}
	return cmp.Or(strings.Join(words, ", "), none)
}

// ofAll writes a share of all in brackets.
func ofAll(n, all int) string {
	if all == 0 {
		return ""
	}
	return " (" + percent(float64(n)/float64(all)) + ")"
}

// percent writes a share with one decimal. Only nothing is 0%, and only everything 100%.
func percent(share float64) string {
	switch {
	case share == 0:
		return "0%"
	case share == 1:
		return "100%"
	}
	return fmt.Sprintf("%.1f%%", min(99.9, max(0.1, 100*share)))
}

// monday returns the first day of the week of a time.
func monday(t time.Time) time.Time {
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

// inCell makes untrusted text fit for one line or one cell of Markdown: it shows as it is.
func inCell(text string) string {
	if text == none {
		return text
	}
	var b strings.Builder
	for _, r := range safe(text) {
		if strings.ContainsRune("\\`*_[]<|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeInCell makes untrusted text a code span of a cell. A code span has no escapes, except that of the cell for a
// pipe, so its fence is longer than any run of backticks in it.
func codeInCell(text string) string {
	text = strings.ReplaceAll(safe(text), "|", `\|`)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text == "" || strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
