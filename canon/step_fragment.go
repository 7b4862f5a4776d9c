package canon

// stepFragment is step 6, rule 4: the fragment goes, and is noted. A client-side route selects the page, so that
// dropping it may cite another one: "#/…" and "#!…".
func (r *run) stepFragment() {
	if !r.u.hasFragment {
		return
	}
	if r.policy.doc.Fragment == "keep" {
		r.u.fragment, _ = normalize(r.u.fragment, fragmentSet, r.policy.keepsEscapes())
		return
	}
	fragment := r.u.fragment
	r.u.fragment, r.u.hasFragment = nil, false
	if len(fragment) == 0 {
		return
	}
	if r.fragment == "" { // the one that came is the one to know, not that of a redirect
		r.fragment = "#" + string(fragment)
	}
	if r.tracing {
		r.note("#%s removed and noted", fragment)
	}
	if fragment[0] == '/' || fragment[0] == '!' {
		r.flag(FragmentRoute, "#%s selects the page in the browser; find a URL without it", fragment)
	}
}
