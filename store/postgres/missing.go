package postgres

import (
	"context"
	"errors"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
)

var errMissing = errors.New("not yet on PostgreSQL")

// LogStore: ?

// EvidenceStore: C
func (s *Store) Evidence(ctx context.Context, id int64) (out *canon.Evidence, err error) {
	return out, errMissing
}
func (s *Store) Hosts(ctx context.Context, after int64) (out canon.Hosts, err error) {
	return out, errMissing
}
func (s *Store) PendingHosts(ctx context.Context) (out []string, err error) { return out, errMissing }
func (s *Store) MarkPropagated(ctx context.Context, hosts []string, gen int64) error {
	return errMissing
}
func (s *Store) Refresh(ctx context.Context, list []review.ItemEvidence) error { return errMissing }

// ContentStore: C
func (s *Store) Contents(ctx context.Context, id int64) (out []review.StoredContent, err error) {
	return out, errMissing
}

// ProbeStore: C
func (s *Store) Postpone(ctx context.Context, p review.Postponed) error { return errMissing }
func (s *Store) Postponed(ctx context.Context, id int64) (out *review.Postponed, err error) {
	return out, errMissing
}
func (s *Store) Lease(ctx context.Context, want review.Lease, now time.Time) error { return errMissing }
func (s *Store) EndLease(ctx context.Context, l review.Lease) error                { return errMissing }
func (s *Store) Robots(ctx context.Context, origin string) (*probe.Robots, error) {
	return nil, errMissing
}
func (s *Store) KeepRobots(ctx context.Context, r probe.Robots) error { return errMissing }
func (s *Store) Host(ctx context.Context, host string) (*probe.HostFacts, error) {
	return nil, errMissing
}
func (s *Store) KeepHost(ctx context.Context, f probe.HostFacts) error { return errMissing }
func (s *Store) Earlier(ctx context.Context, t probe.Target) (*canon.Evidence, error) {
	return nil, errMissing
}
func (s *Store) HasContent(ctx context.Context, t probe.Target) (bool, error) {
	return false, errMissing
}

// ViewStore: C
func (s *Store) Views(ctx context.Context) (out []review.StoredView, err error) {
	return out, errMissing
}
func (s *Store) SaveView(ctx context.Context, v review.StoredView) error { return errMissing }
func (s *Store) RenameView(ctx context.Context, from, to string) error   { return errMissing }
func (s *Store) DeleteView(ctx context.Context, name string) error       { return errMissing }

// SuggestionStore: C
func (s *Store) Mining(ctx context.Context) (out review.Mining, err error) { return out, errMissing }
func (s *Store) EachMined(ctx context.Context, kind review.MinedKind, hosts, names []string, fn func(review.MinedPart) error) error {
	return errMissing
}
func (s *Store) SaveMined(ctx context.Context, c review.MinedChange) error { return errMissing }
func (s *Store) Dismissals(ctx context.Context) (out []review.Dismissal, err error) {
	return out, errMissing
}
func (s *Store) Dismiss(ctx context.Context, d review.Dismissal) error { return errMissing }
func (s *Store) Undismiss(ctx context.Context, id string) error        { return errMissing }

// LinkStore: C
func (s *Store) LinkRecord(ctx context.Context, id int64) (out *health.Record, err error) {
	return out, errMissing
}
func (s *Store) KeepChecks(ctx context.Context, list []review.ItemEvidence) error { return errMissing }
func (s *Store) EachLink(ctx context.Context, f review.Filter, fn func(review.Item, *health.Record) error) error {
	return errMissing
}
func (s *Store) LastReport(ctx context.Context, filter string) (out time.Time, err error) {
	return out, errMissing
}
func (s *Store) KeepReport(ctx context.Context, filter string, at time.Time) error { return errMissing }
func (s *Store) EachScheduled(ctx context.Context, f review.Filter, fn func(review.Scheduled) error) error {
	return errMissing
}

// The file evidence.go: C
func (in *interner) replaceEvidence(list []review.ItemEvidence) error {
	return forEach(list, func(e review.ItemEvidence) error {
		var inHost string
		found, err := in.find("SELECT h.name FROM item i JOIN host h ON h.id = i.in_host_id WHERE i.id = ?",
			[]any{e.ID}, &inHost)
		if err == nil && !found {
			err = noItem(e.ID)
		}
		if err != nil {
			return err
		}
		if e.Evidence == nil {
			return in.exec("DELETE FROM evidence WHERE item_id = ?", e.ID)
		}
		return in.putEvidence(inHost, e, in.head.Gen+1)
	})
}
func (t *tx) replacedInput(list []review.ItemEvidence) ([]review.ReplacedInput, error) {
	return nil, nil
}
