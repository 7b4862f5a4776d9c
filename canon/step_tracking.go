package canon

import (
	"slices"
	"strings"
)

// trackingTriggers: tracking parameters, and unknown ones if the policy flags them.
func trackingTriggers(r *registrar) {
	flagUnknown := r.policy.doc.FlagUnknown
	r.onParams(func(kind paramKind) bool { return kind&isTracking != 0 || kind.isUnknown() && flagUnknown })
}

// stepTracking is step 5, rule 3: tracking parameters go, preserved ones stay, unknown ones stay and are flagged.
// Preserve beats strip; an override beats both.
func (r *run) stepTracking() {
	if !r.u.hasQuery {
		return
	}
	if r.due == everyStep { // the query may be another than the scanned one
		r.u.filterQuery(func(p pair) bool { return r.keepParam(r.named(p.name)) })
	} else {
		r.dropScanned()
		r.unknown = r.unknownScanned()
	}
	if len(r.unknown) > 0 && r.raise(UnknownParam) {
		r.flagWith(UnknownParam, unknownDetail(r.unknown))
	}
}

// dropScanned removes the tracking parameters of a scanned query. No override and no evidence applies to the URL.
func (r *run) dropScanned() {
	if r.kinds&isTracking == 0 {
		return
	}
	names := r.scanned
	r.u.editQuery(func(text []byte) []byte {
		name := names[0]
		if names = names[1:]; r.strips(name) {
			return nil
		}
		return text
	})
}

// unknownScanned returns the unknown names of a scanned query. Links of one site often have the same names, so they
// share one list.
func (r *run) unknownScanned() []string {
	place := uint32(0)
	for _, name := range r.scanned {
		place = 31*place + name.number
	}
	last := &r.unknownOf[place%uint32(len(r.unknownOf))]
	if !slices.Equal(last.scanned, r.scanned) {
		for _, name := range r.scanned {
			if name.flagged {
				r.addUnknown(name)
			}
		}
		last.scanned, last.unknown = append(last.scanned[:0], r.scanned...), r.unknown
	}
	return last.unknown
}

// keepParam reports whether a parameter stays. It adds an unknown one.
func (j *judge) keepParam(name *nameFacts) bool {
	switch action := j.rules.action(name.lower); {
	case action == isKept:
		return true
	case action == isDropped:
		j.noteParam(name.lower, "dropped: the override for this host says so")
		return false
	case j.strips(name):
		return false
	case name.flagged && j.rules.page(name.lower) != isPage:
		j.addUnknown(name)
	}
	return true
}

// strips reports whether the policy strips a parameter, and notes it.
func (j *judge) strips(name *nameFacts) bool {
	if name.kind&isTracking == 0 || name.kind&isPreserved != 0 {
		return false
	}
	j.noteParam(name.lower, "is a tracking parameter")
	return true
}

// decidesOn reports whether the query step keeps or drops a parameter, whose name is in lower case, by the policy's own
// lists. So it is not unknown.
func (p *Policy) decidesOn(name []byte) bool {
	_, hasDefault := p.defaults[string(name)]
	return hasDefault || len(p.doc.Allowed) > 0
}

func (j *judge) addUnknown(name *nameFacts) {
	isKnown := func(known string) bool { return strings.EqualFold(known, name.name) }
	switch {
	case len(j.unknown) == 0:
		j.unknown = name.alone
	case !slices.ContainsFunc(j.unknown, isKnown):
		j.unknown = j.extend(j.unknown, name.name)
	}
}

func unknownDetail(names []string) string {
	detail := `no list knows "` + strings.Join(names, `", "`) + `": keep it or drop it on this host`
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "amp;") }) {
		detail += "; \"amp;\" is left over from HTML, so the link itself is broken: correct it"
	}
	return detail + advertisingDetail(names)
}
