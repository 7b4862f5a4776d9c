package suggest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
)

// List brings the stored suggestions up to date and returns those on the hosts, as override.match.host has them; none
// stands for all. On a desk that may not write it mines them anew. Error: review.ErrStale if another program updates
// them all the time.
func List(ctx context.Context, desk Desk, hosts []string) ([]Suggestion, error) {
	if desk.ReadOnly() {
		list, err := Mine(ctx, desk, review.Filter{Hosts: hosts})
		if err == nil {
			err = addDismissals(ctx, desk, list)
		}
		return list, err
	}
	_, err := Update(ctx, desk)
	for range maxUpdates {
		if !errors.Is(err, review.ErrStale) {
			break
		}
		_, err = Update(ctx, desk)
	}
	if err != nil {
		return nil, err
	}
	list, err := Stored(ctx, desk)
	if err != nil || len(hosts) == 0 {
		return list, err
	}
	return onHosts(ctx, desk, list, hosts)
}

// maxUpdates limits the tries of an update while others update too.
const maxUpdates = 3

// onHosts returns the suggestions that change URLs on the hosts.
func onHosts(ctx context.Context, desk Desk, list []Suggestion, hosts []string) ([]Suggestion, error) {
	wanted := func(host string) bool {
		return slices.ContainsFunc(hosts, func(h string) bool { return canon.Match{Host: h}.MatchesHost(host) })
	}
	changes := map[string]bool{} // names of suggestions for several hosts
	packer := newPacker()
	err := desk.EachMined(ctx, reachPart, nil, nil, func(p review.MinedPart) error {
		var byHost map[string]int
		err := packer.unpack(p.Body, &byHost)
		for host := range byHost {
			changes[p.Name] = changes[p.Name] || wanted(host)
		}
		return err
	})
	return slices.DeleteFunc(list, func(s Suggestion) bool {
		return !wanted(s.Host) && !(s.Host == "*" && changes[hashOf(s.Template)])
	}), err
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
