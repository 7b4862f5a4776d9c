package suggest

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"visto/canon"
	"visto/review"
)

// List mines all stored URLs, stores the result if the desk may write, and returns the suggestions that change URLs on
// the hosts, as override.match.host has them; none stands for all.
func List(ctx context.Context, desk Desk, hosts []string) ([]Suggestion, error) {
	meta, err := desk.Meta(ctx)
	if err != nil {
		return nil, err
	}
	list, err := Mine(ctx, desk, review.Filter{})
	if err != nil {
		return nil, err
	}
	if !desk.ReadOnly() {
		err = keep(ctx, desk, meta.LastSeq, list)
	}
	if err == nil {
		err = addDismissals(ctx, desk, list)
	}
	return slices.DeleteFunc(list, func(s Suggestion) bool { return len(hosts) > 0 && !s.isOn(hosts) }), err
}

// isOn reports whether the suggestion changes URLs on any of the hosts.
func (s *Suggestion) isOn(hosts []string) bool {
	wanted := func(host string) bool {
		return slices.ContainsFunc(hosts, func(h string) bool { return canon.Match{Host: h}.MatchesHost(host) })
	}
	return wanted(s.Host) || slices.ContainsFunc(slices.Collect(maps.Keys(s.reached)), wanted)
}

func keep(ctx context.Context, desk Desk, seq int64, list []Suggestion) error {
	body, err := pack(list)
	if err != nil {
		return fmt.Errorf("storing the suggestions: %w", err)
	}
	return desk.KeepMined(ctx, review.Mined{Seq: seq, Body: body})
}

// MaxUnasked is the number of stored URLs up to which a program may call Renew unasked: it takes a while.
const MaxUnasked = 100_000

// Renew is List if the log has entries that the stored result does not know, and the desk may write. It reports
// whether it was.
func Renew(ctx context.Context, desk Desk) (bool, error) {
	if desk.ReadOnly() {
		return false, nil
	}
	last, err := Last(ctx, desk)
	if err != nil || last != nil && last.Changes == 0 {
		return false, err
	}
	_, err = List(ctx, desk, nil)
	return err == nil, err
}

// Result is the last result of the mining, with its age.
type Result struct {
	List    []Suggestion // as List returns them
	At      time.Time    // when it was stored
	Changes int          // number of log entries since the mining began
}

// Last returns the stored result without the suggestions whose rules are in force by now, nil if there is none that
// this program can read.
func Last(ctx context.Context, desk Desk) (*Result, error) {
	mined, err := desk.Mined(ctx)
	if err != nil || mined == nil {
		return nil, err
	}
	list, ok := unpack(mined.Body)
	if !ok {
		return nil, nil
	}
	meta, err := desk.Meta(ctx)
	if err != nil {
		return nil, err
	}
	if list, err = withoutTaken(ctx, desk, list); err == nil {
		err = addDismissals(ctx, desk, list)
	}
	return &Result{list, mined.At, int(max(0, meta.LastSeq-mined.Seq))}, err
}

// withoutTaken drops the suggestions whose rules would change no rule in force.
func withoutTaken(ctx context.Context, desk Desk, list []Suggestion) ([]Suggestion, error) {
	stored, err := desk.Overrides(ctx)
	rules := make(map[canon.Match]canon.Override, len(stored))
	for _, o := range stored {
		rules[o.Override.Match] = o.Override
	}
	return slices.DeleteFunc(list, func(s Suggestion) bool {
		rule := s.Override()
		was, isThere := rules[rule.Match.Normal()]
		same := review.Amended(was, canon.Override{}) // with lists as Amended makes them
		return isThere && reflect.DeepEqual(review.Amended(was, rule), same)
	}), err
}

// form is the version of packed. A result in another form is as good as none.
const form = 1

// packed is the stored form of a result: JSON, compressed by DEFLATE (RFC 1951).
type packed struct {
	Form int
	List []Suggestion
}

func pack(list []Suggestion) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err == nil {
		err = errors.Join(json.NewEncoder(w).Encode(packed{form, list}), w.Close())
	}
	return out.Bytes(), err
}

// unpack reports whether it can read a packed result.
func unpack(body []byte) ([]Suggestion, bool) {
	var p packed
	err := json.NewDecoder(flate.NewReader(bytes.NewReader(body))).Decode(&p)
	return p.List, err == nil && p.Form == form
}

// addDismissals adds the dismissals in force. One ends when the pages that speak for the suggestion have doubled.
func addDismissals(ctx context.Context, desk Desk, list []Suggestion) error {
	dismissals, err := desk.Dismissals(ctx)
	if err != nil || len(dismissals) == 0 {
		return err
	}
	byID := map[string]*review.Dismissal{}
	for i, d := range dismissals {
		byID[d.ID] = &dismissals[i]
	}
	for i := range list {
		if d := byID[list[i].ID()]; d != nil && list[i].For < 2*max(1, d.Pages) {
			list[i].Dismissed = d
		}
	}
	return nil
}

// Dismiss keeps a suggestion away until the pages that speak for it have doubled. Restore takes that back.
func Dismiss(ctx context.Context, desk Desk, s *Suggestion) error {
	err := desk.Dismiss(ctx, review.Dismissal{ID: s.ID(), Pages: s.For, Reviewer: desk.Reviewer()})
	if err != nil {
		return fmt.Errorf("dismissing the suggestion %s: %w", s.ID(), err)
	}
	return nil
}

// Restore takes the dismissal of a suggestion back. Error: review.ErrNotFound if there is none.
func Restore(ctx context.Context, desk Desk, s *Suggestion) error {
	if err := desk.Undismiss(ctx, s.ID()); err != nil {
		return fmt.Errorf("bringing the suggestion %s back: %w", s.ID(), err)
	}
	return nil
}
