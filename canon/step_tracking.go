package canon

import (
	"fmt"
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
	if hasOnlyUnknown := r.due != everyStep && r.kinds&isTracking == 0; hasOnlyUnknown {
		r.addScanned()
	} else {
		r.u.filterQuery(r.keepParam)
	}
	if len(r.unknown) > 0 && r.raise(UnknownParam) {
		r.flag(UnknownParam, "%s", unknownDetail(r.unknown))
	}
}

// addScanned adds the unknown names of a query without tracking parameters that is as it was scanned. No override and no
// evidence applies to the URL.
func (r *run) addScanned() {
	for _, name := range r.scanned {
		if name.flagged {
			r.addUnknown(name)
		}
	}
}

func (j *judge) keepParam(p pair) bool {
	name := j.named(p.name)
	switch action := j.rules.action(name.lower); {
	case action == isKept:
		return true
	case action == isDropped:
		j.noteParam(name.lower, "dropped: the override for this host says so")
		return false
	case name.kind&isTracking != 0 && name.kind&isPreserved == 0:
		j.noteParam(name.lower, "is a tracking parameter")
		return false
	case name.flagged && j.rules.page(name.lower) != isPage:
		j.addUnknown(name)
	}
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
	detail := fmt.Sprintf(`no list knows "%s": keep it or drop it on this host`, strings.Join(names, `", "`))
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "amp;") }) {
		detail += "; \"amp;\" is left over from HTML, so the link itself is broken: correct it"
	}
	return detail + advertisingDetail(names)
}
