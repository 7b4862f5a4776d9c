package cli

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"visto/canon"
	"visto/review/health"
)

// metrics writes gauges in the text format of Prometheus (prometheus.io, exposition formats, version 0.0.4).
type metrics struct{ *bufio.Writer }

// family begins a metric.
func (m metrics) family(name, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// value writes a sample with at most one label.
func (m metrics) value(name, label, value string, n float64) {
	if label != "" {
		name += "{" + label + `="` + labelEscapes.Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"}`
	}
	fmt.Fprintf(m, "%s %s\n", name, strconv.FormatFloat(n, 'f', -1, 64))
}

// single writes a metric of one sample.
func (m metrics) single(name, help string, n float64) {
	m.family(name, help)
	m.value(name, "", "", n)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// writeMetrics writes a summary for the textfile collector of a node exporter. Values that are not known are left out.
func writeMetrics(to io.Writer, s *health.Summary) error {
	m := metrics{bufio.NewWriter(to)}
	m.family("visto_urls", "Monitored URLs by state.")
	for _, state := range []struct {
		name string
		n    int
	}{{"active", s.Healthy}, {"degraded", s.Degraded}, {"inactive", s.Inactive}, {"unchecked", s.Unchecked}} {
		m.value("visto_urls", "state", state.name, float64(state.n))
	}
	m.single("visto_failing_urls", "URLs whose last check failed.", float64(s.Failing))
	m.family("visto_flagged_urls", "URLs by raised flag.")
	for _, flag := range health.Flags.Codes() {
		m.value("visto_flagged_urls", "flag", flag.String(), float64(s.Flags[canon.Code(flag)]))
	}
	m.issues(s)
	if s.Uptime.Known {
		m.single("visto_uptime_ratio", "Mean share of answered checks of a URL in 30 days.", s.Uptime.Value)
	}
	if s.Response > 0 {
		m.single("visto_response_seconds", "Mean time of an answer in 30 days.", s.Response.Seconds())
	}
	if !s.LastAt.IsZero() {
		m.single("visto_last_check_timestamp_seconds", "Time of the newest check.", float64(s.LastAt.Unix()))
	}
	m.single("visto_summary_timestamp_seconds", "Time of these metrics.", float64(s.At.Unix()))
	m.domains(s)
	return m.Flush()
}

func (m metrics) issues(s *health.Summary) {
	counts := map[health.Severity]int{}
	for _, issue := range s.Issues {
		counts[issue.Severity]++
	}
	m.family("visto_issues", "Active issues by severity.")
	for _, severity := range health.Severities() {
		m.value("visto_issues", "severity", severity.String(), float64(counts[severity]))
	}
}

// domains writes the metrics of each domain, all samples of a metric together.
func (m metrics) domains(s *health.Summary) {
	for _, family := range []struct {
		name, help string
		value      func(d *health.Domain) (float64, bool)
	}{
		{"visto_domain_urls", "Monitored URLs of a domain.",
			func(d *health.Domain) (float64, bool) { return float64(d.URLs), true }},
		{"visto_domain_failing_urls", "URLs of a domain whose last check failed.",
			func(d *health.Domain) (float64, bool) { return float64(d.Failing), true }},
		{"visto_domain_uptime_ratio", "Mean share of answered checks of a URL of a domain in 30 days.",
			func(d *health.Domain) (float64, bool) { return d.Uptime.Value, d.Uptime.Known }},
		{"visto_domain_response_seconds", "Mean time of an answer of a domain in 30 days.",
			func(d *health.Domain) (float64, bool) { return d.Response.Seconds(), d.Response > 0 }},
		{"visto_domain_last_full_check_timestamp_seconds", "Time since which all URLs of a domain were checked.",
			func(d *health.Domain) (float64, bool) { return unix(d.LastFull), !d.LastFull.IsZero() }},
	} {
		begun := false
		for i := range s.Domains {
			n, known := family.value(&s.Domains[i])
			if !known {
				continue
			}
			if !begun {
				m.family(family.name, family.help)
				begun = true
			}
			m.value(family.name, "domain", s.Domains[i].Name, n)
		}
	}
}

func unix(t time.Time) float64 { return float64(t.Unix()) }
