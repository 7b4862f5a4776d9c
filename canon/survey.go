package canon

import "bytes"

// survey takes r.text apart if it is written as nearly every URL is, in one pass over its bytes, and gathers which rows of
// the pipeline are due. It reports false for text that is written otherwise, or that parse refuses: parse takes that apart, and
// every row is due.
//
// What it makes of a URL is what parse makes of it, "https://host[/path][?query][#fragment]" with a host of ASCII letters,
// digits, dots, hyphens and underscores, no port, no credentials, and nothing that a browser would drop or turn round.
func (r *run) survey() bool {
	d, text := r.policy.demand, r.text
	i, due := r.surveyScheme()
	n, ended := span(text[i:], &d.inHost)
	host := text[i : i+n : i+n]
	if i += n; i == n || n == 0 || ended&odd != 0 {
		return false
	}
	r.u.host, r.u.ascii = host, host
	if ended&capital != 0 {
		due |= hostStep
		r.text = append(r.text, host...)
		r.u.ascii = lowerASCII(r.text[len(text):])
	}
	if r.in = r.plainly(r.u.ascii); r.in == nil {
		return false
	}
	due |= d.always | r.in.due
	i, due = r.surveyPath(text, i, due)
	query := i < len(text) && text[i] == '?'
	due |= r.surveyEnds(query)
	if query {
		i, due = r.surveyQuery(text, i+1, due)
	}
	if i < len(text) && text[i] == '#' {
		r.u.fragment, r.u.hasFragment = text[i+1:], true
		due |= fragmentStep
		if hasNewline(r.u.fragment) {
			return false
		}
	}
	if r.due = due & allSteps; r.ev != nil {
		r.due = allSteps
	}
	return due&odd == 0
}

// surveyScheme returns where the host begins, 0 if the text does not begin as a URL usually does, and what is due for the scheme.
func (r *run) surveyScheme() (int, stepSet) {
	const https, http = len("https://"), len("http://")
	d, text := r.policy.demand, r.text
	switch {
	case len(text) < https:
		return 0, 0
	case string(text[:https]) == "https://":
		r.u.scheme = schemeHTTPS
		return https, d.https
	case string(text[:http]) == "http://":
		r.u.scheme = schemeHTTP
		return http, d.http
	case bytes.EqualFold(text[:https], []byte("https://")):
		r.u.scheme = text[:len("https"):len("https")]
		return https, schemeStep
	case bytes.EqualFold(text[:http], []byte("http://")):
		r.u.scheme = text[:len("http"):len("http")]
		return http, schemeStep
	}
	return 0, 0
}

// route is what the survey of a path found.
type route struct {
	depth       int    // segments that are not empty
	first, last []byte // the first and the last of them
	telling     bool   // whether one of them may identify a document
	dotted      bool   // whether there is a dot in the last one
}

// surveyPath reads the path of text, which begins at i, and returns where it ends and what is due besides.
func (r *run) surveyPath(text []byte, i int, due stepSet) (int, stepSet) {
	d, p := r.policy.demand, r.policy
	begin := i
	var way route
	for i < len(text) && text[i] == '/' {
		n, demanded := span(text[i+1:], &d.inPath)
		segment := text[i+1 : i+1+n]
		i += 1 + n
		due |= demanded
		if n == 0 {
			due |= d.doubled
			continue
		}
		if way.last = segment; way.depth == 0 {
			way.first = segment
		}
		way.depth++
		way.telling = way.telling || demanded&tells != 0
		way.dotted = demanded&dotted != 0
		if n <= longestCode && p.codeSizes.of(segment) != 0 && p.mayBeLanguage(segment) {
			due |= d.segment
		}
		if segment[0] == '.' || segment[0] == '(' {
			due |= d.dot
		}
	}
	r.u.path, r.route = text[begin:i:i], way
	return i, due
}

// surveyEnds returns what is due for the way the path ends.
func (r *run) surveyEnds(query bool) stepSet {
	d, path := r.policy.demand, r.u.path
	switch {
	case len(path) == 0 && query:
		return d.rootlessQuery | d.rootless
	case len(path) == 0:
		return d.rootless
	case path[len(path)-1] == '/':
		return d.slashed
	}
	return d.unslashed
}

// surveyQuery reads the query of text, which begins at i, and returns where it ends and what is due besides.
func (r *run) surveyQuery(text []byte, i int, due stepSet) (int, stepSet) {
	d := r.policy.demand
	begin := i
	for {
		n, demanded := span(text[i:], &d.inName)
		name := text[i : i+n]
		i += n
		due |= demanded
		if i < len(text) && text[i] == '=' {
			n, demanded = span(text[i:], &d.inValue)
			i += n
			due |= demanded
			due |= r.named(name).due
		} else if n > 0 {
			due |= r.named(name).due
		}
		if i == len(text) || text[i] != '&' {
			break
		}
		i++
	}
	r.u.query, r.u.hasQuery = text[begin:i:i], true
	if i == begin || text[begin] == '&' {
		due |= d.emptyQuery
	}
	return i, due | d.query
}

// span returns how many bytes of text come before one that divides, and what all of them demand, that one too.
//
// It is not inlined: in the loops of its callers its variables would live in memory, which triples the instructions a byte.
//
//go:noinline
func span(text []byte, table *[256]stepSet) (n int, demanded stepSet) {
	for n, x := range text {
		at := table[x]
		if demanded |= at; at&divides != 0 {
			return n, demanded
		}
	}
	return len(text), demanded
}

// hasNewline reports a tab, CR or LF, which browsers ignore anywhere in a URL.
func hasNewline(text []byte) bool {
	return bytes.IndexByte(text, '\t') >= 0 || bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0
}
