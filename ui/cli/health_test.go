package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"visto/canon"
	"visto/review/health"
	"visto/ui/cli"
)

// links sums up links on the morning of 2026-02-18, compared with a week before.
type links struct {
	*health.Summarizer
	settings health.Settings
	id       int64
}

func newLinks(t *testing.T) *links {
	t.Helper()
	p, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	s := health.SettingsOf(p)
	now := time.Date(2026, 2, 18, 8, 0, 0, 0, time.UTC)
	return &links{health.Summarize(now, now.AddDate(0, 0, -7), s), s, 0}
}

// add adds a link with checks, and flags that no decision accepts.
func (l *links) add(domain, path string, flags canon.CodeSet, checks ...health.Observation) {
	var r health.Record
	for _, o := range checks {
		r.Add(o, 0, l.settings)
	}
	l.id++
	l.Add(health.Link{ID: l.id, Domain: domain, Path: path, URL: "https://" + domain + path, State: r.State,
		Flags: r.Flags | flags, Record: &r})
}

// seen returns a check at 03:14 on a day of February.
func seen(day, status, ms int, hops ...string) health.Observation {
	c := health.Check{At: time.Date(2026, 2, day, 3, 14, 0, 0, time.UTC), Status: status, Hops: len(hops),
		Outcome: health.OutcomeOf(status), Took: time.Duration(ms) * time.Millisecond}
	return health.Observation{Check: c, Page: &health.Page{Hops: hops}}
}

// TestReport has the form of the weekly report in the link-checking document of Clara's team, with its four URLs.
func TestReport(t *testing.T) {
	l := newLinks(t)
	l.add("sepe.es", "/HomeSepe/Personas/Distribucion-Prestaciones/he-dejado-de-trabajar.html", 0, seen(17, 200, 310),
		seen(18, 200, 342))
	l.add("seg-social.es", "/wps/portal/wss/internet/Trabajadores", 0, seen(10, 404, 0), seen(17, 200, 700),
		seen(18, 200, 1205))
	l.add("sede.madrid.es", "/portal/site/tramites", 0, seen(13, 200, 300), seen(14, 200, 300), seen(15, 404, 0),
		seen(16, 404, 0), seen(17, 404, 0), seen(18, 404, 0))
	l.add("comunidad.madrid", "/servicios/salud/tarjeta-sanitaria", 0, seen(11, 200, 280),
		seen(18, 200, 289, "https://www.comunidad.madrid/salud"))
	l.add("juntadeandalucia.es", "/tramites/ayuda", 0, func() health.Observation {
		o := seen(17, 200, 400)
		o.Certificate = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		return o
	}())
	l.Add(health.Link{ID: 9, Domain: "boe.es", Path: "/nueva"})
	s := l.Done()
	var got bytes.Buffer
	if err := cli.WriteReport(&got, &s); err != nil {
		t.Fatal(err)
	}
	const golden = "../../testdata/health/report.md"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got.String() != string(want) {
		t.Errorf("%v, got:\n%s", err, got.String())
	}
}

// hostile are texts that would break out of a cell, a line or a label.
var hostile = []string{"/a|b|c", "/`code`", "/``", "/a\nb\r\n# c", "/\x1b[31m\u202e", "/<script>&lt;", "/*a*_b_[c](d)!",
	`/back\`, `/slash\|`, "/a\"b", "/\xff", "/`|`", "/ ", "|"}

// TestReportEscapes parses the report of hostile paths and errors: each URL has one row of seven cells, and each issue
// one item, which shows the text.
func TestReportEscapes(t *testing.T) {
	l := newLinks(t)
	for _, evil := range hostile {
		o := seen(18, 0, 0)
		o.Outcome, o.Error = health.Failed, evil
		l.add("a"+strconv.Itoa(int(l.id))+".es", evil, 0, o)
	}
	s := l.Done()
	var report bytes.Buffer
	if err := cli.WriteReport(&report, &s); err != nil {
		t.Fatal(err)
	}
	src := report.Bytes()
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(src))
	rows, items := 0, 0
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *extast.TableRow:
			if entering {
				if rows++; n.ChildCount() != 7 || n.FirstChild().NextSibling().FirstChild().Kind() != ast.KindCodeSpan {
					t.Errorf("row %d has %d cells, or its path is no code", rows, n.ChildCount())
				}
			}
		case *ast.ListItem:
			if entering {
				items++
			}
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Link, *ast.Image, *ast.FencedCodeBlock:
			t.Errorf("there is %s", n.Kind())
		case *ast.Emphasis:
			if n.Level == 1 {
				t.Error("there is emphasis")
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil || rows != len(hostile) || items != len(hostile) || bytes.ContainsAny(src, "\x1b\r") {
		t.Errorf("%v, %d rows and %d items of %d URLs:\n%q", err, rows, items, len(hostile), src)
	}
	html := new(bytes.Buffer)
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(src, html); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/a|b|c", "/`code`", "/&lt;script&gt;&amp;lt;", "/*a*_b_[c](d)!"} {
		if strings.Count(html.String(), want) < 3 {
			t.Errorf("%q is not shown as it is:\n%s", want, html)
		}
	}
}

// The lines of the text format: a comment, or a sample with labels and a number.
var (
	metricHelp   = regexp.MustCompile(`^# HELP ([a-z_:]+) (\S.*\.)$`)
	metricType   = regexp.MustCompile(`^# TYPE ([a-z_:]+) gauge$`)
	metricSample = regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"\})? (\S+)$`)
)

// TestMetrics checks metrics by the rules of promtool check metrics: each metric has help and type before its samples,
// which stand together; no sample comes twice; names have base units and no suffix of a counter; labels are escaped.
func TestMetrics(t *testing.T) {
	l := newLinks(t)
	for _, evil := range append(hostile, `a"b\n`+"\n", "sepe.es") {
		l.add(evil, "/", 0, seen(17, 404, 0), seen(18, 200, 250))
	}
	s := l.Done()
	var out bytes.Buffer
	if err := cli.WriteMetrics(&out, &s); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
		t.Error("the last line does not end")
	}
	var families []string
	samples := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		help := metricHelp.FindStringSubmatch(lines[i])
		if help == nil || i+2 >= len(lines) {
			t.Fatalf("line %d is no help: %q", i+1, lines[i])
		}
		if kind := metricType.FindStringSubmatch(lines[i+1]); kind == nil || kind[1] != help[1] {
			t.Fatalf("line %d is no type of %s: %q", i+2, help[1], lines[i+1])
		}
		if slices.Contains(families, help[1]) || regexp.MustCompile(`_(total|count|sum|bucket|info|ms|milliseconds)$`).
			MatchString(help[1]) {
			t.Errorf("the name %s", help[1])
		}
		families = append(families, help[1])
		i += 2
		for first := i; i < len(lines) && !strings.HasPrefix(lines[i], "#"); i++ {
			m := metricSample.FindStringSubmatch(lines[i])
			if m == nil || m[1] != help[1] {
				t.Fatalf("line %d is no sample of %s: %q", i+1, help[1], lines[i])
			}
			if _, err := strconv.ParseFloat(m[3], 64); err != nil {
				t.Error(err)
			}
			if _, twice := samples[m[1]+m[2]]; twice || i-first > len(hostile)+2 {
				t.Errorf("%s twice", m[1]+m[2])
			}
			samples[m[1]+m[2]] = m[3]
		}
		i--
	}
	for sample, want := range map[string]string{`visto_urls{state="active"}`: fmt.Sprint(len(hostile) + 2),
		`visto_domain_uptime_ratio{domain="sepe.es"}`: "0.5", `visto_domain_response_seconds{domain="sepe.es"}`: "0.25",
		`visto_domain_urls{domain="a\"b\\n\n"}`: "1", `visto_issues{severity="alert"}`: "0",
		`visto_last_check_timestamp_seconds`: fmt.Sprint(time.Date(2026, 2, 18, 3, 14, 0, 0, time.UTC).Unix())} {
		if samples[sample] != want {
			t.Errorf("%s is %q, want %q", sample, samples[sample], want)
		}
	}
}
