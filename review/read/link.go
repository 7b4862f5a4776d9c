package read

import (
	"fmt"
	"net/url"
	"strings"

	"visto/canon"
	"visto/review/lazyregexp"
)

// link is a link of HTML or Markdown.
type link struct {
	target string // without escapes
	span
	form rune // how it is written: for writeHTML and writeMarkdown
}

// links passes on the links of a document that is held in memory as a whole.
type links struct {
	in    *input
	field string
	marks *marks
	base  *url.URL // of relative links; nil: not known
}

// take passes a link on if it is a URL of the web, and counts it otherwise. A relative link is resolved if the document
// names its base; its bytes are not those of the URL then.
func (l *links) take(k link) error {
	line, column := l.marks.lineOf(int(k.begin))
	place := Place{Field: l.field, Path: fmt.Sprintf("%d:%d", line, column), Line: line, Column: column}
	if k.form == formBare {
		k.target = l.in.bare(k.target, line)
	} else {
		k.target = l.in.trimmed(k.target, line)
	}
	if !l.resolve(&k) {
		place.Begin, place.End = k.begin, k.end
	}
	switch {
	case k.form == formGlued:
		l.in.summary.Glued++
	case k.target == "":
	case k.isRelative():
		l.in.summary.Relative++
	case !k.isWeb():
		l.in.summary.Other++
	default:
		return l.in.found(Found{URL: k.target, Place: place})
	}
	return nil
}

// resolve replaces a relative target by the URL that it stands for, if the base is known. Those within the page stay.
func (l *links) resolve(k *link) bool {
	if l.base == nil || !k.isRelative() || k.target == "" || k.target[0] == '#' {
		return false
	}
	resolved, err := l.base.Parse(k.target)
	if err == nil {
		k.target = resolved.String()
	}
	return err == nil
}

// isRelative reports whether a target names no host. A bare link always names one.
func (k link) isRelative() bool {
	return k.form != formBare && scheme(k.target) == "" && !strings.HasPrefix(k.target, "//")
}

// isWeb reports whether a target that is not relative is a URL of the web.
func (k link) isWeb() bool {
	s := scheme(k.target)
	return k.form == formBare || s == "" || strings.EqualFold(s, "http") || strings.EqualFold(s, "https")
}

// schemeName is RFC 3986, section 3.1.
var schemeName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// scheme returns the scheme of a target, or "".
func scheme(target string) string {
	name, _, ok := strings.Cut(target, ":")
	if !ok || !schemeName().MatchString(name) {
		return ""
	}
	return name
}

// linkPart returns the part of a link. A link that is not passed on is of another kind.
func linkPart(k link) part {
	p := part{kind: kindOther, text: k.target, form: k.form}
	if k.target = canon.Trim(k.target); k.target != "" && !k.isRelative() && k.isWeb() {
		p.kind, p.span = kindText, k.span
	}
	return p
}
