package canon

import (
	"bytes"
	"regexp"
	"strings"
)

// sessionTriggers: matrix parameters, segments in parentheses, session parameters. An escape may hide any of them.
func sessionTriggers(r *registrar) {
	r.onBytes(&r.inPath, in("%;"))
	r.on(&r.dotSegment)
	r.onParams(func(kind paramKind) bool { return kind&isSession != 0 })
}

// stepSession is step 4, rule 8: it removes session identifiers from path segments and query.
func (r *run) stepSession() {
	r.u.path = r.dropSessionSegments(r.u.path)
	if r.u.hasQuery {
		r.filterQuery(func(p pair) bool { return !r.isSession(p.name) })
	}
}

func (j *judge) isSession(spelled []byte) bool {
	name := j.named(spelled)
	if name.kind&isSession == 0 || name.kind&isPreserved != 0 || j.rules.action(name.lower) != 0 {
		return false
	}
	j.noteParam(name.lower, "is a session identifier")
	return true
}

// dropSessionSegments removes ";name=value" of sessions from each segment, and ASP.NET's cookieless "(S(…))" segments,
// in place. Other matrix parameters stay.
func (j *judge) dropSessionSegments(path []byte) []byte {
	if bytes.IndexByte(path, ';') < 0 && !j.policy.mayHaveSessionSegment(path) {
		return path
	}
	kept := path[:0]
	segments(path, func(segment []byte) {
		begin := len(kept)
		kept = j.appendSegment(append(kept, '/'), segment)
		if bare := kept[begin+1:]; j.policy.isSessionSegment(bare, &j.name) { // also with a parameter behind it
			j.noteParam(bare, "is a session identifier")
			kept = kept[:begin]
		}
	})
	return kept
}

func (j *judge) appendSegment(dst, segment []byte) []byte {
	for i := 0; ; i++ {
		part, rest, more := cut(segment, ';')
		name, _, _ := cut(part, '=')
		if i == 0 || !j.isSession(name) {
			if i > 0 {
				dst = append(dst, ';')
			}
			dst = append(dst, part...)
		}
		if !more {
			return dst
		}
		segment = rest
	}
}

func (p *Policy) mayHaveSessionSegment(path []byte) bool {
	return p.doc.SessionSegments && (bytes.Contains(path, []byte("/(")) || bytes.IndexByte(path, '%') >= 0)
}

// isSessionSegment recognizes "(S(abc123))" and its relatives "(A(…)S(…)F(…))", which ASP.NET puts into paths.
func (p *Policy) isSessionSegment(segment []byte, room *[]byte) bool {
	if !p.doc.SessionSegments || len(segment) < 5 {
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
