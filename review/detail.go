package review

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
)

// Detail is an item with all information about it.
type Detail struct {
	Item      Item
	Result    canon.Result // explained, under the current rules
	Evidence  *canon.Evidence
	Notes     []Note
	History   []PastDecision
	Overrides []StoredOverride // that match it, by host and path
	Twins     []Item           // up to maxTwins other items with the same comparison key

	Alternatives []Alternative     // other URLs that could be cited
	Files        map[string]string // the names of files as they are shown
}

// maxTwins is the largest number of twins in a Detail. More would push the rest off the screen.
const maxTwins = 20

// Detail returns an item with all information about it, including the trace.
func (d *Desk) Detail(ctx context.Context, id int64) (det *Detail, err error) {
	defer annotate(&err, "URL %d", id)
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	it, err := d.store.Item(ctx, id)
	if err != nil {
		return nil, err
	}
	ev, errEvidence := d.store.Evidence(ctx, id)
	notes, errNotes := d.store.Notes(ctx, id)
	history, errHistory := d.store.History(ctx, id)
	twins, errTwins := d.twins(ctx, &it)
	files, errFiles := d.Files(ctx)
	if err := cmp.Or(errEvidence, errNotes, errHistory, errTwins, errFiles); err != nil {
		return nil, err
	}
	det = &Detail{Item: masked(it), Evidence: ev.Masked(), Notes: mapped(notes, maskedNote),
		Twins: mapped(twins, masked), Files: files}
	det.History = mapped(history, func(p PastDecision) PastDecision {
		return PastDecision{maskedDecision(p.Decision), p.Undone}
	})
	det.Result = r.explain(r.canonicalizer(), &it, withHosts(ev, r.hosts))
	det.Overrides = r.on(lookups(r, det))
	det.Alternatives = alternatives(r.policy, det)
	return det, nil
}

func (d *Desk) twins(ctx context.Context, it *Item) ([]Item, error) {
	if it.Computed.Key == (Key{}) {
		return nil, nil
	}
	same, err := d.store.Page(ctx, Query{Filter: Filter{Keys: []Key{it.Computed.Key}}}, nil, maxTwins+1)
	twins := slices.DeleteFunc(same, func(other Item) bool { return other.ID == it.ID })
	return twins[:min(len(twins), maxTwins)], err
}

// lookup is a host and path for which overrides are looked up.
type lookup struct{ host, path string }

// lookups returns the lookups for a URL: as it came, after the redirects, and after the overrides.
func lookups(r *rules, det *Detail) []lookup {
	bare := canon.New(r.policy, nil)
	url, ev := det.Item.Original, withHosts(det.Evidence, r.hosts)
	if d := det.Item.correction(); d != nil {
		url, ev = d.Canonical, onlyHosts(ev)
	}
	came, led := bare.Canonicalize(url, nil), bare.Canonicalize(url, ev)
	return []lookup{
		{came.InHost, PathOf(came.Canonical)},
		{led.Host, PathOf(led.Canonical)},
		{det.Item.Computed.Host, PathOf(det.Result.Canonical)},
	}
}

// on returns the overrides that apply to one of the lookups.
func (r *rules) on(points []lookup) []StoredOverride {
	elsewhere := func(o StoredOverride) bool { return !found(points, o.Override.Match) }
	return slices.DeleteFunc(slices.Clone(r.stored), elsewhere)
}

// found reports whether the match applies to one of the lookups.
func found(points []lookup, m canon.Match) bool {
	return slices.ContainsFunc(points, func(s lookup) bool { return s.finds(m) })
}

// finds reports whether a match applies. Like the pipeline it compares paths at segment boundaries.
func (s lookup) finds(m canon.Match) bool {
	rest, under := strings.CutPrefix(s.path, m.PathPrefix)
	atBoundary := m.PathPrefix == "" || rest == "" || rest[0] == '/' || rest[0] == ';'
	return s.host != "" && m.MatchesHost(s.host) && under && atBoundary
}

// Find returns the items with an ID or a URL; see Store.Find. A URL with user and password finds the stored one without
// them. If there is none, it returns ErrNotFound.
func (d *Desk) Find(ctx context.Context, idOrURL string) (items []Item, err error) {
	arg := canon.MaskUser(canon.Trim(idOrURL))
	if id, err := strconv.ParseInt(arg, 10, 64); err == nil {
		it, err := d.store.Item(ctx, id)
		annotate(&err, "URL %d", id)
		return []Item{it}, err
	}
	defer annotate(&err, "%q", d.Policy().MaskText(arg))
	if items, err = d.store.Find(ctx, arg); err == nil && len(items) == 0 {
		err = ErrNotFound
	}
	return items, err
}
