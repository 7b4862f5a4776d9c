package read

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"

	"visto/canon"
)

// EvidenceFile is recorded evidence from a file of JSON lines.
type EvidenceFile struct {
	byURL map[string]*canon.Evidence // by the URL in the line
	hosts canon.Hosts                // of all lines
	clean *canon.Canonicalizer       // finds the host of a URL
}

// Evidence reads evidence: one canon.Evidence a line, as a JSON object. A line is about the URL that it names, an
// original or a canonical one. Its host evidence holds for every URL on those hosts; a line without a URL has host
// evidence only. A later line overrides an earlier one about the same URL or host. Evidence decides URLs without a
// person, so one bad line invalidates the file: any error names file and line, and nothing is returned.
func Evidence(ctx context.Context, name string, r io.Reader, p *canon.Policy) (*EvidenceFile, error) {
	file := &EvidenceFile{byURL: map[string]*canon.Evidence{}, hosts: canon.Hosts{}, clean: canon.New(p, nil)}
	in := &input{ctx: ctx, name: name, r: bufio.NewReaderSize(r, sniffSize)}
	if _, err := in.head(); err != nil {
		return nil, err
	}
	err := in.eachLine(func(l line) error {
		if err := cmp.Or(ctx.Err(), file.add(l)); err != nil {
			return in.failf("line %d: %w", l.number, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f *EvidenceFile) add(l line) error {
	text := strings.TrimSpace(l.text)
	switch {
	case l.long():
		return errors.New(l.why())
	case text == "":
		return nil
	}
	ev, err := parseEvidence(text)
	if err != nil {
		return err
	}
	f.clean.DropPrivate(ev.LangVariants)
	for host, evidence := range ev.Hosts {
		f.addHost(host, evidence)
	}
	if ev.URL == "" {
		return nil
	}
	f.byURL[ev.URL] = ev
	f.addHost(hostOf(f.clean, ev.URL), canon.HostEvidence{HTTPS: ev.HTTPS, PreferredHost: ev.PreferredHost})
	return nil
}

func parseEvidence(text string) (*canon.Evidence, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	ev := &canon.Evidence{}
	if err := dec.Decode(ev); err != nil {
		return nil, err
	}
	if rest, _ := io.ReadAll(dec.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("there is more than one value in the line")
	}
	ev.URL = canon.Trim(ev.URL)
	if ev.Error == "" && hasNoStatus(text) {
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

func (f *EvidenceFile) addHost(host string, evidence canon.HostEvidence) {
	if host = strings.ToLower(host); host != "" && evidence != (canon.HostEvidence{}) {
		f.hosts[host] = f.hosts[host].Update(evidence)
	}
}

// For returns the evidence for a URL: that of its original, else of its canonical URL under the rules of the
// Canonicalizer, with the evidence for all hosts that it passes. It returns nil if the file has none. For may be
// called concurrently, with one Canonicalizer for each goroutine.
func (f *EvidenceFile) For(c *canon.Canonicalizer, raw string) *canon.Evidence {
	r := c.Canonicalize(raw, &canon.Evidence{Hosts: f.hosts})
	own := cmp.Or(f.byURL[r.Original], f.byURL[r.Canonical])
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
		return nil
	}
	return &ev
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
