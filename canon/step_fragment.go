package canon

// fragmentTriggers: any fragment.
func fragmentTriggers(r *registrar) { r.on(&r.fragment) }

// stepFragment is step 6, rule 4: it removes the fragment and notes it. It flags "#/…" and "#!…", client-side routes
// that select the page, because the URL without them may show another page.
func (r *run) stepFragment() {
	if !r.u.hasFragment {
		return
	}
	if r.policy.doc.Fragment == "keep" {
		r.u.fragment, _ = normalize(&r.text, r.u.fragment, fragmentSet, r.policy.keepsEscapes())
		return
	}
	fragment := r.u.fragment
	r.u.fragment, r.u.hasFragment = nil, false
	if len(fragment) == 0 {
		return
	}
	if r.fragment == "" { // that of the input, not of a redirect
		r.fragment = textOfFragment(fragment, r.raw)
	}
	if r.tracing {
		r.note("#%s removed and noted", fragment)
	}
	if (fragment[0] == '/' || fragment[0] == '!') && r.raise(FragmentRoute) {
		r.flag(FragmentRoute, "#%s selects the page in the browser; find a URL without it", fragment)
	}
}

// textOfFragment returns a fragment with its "#". It is the end of the input, unless a redirect brought it or parse
// dropped line breaks.
func textOfFragment(fragment []byte, raw string) string {
	if at := len(raw) - len(fragment); at > 0 && raw[at-1] == '#' && raw[at:] == string(fragment) {
		return raw[at-1:]
	}
	return "#" + string(fragment)
}
