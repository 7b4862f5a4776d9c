package read

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// EvidenceFile is recorded evidence from a file of JSON lines. It keeps the evidence in a temporary file, and only the
// places in memory.
type EvidenceFile struct {
	kept  *os.File
	left  string               // the name of kept, to be removed after closing it; empty: it is removed already
	out   *bufio.Writer        // writes to kept
	size  int64                // of kept
	lines []at                 // by key; of equal keys the last line comes first
	hosts canon.Hosts          // of all lines
	given map[urlKey]bool      // the URLs whose checks were given; nil: there are no checks
	clean *canon.Canonicalizer // finds the host of a URL
	now   time.Time            // a check after it is left out
}

// at is the place of a line in the temporary file. Half a million of them are held, so it is small.
type at struct {
	key   urlKey
	size  uint32
	begin int64
}

// urlKey is the beginning of the SHA-256 of a URL.
type urlKey [12]byte

func urlKeyOf(url string) urlKey {
	sum := sha256.Sum256([]byte(url))
	return urlKey(sum[:])
}

func (k urlKey) compare(other urlKey) int { return bytes.Compare(k[:], other[:]) }

// Evidence reads evidence: one canon.Evidence a line, as a JSON object, or one result of a link check (see
// parseLinkCheck). A line is about the URL that it names, an original or a canonical one. Its host evidence holds for
// every URL on those hosts; a line without a URL has host evidence only. A later line overrides an earlier one about
// the same URL or host. A check after now was made while a clock was wrong, and is left out. Evidence decides URLs
// without a person, so one bad line invalidates the file: any error names file and line, and nothing is returned. The
// caller closes the EvidenceFile.
func Evidence(ctx context.Context, name string, r io.Reader, p *canon.Policy, now time.Time) (*EvidenceFile, error) {
	kept, err := os.CreateTemp("", "visto-evidence-")
	if err != nil {
		return nil, fmt.Errorf("keeping evidence: %w", err)
	}
	file := &EvidenceFile{kept: kept, left: removed(kept.Name()), out: bufio.NewWriter(kept),
		hosts: canon.Hosts{}, clean: canon.New(p, nil), now: now}
	if err := file.read(ctx, name, r); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// removed removes an open file, so that nothing stays of a program that is killed. It returns the name of a file that
// can only be removed after closing it.
func removed(name string) (left string) {
	if os.Remove(name) != nil {
		return name
	}
	return ""
}

// Close removes the temporary file. A nil EvidenceFile has none.
func (f *EvidenceFile) Close() error {
	if f == nil {
		return nil
	}
	err := f.kept.Close()
	if f.left != "" {
		err = errors.Join(err, os.Remove(f.left))
	}
	return err
}

func (f *EvidenceFile) read(ctx context.Context, name string, r io.Reader) error {
	in := &input{ctx: ctx, name: name, r: bufio.NewReaderSize(r, sniffSize)}
	if _, err := in.head(); err != nil {
		return err
	}
	err := in.eachLine(func(l line) error {
		if err := cmp.Or(ctx.Err(), f.add(l)); err != nil {
			return in.failf("line %d: %w", l.number, err)
		}
		return nil
	})
	slices.SortFunc(f.lines, func(a, b at) int { return cmp.Or(a.key.compare(b.key), cmp.Compare(b.begin, a.begin)) })
	return cmp.Or(err, f.out.Flush())
}

func (f *EvidenceFile) add(l line) error {
	text := strings.TrimSpace(l.text)
	switch {
	case l.long():
		return errors.New(l.why())
	case text == "":
		return nil
	}
	check, err := parseLinkCheck(text)
	ev := (*canon.Evidence)(nil)
	if check != nil {
		ev = &check.Evidence
	} else if err == nil {
		ev, err = parseEvidence(text)
	}
	if err != nil || check != nil && check.At().After(f.now) {
		return err
	}
	f.clean.DropPrivate(ev.LangVariants)
	for host, evidence := range ev.Hosts {
		f.addHost(host, evidence)
	}
	if ev.URL == "" {
		return nil
	}
	f.addHost(hostOf(f.clean, ev.URL), ev.OwnHost())
	if check == nil {
		return f.keep(keptLine{Check: Check{Evidence: *ev}})
	}
	f.given = map[urlKey]bool{}
	return f.keep(keptLine{true, *check})
}

// keptLine is a line in the temporary file.
type keptLine struct {
	IsCheck bool `json:",omitempty"` // else only the evidence is there
	Check
}

// keep writes a line to the temporary file.
func (f *EvidenceFile) keep(l keptLine) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f.lines = append(f.lines, at{urlKeyOf(l.Evidence.URL), uint32(len(text)), f.size})
	f.size += int64(len(text))
	if _, err = f.out.Write(text); err != nil {
		err = fmt.Errorf("keeping it: %w", err)
	}
	return err
}

// about returns the evidence of the first of the URLs that has some, or nil: its last line, or if that is a check
// with a time, the newest check.
func (f *EvidenceFile) about(urls ...string) (*canon.Evidence, error) {
	lines := f.linesOf(urls...)
	if len(lines) == 0 {
		return nil, nil
	}
	last, err := f.line(lines[0])
	for _, l := range lines[1:] {
		if err != nil || !last.IsCheck || last.At().IsZero() {
			break
		}
		var earlier keptLine
		if earlier, err = f.line(l); earlier.IsCheck && earlier.At().After(last.At()) {
			last = earlier
		}
	}
	return &last.Evidence, err
}

// linesOf returns the lines about the first of the URLs that has some.
func (f *EvidenceFile) linesOf(urls ...string) []at {
	for _, u := range urls {
		key := urlKeyOf(u)
		i, ok := slices.BinarySearchFunc(f.lines, key, func(l at, k urlKey) int { return l.key.compare(k) })
		if !ok {
			continue
		}
		end := i
		for end < len(f.lines) && f.lines[end].key == key {
			end++
		}
		return f.lines[i:end]
	}
	return nil
}

func (f *EvidenceFile) line(l at) (kept keptLine, err error) {
	text := make([]byte, l.size)
	if _, err := f.kept.ReadAt(text, l.begin); err != nil {
		return kept, fmt.Errorf("reading kept evidence: %w", err)
	}
	return kept, json.Unmarshal(text, &kept)
}

// Checks returns the checks of a URL whose times are known, by these. They are about its original or else its canonical
// URL, as For says. Each URL gets them once: of later calls the result is empty. Only one goroutine may call Checks.
func (f *EvidenceFile) Checks(c *canon.Canonicalizer, raw string) (list []Check, err error) {
	if f == nil || f.given == nil || f.given[urlKeyOf(raw)] {
		return nil, nil
	}
	f.given[urlKeyOf(raw)] = true
	r := c.Canonicalize(raw, nil)
	for _, l := range f.linesOf(r.Original, r.Canonical) {
		kept, err := f.line(l)
		if err != nil {
			return nil, err
		}
		if kept.IsCheck && !kept.At().IsZero() {
			list = append(list, kept.Check)
		}
	}
	slices.SortStableFunc(list, func(a, b Check) int { return a.At().Compare(b.At()) })
	return list, nil
}

// parseEvidence returns the evidence of a line, which is a JSON object.
func parseEvidence(text string) (*canon.Evidence, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	ev := &canon.Evidence{}
	if err := dec.Decode(ev); err != nil {
		return nil, withoutGo(err)
	}
	ev.URL = canon.Trim(ev.URL)
	if ev.Error == "" && ev.Status == 0 && hasNoStatus(text) {
		ev.Error = "status 000"
	}
	if ev.URL == "" && len(ev.Hosts) == 0 {
		return nil, errors.New(`it names neither a "url" nor "hosts"`)
	}
	return ev.Masked(), nil
}

// hasNoStatus reports whether a line says that the status is 0, as curl does where no answer came.
func hasNoStatus(text string) bool {
	var said struct{ Status *int }
	return json.Unmarshal([]byte(text), &said) == nil && said.Status != nil && *said.Status == 0
}

// addHost adds evidence about a host. A preferred host counts as seen unless the file says how it was reached.
func (f *EvidenceFile) addHost(host string, evidence canon.HostEvidence) {
	if evidence.PreferredHost != "" && evidence.Reached.By == "" {
		evidence.Reached.By = canon.ByFile
	}
	if host = strings.ToLower(host); host != "" && evidence != (canon.HostEvidence{}) {
		f.hosts[host] = f.hosts[host].Update(evidence)
	}
}

// For returns the evidence for a URL: that of its original, else of its canonical URL under the rules of the
// Canonicalizer, with the evidence for all hosts that it passes. It returns nil if the file has none. For may be
// called concurrently, with one Canonicalizer for each goroutine.
func (f *EvidenceFile) For(c *canon.Canonicalizer, raw string) (*canon.Evidence, error) {
	r := c.Canonicalize(raw, &canon.Evidence{Hosts: f.hosts})
	own, err := f.about(r.Original, r.Canonical)
	if err != nil {
		return nil, err
	}
	ev := canon.Evidence{}
	if own != nil {
		ev = *own
		ev.Hosts = f.hosts
		r = c.Canonicalize(raw, &ev)
	}
	ev.Hosts = f.hostsOf(r.InHost, r.Host, hostOf(c, ev.FinalURL))
	for _, hop := range ev.Hops {
		maps.Copy(ev.Hosts, f.hostsOf(hostOf(c, hop.URL)))
	}
	if own == nil && len(ev.Hosts) == 0 {
		return nil, nil
	}
	return &ev, nil
}

// hostsOf returns the evidence for the hosts with and without "www.", and for the hosts that they prefer.
func (f *EvidenceFile) hostsOf(hosts ...string) canon.Hosts {
	found := canon.Hosts{}
	for _, h := range hosts {
		bare := strings.TrimPrefix(h, "www.")
		for _, h := range []string{bare, "www." + bare} {
			if evidence, ok := f.hosts[h]; ok {
				found[h] = evidence
				if preferred, ok := f.hosts[evidence.PreferredHost]; ok {
					found[evidence.PreferredHost] = preferred
				}
			}
		}
	}
	return found
}

// hostOf returns the ASCII host of a URL, or "".
func hostOf(c *canon.Canonicalizer, raw string) string {
	return c.Clean(raw).InHost
}
