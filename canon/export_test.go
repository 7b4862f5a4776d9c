package canon

// Thorough returns a Canonicalizer that has parse take every URL apart and runs every step on it, as if there were no survey:
// what the survey saves must not show.
func Thorough(p *Policy, o *Overrides) *Canonicalizer {
	all := *p.demand
	all.always = allSteps
	for x := range all.inHost {
		all.inHost[x] = divides | odd
	}
	thorough := *p
	thorough.demand = &all
	return New(&thorough, o)
}
