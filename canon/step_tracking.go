package canon

import (
	"fmt"
	"strings"
)

// trackingTriggers: tracking parameters, and unknown ones if the policy flags them.
func trackingTriggers(r *registrar) {
	flagUnknown := r.policy.doc.FlagUnknown
	r.onParams(func(kind paramKind) bool { return kind&isTracking != 0 || kind == 0 && flagUnknown })
}

// stepTracking is step 5, rule 3: tracking parameters go, preserved ones stay, unknown ones stay and are flagged.
// Preserve beats strip; an override beats both.
func (r *run) stepTracking() {
	if !r.u.hasQuery {
		return
	}
	r.filterQuery(r.keepParam)
	if len(r.unknown) > 0 && r.raise(UnknownParam) {
		r.flag(UnknownParam, "%s", unknownDetail(r.unknown))
	}
}

func (r *run) keepParam(p pair) bool {
	name := r.named(p.name)
	switch action := r.overrideAction(name.lower); {
	case action == keepAction:
		return true
	case action == dropAction:
		if r.tracing {
			r.note("%s dropped: the override for this host says so", name.lower)
		}
		return false
	case name.kind&isTracking != 0 && name.kind&isPreserved == 0:
		if r.tracing {
			r.note("%s is a tracking parameter", name.lower)
		}
		return false
	case r.policy.doc.FlagUnknown && name.kind == 0 && !r.isPage(name):
		r.addUnknown(name)
	}
	return true
}

func (r *run) addUnknown(name *nameFacts) {
	if len(r.unknown) == 0 {
		r.unknown = name.alone
		return
	}
	for _, known := range r.unknown {
		if strings.EqualFold(known, name.name) {
			return
		}
	}
	if need := len(r.unknown) + 1; cap(r.unknowns)-len(r.unknowns) < need {
		r.unknowns = make([]string, 0, max(32, need))
	}
	begin := len(r.unknowns)
	r.unknowns = append(append(r.unknowns, r.unknown...), name.name)
	r.unknown = r.unknowns[begin:len(r.unknowns):len(r.unknowns)]
}

func unknownDetail(names []string) string {
	quoted := make([]string, len(names))
	escaped := false
	for i, name := range names {
		quoted[i] = `"` + name + `"`
		escaped = escaped || strings.HasPrefix(name, "amp;")
	}
	detail := fmt.Sprintf("no list knows %s: keep it or drop it on this host", strings.Join(quoted, ", "))
	if escaped {
		detail += "; \"amp;\" is left over from HTML, so the link itself is broken: correct it"
	}
	return detail
}
