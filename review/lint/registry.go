package lint

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"visto/canon"
	"visto/review"
)

// Registry has the decisions of an export, and asks others about the URLs that it lacks.
type Registry struct {
	own      map[string]exported
	approved map[string]*review.Decision // by canonical URL
	accepted map[string]bool
	rest     Decisions
}

// exported is an entry with the number of its line.
type exported struct {
	Entry
	line int
}

// exportLine has the fields of a line of an export that count here.
type exportLine struct {
	Original  string
	Canonical string
	Status    *review.Status
	Reason    string
	Flags     []struct{ Code, Detail string }
	Decision  *review.Decision
}

// ReadRegistry reads an export in JSONL. An error names the file and the line.
func ReadRegistry(name string, r io.Reader, rest Decisions) (*Registry, error) {
	reg := &Registry{map[string]exported{}, map[string]*review.Decision{}, map[string]bool{}, rest}
	lines := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := reg.add(n, line); err != nil {
				return nil, fmt.Errorf("reading %s:%d: %w", name, n, err)
			}
		}
		if err == io.EOF {
			return reg, nil
		}
	}
}

func (r *Registry) add(n int, text []byte) error {
	var line exportLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	e, err := line.entry()
	if err != nil {
		return err
	}
	if before, twice := r.own[line.Original]; twice {
		if before.Status != e.Status || before.Canonical != e.Canonical {
			return fmt.Errorf("%s is in line %d too, with another decision", line.Original, before.line)
		}
		return nil
	}
	r.own[line.Original] = exported{e, n}
	switch e.Status {
	case review.Accepted:
		r.accepted[e.Canonical] = true
	case review.Approved:
		if newest := r.approved[e.Canonical]; newest == nil || e.Decision.At.After(newest.At) {
			r.approved[e.Canonical] = e.Decision
		}
	}
	return nil
}

// entry checks a line and returns its entry.
func (l *exportLine) entry() (e Entry, err error) {
	switch {
	case l.Original == "" || l.Status == nil:
		return e, errors.New("it is no line of an export with the fields original and status")
	case *l.Status == review.Pending && len(l.Flags) == 0 && l.Decision == nil:
		return e, errors.New("it is pending, and neither the field flags nor the field decision is there")
	case *l.Status == review.Approved && l.Decision == nil:
		return e, errors.New("it is approved, and the field decision is not there")
	case *l.Status == review.Approved && l.Canonical == "", *l.Status == review.Accepted && l.Canonical == "":
		return e, fmt.Errorf("it is %s, and the field canonical is not there", *l.Status)
	}
	e = Entry{Status: *l.Status, Canonical: l.Canonical, Decision: l.Decision, Reason: l.Reason}
	for _, f := range l.Flags {
		code, ok := canon.ParseCode(f.Code)
		if !ok {
			return e, fmt.Errorf("there is no flag %q: a later version of visto may have written it", f.Code)
		}
		e.Flags = append(e.Flags, canon.Flag{Code: code, Detail: f.Detail})
	}
	return e, nil
}

// Entry returns the decision of the export on the URL, or that of others if the export lacks it.
func (r *Registry) Entry(ctx context.Context, c Citation) (Entry, error) {
	k := known{approved: r.approved[c.URL], accepted: r.accepted[c.URL]}
	if own, ok := r.own[c.URL]; ok {
		k.own = &own.Entry
	}
	return k.entry(c.URL, func() (Entry, error) { return r.rest.Entry(ctx, c) })
}
