package lint

import (
	"context"
	"net/url"
	"slices"

	"visto/canon"
	"visto/review"
)

// Entry returns the decision of the export on the URL, or that of the rules if the export lacks it. Where a decision
// ends at the URL, the rules have to let it be cited: else their answer counts.
func (r *Registry) Entry(ctx context.Context, c Citation) (Entry, error) {
	k := known{approved: r.approved[c.URL], accepted: r.accepted[c.URL]}
	if own, ok := r.own[canon.EscapeInvalid(c.URL)]; ok { // as the export has it
		entry := own.at(&c)
		k.own = &entry
	}
	e, err := k.entry(c.URL, func() (Entry, error) { return r.rules.Entry(ctx, c) })
	if err != nil || e.target() != c.URL {
		return e, err
	}
	return r.citable(ctx, c, e)
}

// barred are the flags that no decision in a file settles: only an override accepts them. They tell that another server
// than one of the allowlist may answer, and a port is another server too, or that the URL shows a secret.
var barred = canon.SetOf(canon.OffAllowlist, canon.SuspiciousHost, canon.UnresolvedShortener, canon.NonstandardPort,
	canon.Credentials)

// citable returns the entry of a URL that is to be cited, or in its place why the rules do not let it be. The
// conditions are those of a correction that is taken as typed. Flags that say nothing of the site, such as home-page,
// are settled by the decision.
func (r *Registry) citable(ctx context.Context, c Citation, e Entry) (Entry, error) {
	site, err := url.Parse(c.URL)
	if err != nil || !review.IsCitable(c.URL) {
		return Entry{Status: review.Rejected, Reason: canon.InvalidURL.String(), Detail: "nobody can cite it so"}, nil
	}
	asked := []string{c.URL}
	for i := 0; i < len(asked); i++ {
		c.URL = asked[i]
		found, err := r.rules.Entry(ctx, c)
		if err != nil || found.Status == review.Rejected {
			return found, err
		}
		if list := slices.DeleteFunc(found.Flags, func(f canon.Flag) bool { return !barred.Has(f.Code) }); len(list) > 0 {
			return Entry{Status: review.Pending, Flags: list}, nil
		}
		if leads, err := url.Parse(found.Canonical); i == 0 && (err != nil || leads.Host != site.Host) {
			asked = append(asked, site.Scheme+"://"+site.Host) // the rules judged another site, behind a forwarder
		}
	}
	return e, nil
}
