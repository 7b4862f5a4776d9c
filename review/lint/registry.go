package lint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"visto/canon"
	"visto/review"
)

// Registry has the decisions of an export, and asks the rules about the URLs that it lacks. Anybody may have written the
// export, such as the author of a pull request: see citable.
type Registry struct {
	own      map[string]exported
	approved map[string]*review.Decision // by canonical URL
	accepted map[string]bool
	rules    Decisions
}

// exported is an entry with the number of its line. Where a decision is for one record alone there is an entry for each
// occurrence too.
type exported struct {
	Entry
	line   int
	places []placed
}

// placed is the entry for an occurrence.
type placed struct {
	spot
	Entry
	alone bool // the decision is for its record alone
}

// at returns the entry for a citation. One in a place that the export lacks has that of the places without a decision
// of their own; if there is none it waits for a person.
func (e *exported) at(c *Citation) Entry {
	if e.places == nil {
		return e.Entry
	}
	found, best := Entry{Status: review.Pending, Flags: e.Flags}, 0
	for _, p := range e.places {
		if sure := c.likeness(p.spot); sure > best || best == 0 && !p.alone {
			found, best = p.Entry, sure
		}
	}
	return found
}

// exportLine has the fields of a line of an export that count here.
type exportLine struct {
	Original  string
	Canonical string
	Status    *review.Status
	Reason    string
	Flags     []struct{ Code, Detail string }
	PutOff    bool `json:"put_off"`
	Decision  *review.Decision

	Occurrences []exportedPlace
}

type exportedPlace struct {
	File      string
	Record    *struct{ ID, Name string }
	Path      string
	Status    *review.Status
	Canonical string
	Decision  *review.Decision
	Alone     bool
	Changed   bool `json:"changed_since_approval"`
}

// places returns the entries for the occurrences, nil if no decision is for one record alone.
func (l *exportLine) places(e Entry) (list []placed) {
	for _, o := range l.Occurrences {
		if o.Status == nil {
			continue
		}
		p := placed{spot{files: []string{o.File}, none: o.Record == nil, path: o.Path}, e, o.Alone}
		if o.Record != nil {
			p.id, p.name = o.Record.ID, o.Record.Name
		}
		p.Status, p.Canonical, p.Decision = *o.Status, o.Canonical, o.Decision
		if !o.Changed {
			p.Flags = slices.DeleteFunc(slices.Clone(e.Flags), isOutdated)
		}
		list = append(list, p)
	}
	return list
}

func isOutdated(f canon.Flag) bool { return f.Code == canon.ChangedSinceApproval }

// ReadRegistry reads an export in JSONL. An error names the file and the line.
func ReadRegistry(name string, r io.Reader, rules Decisions) (*Registry, error) {
	reg := &Registry{map[string]exported{}, map[string]*review.Decision{}, map[string]bool{}, rules}
	lines := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
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
	own := exported{e, n, line.places(e)}
	r.own[line.Original] = own
	if own.places == nil {
		r.cite(e)
	}
	for _, p := range own.places {
		if p.Canonical != line.Original { // an approval of the URL itself counts in its record alone
			r.cite(p.Entry)
		}
	}
	return nil
}

// cite notes the canonical URL of an entry.
func (r *Registry) cite(e Entry) {
	switch newest := r.approved[e.Canonical]; {
	case e.Status == review.Accepted:
		r.accepted[e.Canonical] = true
	case e.approved() && (newest == nil || e.Decision.At.After(newest.At)):
		r.approved[e.Canonical] = e.Decision
	}
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
	e = Entry{Status: *l.Status, Canonical: l.Canonical, Decision: l.Decision, Reason: l.Reason,
		PutOff: l.PutOff}
	for _, f := range l.Flags {
		code, ok := canon.ParseCode(f.Code)
		if !ok {
			return e, fmt.Errorf("there is no flag %q: a later version of visto may have written it", f.Code)
		}
		e.Flags = append(e.Flags, canon.Flag{Code: code, Detail: f.Detail})
	}
	return e, nil
}
