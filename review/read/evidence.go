package read

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"

	"visto/canon"
)

// EvidenceFile is recorded evidence, as a file of JSON lines has it.
type EvidenceFile struct {
	byURL map[string]*canon.Evidence // by the URL that the line names
	hosts canon.Hosts                // of all lines
	clean *canon.Canonicalizer       // tells the host of a URL
}

// Evidence reads evidence, one canon.Evidence as a JSON object a line. A line belongs to the URL it names, an original or a
// canonical one; what it says of hosts holds for every URL on them, and a line without a URL says nothing else. Of two lines about one
// thing the later one counts. Evidence that is wrong in part is not to be trusted: any error names file and line, and nothing is returned.
func Evidence(ctx context.Context, name string, r io.Reader, p *canon.Policy) (*EvidenceFile, error) {
	file := &EvidenceFile{byURL: map[string]*canon.Evidence{}, hosts: canon.Hosts{}, clean: canon.New(p, nil)}
	in := &input{ctx: ctx, name: name, r: bufio.NewReaderSize(r, sniffed)}
	if _, err := in.head(); err != nil {
		return nil, err
	}
	lines := lines{r: in.r}
	for {
		l, err := lines.next()
		if err == io.EOF {
			return file, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = file.add(l)
		}
		if err != nil {
			return nil, in.failf("line %d: %w", l.number, err)
		}
	}
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
	for host, known := range ev.Hosts {
		f.learn(host, known)
	}
	if ev.URL == "" {
		return nil
	}
	f.byURL[ev.URL] = ev
	f.learn(hostOf(f.clean, ev.URL), canon.HostEvidence{HTTPS: ev.HTTPS, PreferredHost: ev.PreferredHost})
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
	ev.URL = strings.TrimSpace(ev.URL)
	if ev.URL == "" && len(ev.Hosts) == 0 {
		return nil, errors.New(`it names neither a "url" nor "hosts"`)
	}
	return ev, nil
}

// learn lays what is known of a host over what was known before.
func (f *EvidenceFile) learn(host string, known canon.HostEvidence) {
	host = strings.ToLower(host)
	if host == "" || known == (canon.HostEvidence{}) {
		return
	}
	f.hosts[host] = f.hosts[host].Update(known)
}

// For returns the evidence for a URL: what the file says of the original, or of its canonical URL under the Canonicalizer's
// rules, and of the hosts on its way. It is nil if the file says nothing. It may be called concurrently, with a Canonicalizer
// for each goroutine.
func (f *EvidenceFile) For(c *canon.Canonicalizer, raw string) *canon.Evidence {
	r := c.Canonicalize(raw, &canon.Evidence{Hosts: f.hosts})
	own := f.byURL[r.Original]
	if own == nil {
		own = f.byURL[r.Canonical]
	}
	ev := canon.Evidence{}
	if own != nil {
		ev = *own
		ev.Hosts = f.hosts
		r = c.Canonicalize(raw, &ev)
	}
	ev.Hosts = f.on(r.InHost, r.Host, hostOf(c, ev.FinalURL))
	for _, hop := range ev.Hops {
		maps.Copy(ev.Hosts, f.on(hostOf(c, hop.URL)))
	}
	if own == nil && len(ev.Hosts) == 0 {
		return nil
	}
	return &ev
}

// on returns what is known of the hosts, with and without "www.", and of those that they prefer.
func (f *EvidenceFile) on(hosts ...string) canon.Hosts {
	found := canon.Hosts{}
	for _, h := range hosts {
		bare := strings.TrimPrefix(h, "www.")
		for _, h := range []string{bare, "www." + bare} {
			known, ok := f.hosts[h]
			if !ok {
				continue
			}
			found[h] = known
			if preferred, ok := f.hosts[known.PreferredHost]; ok {
				found[known.PreferredHost] = preferred
			}
		}
	}
	return found
}

// hostOf returns the ASCII host of a URL, or "".
func hostOf(c *canon.Canonicalizer, raw string) string {
	if raw == "" {
		return ""
	}
	r := c.Clean(raw)
	return r.InHost
}
