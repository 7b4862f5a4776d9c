package canon

import (
	"bytes"
	"regexp"
	"strings"
)

// sessionTriggers: matrix parameters, segments in parentheses, session parameters. A
// semicolon in the query, or an escaped "=" in a name, may hide another parameter.
func sessionTriggers(r *registrar) {
	r.onBytes(&r.inPath, in(";"))
	r.onBytes(&r.escapedInPath, in(";("))
	r.on(&r.dotSegment)
	r.onParams(func(kind paramKind) bool { return kind&isSession != 0 })
	if len(r.policy.doc.Session) > 0 || r.policy.session != nil {
		r.onBytes(&r.inName, in(";"))
		r.onBytes(&r.escapedInName, in(";="))
		r.onBytes(&r.inValue, in(";"))
		r.onBytes(&r.escapedInValue, in(";"))
	}
}

// stepSession is step 4, rule 8: it removes session identifiers from path segments and query. A query without one
// may have other names than the scanned one, so every step is due.
func (r *run) stepSession() {
	r.u.path = r.dropSessionSegments(r.u.path)
	if !r.mayHaveParam(isSession) && !mayBeCut(r.u.query) {
		return
	}
	before := len(r.u.query)
	r.u.editQuery(func(pair []byte) []byte { return r.withoutSessions(pair, true) })
	if len(r.u.query) < before {
		r.due = everyStep
	}
}

func (j *judge) isSession(spelled []byte) bool {
	name := j.named(spelled)
	if name.kind&isSession == 0 || name.kind&isPreserved != 0 || j.rules.action(name.lower) == isKept {
		return false
	}
	j.noteParam(name.lower, "is a session identifier")
	return true
}

// dropSessionSegments removes ";name=value" of sessions from each segment, and ASP.NET's cookieless "(S(…))" segments,
// in place. Other matrix parameters stay. A segment that was nothing but sessions goes; at the end its slash stays.
func (j *judge) dropSessionSegments(path []byte) []byte {
	if !mayBeCut(path) && !bytes.Contains(path, []byte("/(")) {
		return path
	}
	kept := path[:0]
	slash := false // the last segment was nothing but sessions
	segments(path, func(segment []byte) {
		bare := j.withoutSessions(segment, false)
		isSegment := j.policy.isSessionSegment(bare, &j.name) // also with a parameter behind it
		if isSegment {
			j.noteParam(bare, "is a session identifier")
		}
		if slash = len(bare) < len(segment) && len(bare) == 0; !slash && !isSegment {
			kept = append(append(kept, '/'), bare...)
		}
	})
	if slash {
		kept = append(kept, '/')
	}
	return kept
}

// The characters at which dropSessions splits, for cutDecoded.
var semicolon, equals, slashes, endsParam, endsParamInPath = setOf(";%"), setOf("=%"), setOf("/%"), setOf("?&#%"),
	setOf("/?&#%")

// withoutSessions removes the session parameters of a path segment, or of a pair of a query, in place. Parameters begin
// behind a ";", and in a query also at the beginning. As the rest grows together, it is read until nothing goes.
func (j *judge) withoutSessions(text []byte, inQuery bool) []byte {
	for inQuery || mayBeCut(text) {
		kept := j.dropSessions(text, inQuery)
		if len(kept) == len(text) {
			break
		}
		if text = kept; inQuery && string(text) == "amp" {
			return text[:0] // left over from "&amp;sid=1", HTML in the place of a URL
		}
	}
	return text
}

// mayBeCut reports whether text has a semicolon, or an escape that may be one.
func mayBeCut(text []byte) bool {
	return bytes.IndexByte(text, ';') >= 0 || bytes.IndexByte(text, '%') >= 0
}

func (j *judge) dropSessions(text []byte, inQuery bool) []byte {
	kept, isBehind := text[:0], false // something that stays
	var separator []byte              // before the part
	for isFirst := true; ; isFirst = false {
		part, next, rest := cutDecoded(text, semicolon)
		param, tail, isNamed := part, []byte(nil), inQuery
		if !isFirst {
			param, tail = splitSession(part, kept)
			_, equal, _ := cutDecoded(param, equals)
			isNamed = equal != nil // alone it may be a word: "/pleno;session/acta"
		}
		if isNamed && j.isSession(nameOf(param)) {
			kept = append(kept, tail...)
			isBehind = isBehind || len(tail) > 0
		} else {
			kept = append(append(kept, separator...), part...)
			isBehind = true
		}
		if next == nil {
			return kept
		}
		if text = rest; isBehind {
			separator = next
		}
	}
}

// nameOf returns the name of a parameter, as spelled.
func nameOf(param []byte) []byte {
	name, _, _ := cutDecoded(param, equals)
	return name
}

// splitSession splits a part behind a ";" where a session parameter ends in it: before the query of a URL that is a
// value, and before the rest of its path. Without a slash before the ";" there is no such path, and a slash belongs to
// the identifier, which may be Base64.
func splitSession(part, before []byte) (param, behind []byte) {
	ends := endsParam
	if _, slash, _ := cutDecoded(before, slashes); slash != nil {
		ends = endsParamInPath
	}
	param, _, _ = cutDecoded(part, ends)
	return param, part[len(param):]
}

// isSessionSegment recognizes "(S(abc123))" and its relatives "(A(…)S(…)F(…))", which ASP.NET puts into paths.
func (p *Policy) isSessionSegment(segment []byte, room *[]byte) bool {
	if !p.doc.SessionSegments || len(segment) < 5 || segment[0] != '(' && segment[0] != '%' {
		return false
	}
	*room = lowerASCII(decode((*room)[:0], segment))
	s := string(*room)
	if s[0] != '(' || s[len(s)-1] != ')' {
		return false
	}
	for inner := s[1 : len(s)-1]; inner != ""; {
		closing := strings.IndexByte(inner, ')')
		if closing < 3 || inner[1] != '(' || strings.IndexByte("asfx", inner[0]) < 0 {
			return false
		}
		inner = inner[closing+1:]
	}
	return true
}

// sessionPattern matches names of session parameters. Every match contains literal, which is in lower case, so most
// names need no regular expression.
type sessionPattern struct {
	re      *regexp.Regexp
	literal []byte
}

func newSessionPattern(expr string) (*sessionPattern, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := regexp.Compile("(?i)" + expr)
	if err != nil {
		return nil, err
	}
	return &sessionPattern{re, longestLiteral(expr)}, nil
}

// longestLiteral returns the longest run of letters outside the classes of the expression. It returns nothing for an
// expression with groups, alternatives or escapes.
func longestLiteral(expr string) []byte {
	if strings.ContainsAny(expr, `|()?{\`) {
		return nil
	}
	classes := regexp.MustCompile(`\[[^\]]*\]|.\*`)
	var longest string
	for _, run := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(classes.ReplaceAllString(expr, " "), -1) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return []byte(strings.ToLower(longest))
}

// match reports whether name, in lower case, is that of a session parameter.
func (s *sessionPattern) match(name []byte) bool {
	return s != nil && bytes.Contains(name, s.literal) && s.re.Match(name)
}
