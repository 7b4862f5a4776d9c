package canon

// Thorough returns a Canonicalizer without the fast scan: parse reads every URL, and every step is due.
func Thorough(p *Policy, o *Overrides) *Canonicalizer {
	all := *p.triggers
	all.always, all.parsed = everyStep, everyStep
	for x := range all.inHost {
		all.inHost[x] = delimits | needsParse
	}
	thorough := *p
	thorough.triggers = &all
	return New(&thorough, o)
}
