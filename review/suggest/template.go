package suggest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"visto/canon"
)

// Kind is a kind of template.
type Kind uint8

// The kinds of templates.
const (
	DropParam      Kind = iota + 1 // Params are the parameters to drop, with "&" between them
	KeepParams                     // Params are the only parameters to keep, with "&" between them
	DropSegment                    // From and To are path prefixes, as of the next four kinds
	AddSegment                     //
	ReplaceSegment                 //
	LanguagePrefix                 // a segment that is a language code is dropped, added or replaced
	PathCase                       // segments differ in case only
	HostAlias                      // To is the host to cite in the place of Host
	IndexPage                      // From is a last segment to drop
	Extension                      // From and To are file extensions of the last segment; To may be empty
	Capture                        // From and To are paths, with queries, that have the same text at the place of {x}
	DropSegments                   // From is a path prefix: * is any segment, those in braces are dropped; only shared
	kindCount
)

func (k Kind) String() string { return kinds[k] }

var kinds = [...]string{"", "drop-param", "keep-params", "drop-segment", "add-segment", "replace-segment",
	"language-prefix", "path-case", "host-alias",
	"index-page", "extension", "capture", "drop-segments"}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kinds[:], string(name))
	if i < 1 {
		return fmt.Errorf("there is no kind %q", name)
	}
	*k = Kind(i)
	return nil
}

// Template is a smallest difference between two URLs of one page. Templates are comparable.
type Template struct {
	Kind   Kind
	Host   string // ASCII host or pattern, as in canon.Match
	Path   string // of the kinds that isScoped names: the path prefix that it is for; "": every path
	Params string // names in lower case, percent-decoded
	From   string // path prefix without a slash at its end; "": the root
	To     string
}

// ofParams reports whether the template is about parameters.
func (t Template) ofParams() bool { return t.Kind == DropParam || t.Kind == KeepParams }

// isScoped reports whether the template may be for the URLs below a path only.
func (t Template) isScoped() bool { return t.ofParams() || t.Kind == Extension }

// isGeneral reports whether the template may be for any host. Parameters to keep are those of one host: on another one,
// the names that are dropped beside them may select the content.
func (t Template) isGeneral() bool { return t.Kind == DropParam || t.Kind == Extension }

// exchanges reports whether the template takes pages from one place to another that has a name of its own.
func (t Template) exchanges() bool {
	switch t.Kind {
	case HostAlias, ReplaceSegment:
		return true
	case LanguagePrefix:
		return strings.Count(t.From, "/") == strings.Count(t.To, "/")
	case Capture:
		from, to := beforeCapture(t.From), beforeCapture(t.To)
		return !strings.HasPrefix(from, to) && !strings.HasPrefix(to, from)
	}
	return false
}

// beforeCapture returns the path before a capture, without the marks at its end.
func beforeCapture(path string) string {
	return strings.TrimRight(path[:strings.IndexAny(path, "?{")], "/-_~.")
}

// on returns the template for another host.
func (t Template) on(host string) Template {
	t.Host = host
	return t
}

// at returns the template for another path prefix.
func (t Template) at(path string) Template {
	t.Path = path
	return t
}

// params returns the names in Params.
func (t Template) params() []string {
	if t.Params == "" {
		return nil
	}
	return strings.Split(t.Params, "&")
}

// lists reports whether a parameter is among Params.
func (t Template) lists(name string) bool {
	for listed := range strings.SplitSeq(t.Params, "&") {
		if name != "" && name == listed {
			return true
		}
	}
	return false
}

// Apply returns the canonical URL that the template makes of one, and whether that is another one.
func (t Template) Apply(url string) (string, bool) {
	a, ok := parse(url)
	if !ok {
		return url, false
	}
	to, ok := t.apply(a)
	return to.String(), ok
}

func (t Template) apply(a address) (address, bool) {
	if !t.isFor(a.host) {
		return a, false
	}
	switch t.Kind {
	case DropParam, KeepParams:
		return t.applyParams(a)
	case HostAlias:
		a.host = t.To
		return a, true
	case IndexPage, Extension, Capture:
		return t.applyLast(a)
	case DropSegments:
		return t.applySegments(a)
	}
	return t.applyPrefix(a)
}

func (t Template) applyParams(a address) (address, bool) {
	keeps := func(name string) bool { return t.lists(name) == (t.Kind == KeepParams) }
	changes := slices.ContainsFunc(a.params, func(p param) bool { return !keeps(p.name) })
	if !changes || !a.isUnder(t.Path) {
		return a, false
	}
	return a.withParams(keeps), true
}

// isFor reports whether the template is for the URLs of a host.
func (t Template) isFor(host string) bool {
	return t.Host == host || canon.Match{Host: t.Host}.MatchesHost(host)
}

// applyPrefix replaces a path prefix. There has to be a segment behind it: the rewrite of an override ends with a
// slash.
func (t Template) applyPrefix(a address) (address, bool) {
	rest := a.segments
	for from := range splitPath(t.From) {
		if len(rest) == 0 || rest[0] != from {
			return a, false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 || a.origin != https {
		return a, false
	}
	a.segments = append(slices.Collect(splitPath(t.To)), rest...)
	return a, t.From != t.To
}

// https is the origin of the URLs that rewrites are for.
const https = "https://"

// splitPath yields the segments of a path, none for "" and "/".
func splitPath(path string) func(yield func(string) bool) {
	if path == "" || path == "/" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(path[1:], "/")
}

// override returns the override that the template is. drops are the parameters to drop of a KeepParams: an override
// cannot say "all others". depths are the numbers of segments of the URLs, where t.hasDepth.
func (t Template) override(drops []string, depths []int) canon.Override {
	o := canon.Override{Match: canon.Match{Host: t.Host, PathPrefix: t.Path}}
	origin := https + t.Host
	switch {
	case t.Kind == DropParam:
		o.DropQueryParams = t.params()
	case t.Kind == KeepParams:
		o.DropQueryParams = drops
	case t.Kind == HostAlias:
		o.CanonicalHost = t.To
	case t.Kind == Capture, t.hasDepth():
		for _, pair := range t.rewrites(depths) {
			o.RewriteRules = append(o.RewriteRules, canon.NewRewrite(pair[0], pair[1]))
		}
	case t.toSpanish():
		o.Spanish = &canon.Prefixes{From: t.From + "/", To: t.To + "/"}
	default:
		o.RewriteRules = []canon.Rewrite{canon.NewRewrite(origin+t.From+"/", origin+t.To+"/")}
	}
	return o
}

// toSpanish reports whether the template leads from another language to Spanish.
func (t Template) toSpanish() bool {
	from, to := lastSegment(t.From), lastSegment(t.To)
	return t.Kind == LanguagePrefix && isLanguage(from) && isLanguage(to) && !isSpanish(from) && isSpanish(to)
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// isLanguage reports whether a segment is a language code of two letters, such as "ca", "ca-ES" or "ca_ES".
func isLanguage(segment string) bool {
	if len(segment) != 2 && (len(segment) != 5 || segment[2] != '-' && segment[2] != '_') {
		return false
	}
	_, err := language.Parse(segment)
	return err == nil
}

func isSpanish(code string) bool { return len(code) >= 2 && strings.EqualFold(code[:2], "es") }

// hasDepth reports whether the rewrite of the template is for URLs with a number of segments.
func (t Template) hasDepth() bool {
	return t.Kind == IndexPage || t.Kind == Extension || t.Kind == DropSegments
}

// Warning says why URLs that the template leads to another host would wait for a person, or be rejected; "" if they
// would not.
func (t Template) Warning(p *canon.Policy, o *canon.Overrides) string {
	if t.Kind != HostAlias {
		return ""
	}
	switch res := canon.New(p, o).Canonicalize("https://"+t.To, nil); {
	case res.Verdict == canon.Rejected:
		return fmt.Sprintf("%s cannot be cited: %s", t.To, res.Reason)
	case res.Codes().Has(canon.OffAllowlist):
		return t.To + " is not on the allowlist"
	}
	return ""
}

// String describes the template, for people.
func (t Template) String() string {
	place := t.Host + t.Path
	switch t.Kind {
	case DropParam:
		return fmt.Sprintf("drop %s on %s", t.names(), place)
	case KeepParams:
		if t.Params == "" {
			return "drop all parameters on " + place
		}
		return fmt.Sprintf("keep only %s on %s", t.names(), place)
	case HostAlias:
		return fmt.Sprintf("cite %s in the place of %s", t.To, t.Host)
	case IndexPage:
		return fmt.Sprintf("drop /%s at the end on %s", t.From, place)
	case Extension:
		return fmt.Sprintf("%s is %s at the end on %s", t.From, cmp.Or(t.To, "nothing"), place)
	case Capture:
		return fmt.Sprintf("%s is %s on %s", t.From, t.To, t.Host)
	case DropSegments:
		return fmt.Sprintf("drop the segments in braces of %s on %s", t.From, t.Host)
	}
	return fmt.Sprintf("%s/ is %s/ on %s", t.From, t.To, t.Host)
}

// names returns Params for people.
func (t Template) names() string { return strings.ReplaceAll(t.Params, "&", ", ") }

// inverse returns the template that takes this one back, the zero Template if it is none that derive finds.
func (t Template) inverse() Template {
	switch {
	case t.ofParams(), t.Kind == IndexPage:
		return Template{}
	case t.Kind == HostAlias:
		t.Host, t.To = t.To, t.Host
	default:
		t.From, t.To = t.To, t.From
	}
	return t
}
