package canon

import "bytes"

// survey takes r.text apart if it is written as nearly every URL is, in one pass over its bytes, and gathers which rows of
// the pipeline are due. It reports false for text that is written otherwise, or that parse refuses: parse takes that apart, and
// every row is due.
//
// What it makes of a URL is what parse makes of it, "https://host[/path][?query][#fragment]" with a host of small letters,
// digits, dots, hyphens and underscores, no port, no credentials, and nothing that a browser would drop or turn round.
func (r *run) survey() bool {
	d, text := r.policy.demand, r.text
	due, i := d.https, len("https://")
	switch {
	case len(text) > i && string(text[:i]) == "https://":
		r.u.scheme = schemeHTTPS
	case len(text) >= i && string(text[:i-1]) == "http://":
		r.u.scheme = schemeHTTP
		due, i = d.http, i-1
	default:
		return false
	}
	begin := i
	for i < len(text) && plainHost[text[i]] {
		i++
	}
	host := text[begin:i:i]
	if len(host) == 0 || i < len(text) && text[i] != '/' && text[i] != '?' && text[i] != '#' {
		return false
	}
	facts := r.known(host)
	if facts == nil {
		return false
	}
	r.u.host, r.u.ascii = host, host
	due |= d.always | facts.due
	i, due = r.surveyPath(i, due)
	if i < len(text) && text[i] == '?' {
		i, due = r.surveyQuery(i+1, due)
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

// surveyPath reads the path, which begins at i, and returns where it ends.
func (r *run) surveyPath(i int, due stepSet) (int, stepSet) {
	d, p, text := r.policy.demand, r.policy, r.text
	begin, segment := i, i+1
	for i < len(text) {
		demanded := d.inPath[text[i]]
		due |= demanded
		if demanded&divides == 0 {
			i++
			continue
		}
		if i >= segment && p.mayBeLanguage(text[segment:i]) {
			due |= d.segment
		}
		if text[i] != '/' {
			break
		}
		if i++; i < len(text) {
			switch text[i] {
			case '.':
				due |= d.dot
			case '/':
				due |= d.doubled
			case '(':
				due |= d.paren
			}
		}
		segment = i
	}
	if i == len(text) && segment < i && p.mayBeLanguage(text[segment:]) {
		due |= d.segment
	}
	r.u.path = text[begin:i:i]
	switch query := i < len(text) && text[i] == '?'; {
	case begin == i && query:
		due |= d.rootlessQuery | d.rootless
	case begin == i:
		due |= d.rootless
	case text[i-1] == '/':
		due |= d.slashed
	default:
		due |= d.unslashed
	}
	return i, due
}

// surveyQuery reads the query, which begins at i, and returns where it ends.
func (r *run) surveyQuery(i int, due stepSet) (int, stepSet) {
	d, text := r.policy.demand, r.text
	begin := i
	due |= d.query
	for pair, name := i, -1; ; i++ { // where the pair begins, and where its name ends
		if i < len(text) {
			demanded := d.inQuery[text[i]]
			due |= demanded
			if demanded&divides == 0 {
				continue
			}
			if text[i] == '=' {
				if name < 0 {
					name = i
				}
				continue
			}
		}
		if name < 0 {
			name = i
		}
		if i > pair {
			due |= r.named(text[pair:name]).due
		}
		if i == len(text) || text[i] != '&' {
			break
		}
		pair, name = i+1, -1
	}
	r.u.query, r.u.hasQuery = text[begin:i:i], true
	if i == begin || text[begin] == '&' {
		due |= d.emptyQuery
	}
	return i, due
}

// hasNewline reports a tab, CR or LF, which browsers ignore anywhere in a URL.
func hasNewline(text []byte) bool {
	return bytes.IndexByte(text, '\t') >= 0 || bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0
}
