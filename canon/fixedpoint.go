package canon

import (
	"fmt"
	"strings"
)

// LoopError says that overrides send a URL round and round, or make it grow without end.
type LoopError struct {
	URLs []string // the way the URL goes, up to where it comes back or was given up
}

func (e *LoopError) Error() string {
	return fmt.Sprintf("the overrides never come to rest: %s → …", strings.Join(e.URLs, " → "))
}

// CheckFixedPoint canonicalizes the samples, and URLs made from the overrides themselves, and returns a *LoopError if one
// of them never reaches a form that the overrides leave as it is. It also returns what CompileOverrides finds wrong.
func CheckFixedPoint(p *Policy, list []Override, samples []string) error {
	set, err := CompileOverrides(list)
	if err != nil {
		return err
	}
	r := newRun(p, set)
	for _, url := range append(ownSamples(list), samples...) {
		if err := r.checkLoop(url); err != nil {
			return err
		}
	}
	return nil
}

// checkLoop follows one URL, pass by pass, as result does, and then asks whether the outcome stays as it is.
func (r *run) checkLoop(url string) error {
	r.attempt(trim(url), nil, everyStep, false)
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
	return &LoopError{r.trail(url)}
}

// trail returns the URLs that a URL goes through, up to the first that comes back, at most eight.
func (r *run) trail(url string) []string {
	r.start(trim(url), nil, everyStep)
	way := []string{url}
	seen := map[string]bool{}
	for len(way) < 8 && !r.rejected() {
		r.perform()
		text := r.u.String()
		way = append(way, text)
		if seen[text] {
			break
		}
		seen[text] = true
		r.nextPass()
	}
	return way
}

// ownSamples makes URLs that the overrides are about: each prefix, alone and with more behind it, and each host.
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
