package canon

import (
	"fmt"
	"slices"
	"strings"
)

// LoopError reports that overrides send a URL in a circle, or make it grow without end.
type LoopError struct {
	URLs []string // the URL after each pass, up to the first repetition or the limit
}

func (e *LoopError) Error() string {
	return fmt.Sprintf("the overrides never come to rest: %s → …", strings.Join(e.URLs, " → "))
}

// CheckFixedPoint canonicalizes the samples, and URLs made from the overrides themselves. It returns a *LoopError if
// one of them never reaches a form that the overrides leave unchanged, and any error of CompileOverrides. Overrides for
// fields are left out: they only accept flags, so every form is left unchanged.
func CheckFixedPoint(p *Policy, list []Override, samples []string) error {
	list = slices.DeleteFunc(slices.Clone(list), func(o Override) bool { return o.Match.Field != "" })
	set, err := CompileOverrides(list)
	if err != nil {
		return err
	}
	c := New(p, set)
	for _, url := range append(ownSamples(list), samples...) {
		if err := c.checkLoop(url); err != nil {
			return err
		}
	}
	return nil
}

// checkLoop follows one URL pass by pass, and then checks that the outcome canonicalizes to itself.
func (c *Canonicalizer) checkLoop(url string) error {
	r := &c.run
	r.attempt(Trim(url), nil, everyStep, false)
	first, _ := r.texts()
	if r.rejected() || len(first) >= r.policy.doc.MaxLength {
		return nil
	}
	if !r.again {
		r.attempt(first, nil, everyStep, false)
		if again, _ := r.texts(); again == first && !r.rejected() && !r.again {
			return nil
		}
	}
	return &LoopError{c.trail(url)}
}

// trail returns the URL after each pass, up to the first that comes back, at most eight.
func (c *Canonicalizer) trail(url string) []string {
	r := &c.run
	r.start(Trim(url), nil, everyStep)
	trail := []string{url}
	for len(trail) < 8 && !r.rejected() {
		r.perform()
		text := r.u.String()
		isBack := slices.Contains(trail, text)
		if trail = append(trail, text); isBack {
			break
		}
		r.nextPass()
	}
	return trail
}

// ownSamples makes URLs that the overrides match: each host, and each prefix alone and with more behind it.
func ownSamples(list []Override) (urls []string) {
	for _, o := range list {
		host := "https://" + strings.Replace(o.Match.Host, "*", "www.example", 1)
		if strings.HasPrefix(o.Match.Host, "*.") {
			host = "https://www" + o.Match.Host[1:]
		}
		urls = append(urls, host+o.Match.PathPrefix, host+o.Match.PathPrefix+"/a/b?c=1")
		pairs := o.RewriteRules
		if o.Spanish != nil {
			pairs = append([]Prefixes{*o.Spanish}, pairs...)
		}
		for _, pair := range pairs {
			for _, prefix := range []string{pair.From, pair.To} {
				if strings.HasPrefix(prefix, "/") {
					prefix = host + prefix
				}
				urls = append(urls, prefix, prefix+"a/b?c=1", strings.TrimRight(prefix, "/")+"/x")
			}
		}
	}
	return urls
}
