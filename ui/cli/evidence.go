package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"strings"

	"visto/canon"
)

// evidenceSet is recorded evidence by the URL it belongs to. What a line knows of hosts holds for every URL.
type evidenceSet struct {
	byURL map[string]*canon.Evidence
	hosts canon.Hosts
}

// loadEvidence reads a file of evidence, one JSON object a line. No file is an empty set.
func loadEvidence(path string) (*evidenceSet, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	return parseEvidence(path, data)
}

func parseEvidence(name string, data []byte) (*evidenceSet, error) {
	set := &evidenceSet{byURL: map[string]*canon.Evidence{}, hosts: canon.Hosts{}}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err := set.add(text); err != nil {
			return nil, fmt.Errorf("reading evidence: %s:%d: %w", name, line, err)
		}
	}
	for _, ev := range set.byURL {
		ev.Hosts = set.hostsOf(ev)
	}
	return set, nil
}

// add takes one line. Unknown keys are errors: a misspelled one would silently be no evidence.
func (s *evidenceSet) add(line []byte) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	var ev canon.Evidence
	if err := dec.Decode(&ev); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one object on the line")
	}
	maps.Copy(s.hosts, ev.Hosts)
	if ev.URL == "" && len(ev.Hosts) == 0 {
		return errors.New("neither url nor hosts: what is it evidence of?")
	}
	if ev.URL != "" {
		s.byURL[ev.URL] = &ev
	}
	return nil
}

// find returns what is known about a URL: evidence recorded for the original as it came or, failing that, for
// its canonical form without evidence; failing that, what is known of its host. nil means nothing is known.
func (s *evidenceSet) find(original string, bare *canon.Canonicalizer) *canon.Evidence {
	if s == nil {
		return nil
	}
	if ev, ok := s.byURL[strings.TrimSpace(original)]; ok {
		return ev
	}
	r := bare.Canonicalize(original, nil)
	if ev, ok := s.byURL[r.Canonical]; ok {
		return ev
	}
	if hosts := s.named(r.InHost, r.Host); len(hosts) > 0 {
		return &canon.Evidence{Hosts: hosts}
	}
	return nil
}

// hostsOf returns what is known of the hosts that a piece of evidence names.
func (s *evidenceSet) hostsOf(ev *canon.Evidence) canon.Hosts {
	names := []string{hostOf(ev.URL), hostOf(ev.FinalURL), ev.PreferredHost}
	for _, hop := range ev.Hops {
		names = append(names, hostOf(hop.URL))
	}
	for _, variant := range ev.LangVariants {
		names = append(names, hostOf(variant))
	}
	return s.named(names...)
}

func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// named returns what is known of these hosts, each with and without www., for rule 5 looks both up.
func (s *evidenceSet) named(names ...string) canon.Hosts {
	hosts := canon.Hosts{}
	for _, name := range names {
		bare := strings.TrimPrefix(name, "www.")
		for _, n := range []string{bare, "www." + bare} {
			if known, ok := s.hosts[n]; ok {
				hosts[n] = known
			}
		}
	}
	return hosts
}
