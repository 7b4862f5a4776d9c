package canon

import (
	"fmt"
	"slices"
	"strconv"
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
	first := r.canonical()
	if r.rejected() || !r.again && len(first) >= r.policy.doc.MaxLength {
		return nil
	}
	if !r.again {
		r.attempt(first, nil, everyStep, false)
		if r.canonical() == first && !r.rejected() && !r.again {
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

// ownSamples makes URLs that the overrides match: each host, each prefix alone and with more behind it, and each
// rewrite with its captures filled.
func ownSamples(list []Override) (urls []string) {
	fillings := fillings(list)
	for _, o := range list {
		host := "https://" + strings.Replace(o.Match.Host, "*", "www.example", 1)
		if strings.HasPrefix(o.Match.Host, "*.") {
			host = "https://www" + o.Match.Host[1:]
		}
		urls = append(urls, host+o.Match.PathPrefix, host+o.Match.PathPrefix+"/a/b?c=1")
		var pairs []Prefixes
		if o.Spanish != nil {
			pairs = append(pairs, *o.Spanish)
		}
		for _, w := range o.RewriteRules {
			if w.hasCaptures() {
				urls = append(urls, samplesOf(w, host, fillings)...)
			} else {
				pairs = append(pairs, Prefixes{w.FromPrefix, w.ToPrefix})
			}
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

// samplesOf makes URLs of both sides of a rewrite: with the same text in all captures, and with it in one of them. They
// have the parameter "c" besides, or "!": that stands behind those of To after the rewrite, and before them where the
// policy sorts.
func samplesOf(w Rewrite, host string, fillings []string) (urls []string) {
	add := func(side string, number func(i int) string) {
		if strings.HasPrefix(side, "/") {
			side = host + side
		}
		urls = append(urls, filled(side, number))
	}
	for _, side := range []string{w.From, w.To} {
		captures := strings.Count(side, "{")
		besides := side + map[bool]string{true: "&", false: "?"}[strings.Contains(side, "?")]
		add(besides+"c=1", strconv.Itoa)
		add(besides+"!=1", strconv.Itoa)
		for _, text := range fillings {
			add(side, func(int) string { return text })
			add(besides+"!=1", func(int) string { return text })
			for at := range captures {
				if captures == 1 {
					break
				}
				add(side, func(i int) string {
					if i == at {
						return text
					}
					return strconv.Itoa(i)
				})
			}
		}
	}
	return urls
}

// filled replaces the captures of a side by texts for their numbers.
func filled(side string, text func(i int) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		before, rest, found := strings.Cut(side, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, side, _ = strings.Cut(rest, "}")
		b.WriteString(text(i))
	}
}

// maxFilled limits the number of captures times fillings, for thousands of rewrites.
const maxFilled = 2048

// fillings returns texts for captures: a digit, and the segments and values of the rewrites with captures themselves,
// because one rewrite may produce the text that another one matches.
func fillings(list []Override) []string {
	texts := []string{"1"}
	captures := 0
	for _, o := range list {
		for _, w := range o.RewriteRules {
			if !w.hasCaptures() {
				continue
			}
			for _, side := range []string{w.From, w.To} {
				captures += strings.Count(side, "{") + 1
				if _, behind, isWhole := strings.Cut(side, "://"); isWhole {
					_, side, _ = strings.Cut(behind, "/")
				}
				isBreak := func(r rune) bool { return strings.ContainsRune("/?&=", r) }
				texts = append(texts, strings.FieldsFunc(filled(side, strconv.Itoa), isBreak)...)
			}
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	return texts[:min(len(texts), max(2, maxFilled/max(1, captures)))]
}
