package canon

import "bytes"

// fastScan copies the input to r.text, splits it in one pass over its bytes, and collects the steps that are due. It
// reports false for a URL that parse has to read, or refuses; every step is due then.
//
// A URL that fastScan takes has the form "http[s]://host[:port][/path][?query][#fragment]", without credentials. Its
// host consists of ASCII letters, digits, dots, hyphens and underscores, and it holds nothing that a browser would drop
// or turn round. Invariant: fastScan and parse make the same parts of such a URL.
func (r *run) fastScan() bool {
	if len(r.raw) >= r.policy.doc.MaxLength {
		return false
	}
	r.text = append(r.text, r.raw...)
	t, text := r.policy.triggers, r.text
	i, due := r.u.scanScheme(text, t)
	n, found := span(text[i:], &t.inHost)
	if i == 0 || n == 0 {
		return false
	}
	host := text[i : i+n : i+n]
	if r.policy.allowed != nil && found&hasDot == 0 { // checkSite
		return false
	}
	if i += n; found&needsParse != 0 {
		if i = r.u.scanPort(text, i); i == 0 || r.tracing { // parse makes the notes
			return false
		}
		found, due = found&^needsParse, due|t.parsed
	}
	r.u.host, r.u.ascii = host, host
	if found&capital != 0 {
		r.text = append(r.text, host...)
		r.u.ascii = lowerASCII(r.text[len(text):])
	}
	facts := r.wireHost(r.u.ascii, found&hyphen != 0)
	if facts == nil && host[n-1] == '.' && bytes.IndexByte(host, '.') < n-1 {
		r.u.ascii, due = dropDot(r.u.ascii), due|t.parsed
		facts = r.wireHost(r.u.ascii, found&hyphen != 0)
	}
	if facts == nil || r.tracing && len(r.u.ascii) < n { // parse notes the dot
		return false
	}
	r.inHost, r.inFacts = r.u.ascii, facts
	due |= found | t.always | facts.due
	begin := i
	i, due = r.shape.scan(r.policy, text, i, due)
	r.u.path = text[begin:i:i]
	r.u.hasQuery = i < len(text) && text[i] == '?'
	if due |= t.ofPathEnd(r.u.path, r.u.hasQuery); r.u.hasQuery {
		begin = i + 1
		i, due = r.scanQuery(text, begin, due)
		r.u.query = text[begin:i:i]
	}
	if i < len(text) && text[i] == '#' {
		r.u.fragment, r.u.hasFragment = text[i+1:], true
		_, found = span(r.u.fragment, &t.inFragment)
		due |= t.fragment | found
		if found&escapes != 0 {
			due |= t.ofEscapes(r.u.fragment, &t.escapedInValue) & mayBePasted
		}
		if isNumericEscape(text, i) {
			return false
		}
	}
	if due&colon != 0 && mayHoldSeveral(r.raw) {
		return false
	}
	if due&mayBePasted != 0 || endsProse[text[len(text)-1]] {
		r.checkPasted(r.raw)
	}
	if r.due = due & everyStep; r.ev != nil {
		r.due = everyStep
	}
	return due&needsParse == 0
}

// scanParts returns the steps that are due for a URL that parse has read: those that its host makes due, those that may
// be due for any scheme or host, and those that path, query and fragment make due.
func (r *run) scanParts() stepSet {
	t := r.policy.triggers
	_, due := r.shape.scan(r.policy, r.u.path, 0, t.parsed|r.host().due)
	if due |= t.ofPathEnd(r.u.path, r.u.hasQuery); r.u.hasQuery {
		_, due = r.scanQuery(r.u.query, 0, due)
	}
	if r.u.hasFragment {
		due |= t.fragment
	}
	return due & everyStep
}

// hasPlainPath reports whether the path is as it was scanned, except for slashes at its end. It is in normal form then,
// and no evidence and no override may have changed it.
func (r *run) hasPlainPath() bool { return r.shape.isPlain && r.due != everyStep }

// scanScheme sets the scheme. It returns the index at which the host begins, and the steps due for the scheme. The
// index is 0 if the text does not begin with one of the two schemes and "://".
func (a *address) scanScheme(text []byte, t *stepTriggers) (int, stepSet) {
	const https, http = len("https://"), len("http://")
	switch {
	case len(text) < https:
		return 0, 0
	case string(text[:https]) == "https://":
		a.scheme = schemeHTTPS
		return https, t.https
	case string(text[:http]) == "http://":
		a.scheme = schemeHTTP
		return http, t.http
	case bytes.EqualFold(text[:https], []byte("https://")):
		a.scheme = text[:len("https"):len("https")]
		return https, t.mixedScheme
	case bytes.EqualFold(text[:http], []byte("http://")):
		a.scheme = text[:len("http"):len("http")]
		return http, t.mixedScheme
	}
	return 0, 0
}

// scanPort sets the port behind the colon at index i, and returns the index of its end. It returns 0 if there is no
// colon, or no port of up to four digits behind it that ends the authority.
func (a *address) scanPort(text []byte, i int) int {
	if i >= len(text) || text[i] != ':' {
		return 0
	}
	begin := i + 1
	for i = begin; i < len(text) && isDigit(text[i]); i++ {
	}
	isEnd := i == len(text) || text[i] == '/' || text[i] == '?' || text[i] == '#'
	if n := i - begin; n == 0 || n > 4 || !isEnd {
		return 0
	}
	a.port, a.hasPort = text[begin:i:i], true
	return i
}

// pathShape holds the properties of a path that the classify step needs. It has no pointer, because the garbage
// collector makes writing one dear.
type pathShape struct {
	depth     int       // number of non-empty segments
	last      textRange // the last of them
	naming    textRange // the first one that may name a document
	mayName   bool      // there is one
	mayBeCode bool      // the first one may be a language code
	hasDot    bool      // the last one has a dot
	isPlain   bool      // no step may change more than the slashes at its end
	inCode    bool      // the first one is a language code; from levels
}

// textRange is a part of a text.
type textRange struct{ begin, end int }

func (t textRange) of(text []byte) []byte { return text[t.begin:t.end] }

// scan reads the path of text, which begins at index i. It returns the index of its end, and due with the steps that
// the path makes due.
func (s *pathShape) scan(p *Policy, text []byte, i int, due stepSet) (int, stepSet) {
	t := p.triggers
	var shape pathShape
	start := i
	for i < len(text) && text[i] == '/' {
		n, found := span(text[i+1:], &t.inPath)
		segment := text[i+1 : i+1+n]
		at := textRange{i + 1 - start, i + 1 + n - start}
		if found&^due&mayIdentify != 0 {
			shape.naming = at
		}
		i += 1 + n
		if due |= found; found&escapes != 0 {
			due |= t.ofEscapes(segment, &t.escapedInPath)
		}
		if n == 0 {
			due |= t.emptySegment
			continue
		}
		isFirst := shape.depth == 0
		shape.last = at
		shape.depth++
		shape.hasDot = found&hasDot != 0
		if n <= maxCode && (isFirst || p.languages.sizes.of(segment) != 0) &&
			p.languages.mayBeCode(segment, isFirst) {
			due |= t.codeSegment
			shape.mayBeCode = shape.mayBeCode || isFirst
		}
		if segment[0] == '.' || segment[0] == '(' {
			due |= t.dotSegment
		}
	}
	shape.mayName = due&mayIdentify != 0
	shape.isPlain = due&(t.editingPath|escapes) == 0
	*s = shape
	return i, due
}

// ofEscapes returns the steps due for the escapes in a text. The table has those for the bytes that they stand for.
func (t *stepTriggers) ofEscapes(text []byte, table *[256]stepSet) (due stepSet) {
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		x, n := decodeByte(text[i:])
		if due |= table[x]; n == 1 || text[i+1] > 'F' || text[i+2] > 'F' {
			due |= t.oddEscape
		}
		i += n - 1
	}
	return due
}

// ofPathEnd returns the steps due for the end of the path.
func (t *stepTriggers) ofPathEnd(path []byte, query bool) stepSet {
	switch {
	case len(path) == 0 && query:
		return t.rootlessQuery | t.rootless
	case len(path) == 0:
		return t.rootless
	case path[len(path)-1] == '/':
		return t.slashed
	}
	return t.unslashed
}

// scanQuery reads the query of text, which begins at index i. It returns the index of its end, and due with the steps
// that the query makes due.
func (r *run) scanQuery(text []byte, i int, due stepSet) (int, stepSet) {
	t := r.policy.triggers
	begin := i
	r.scanned = r.scanned[:0]
	for {
		n, found := span(text[i:], &t.inName)
		name, isPair := text[i:i+n], n > 0
		i += n
		if due |= found; found&escapes != 0 {
			due |= t.ofEscapes(name, &t.escapedInName)
		}
		if i < len(text) && text[i] == '=' {
			n, found = span(text[i:], &t.inValue)
			if due |= found; found&escapes != 0 {
				due |= t.ofEscapes(text[i:i+n], &t.escapedInValue)
			}
			i += n
			isPair = true
		}
		if isPair {
			known := r.named(name)
			due |= known.due
			r.kinds |= known.kind
			r.scanned = append(r.scanned, known)
		}
		if i == len(text) || text[i] != '&' {
			break
		}
		i++
	}
	if i == begin || text[begin] == '&' {
		due |= t.emptyQuery
	}
	return i, due | t.query
}

// mayHaveParam reports whether the query may have a parameter of that kind.
func (r *run) mayHaveParam(kind paramKind) bool {
	return r.u.hasQuery && (r.kinds&kind != 0 || r.due == everyStep)
}

// span returns the number of bytes before the first delimiter of the table, and the table's entries for these bytes and
// the delimiter.
//
// It is not inlined: inside the loops of its callers its variables would live in memory, at three times the
// instructions for each byte.
//
//go:noinline
func span(text []byte, table *[256]stepSet) (n int, found stepSet) {
	for ; n < len(text)-3; n += 4 { // four bytes at once
		a, b, c, d := table[text[n]], table[text[n+1]], table[text[n+2]], table[text[n+3]]
		if (a|b|c|d)&delimits == 0 {
			found |= a | b | c | d
			continue
		}
		// The processor cannot foresee which of them it is, and a wrong guess costs more than this arithmetic. toB has
		// every bit if the text goes on to b.
		toB := ^-(a >> delimitsBit & 1)
		toC := toB & ^-(b >> delimitsBit & 1)
		toD := toC & ^-(c >> delimitsBit & 1)
		return n + int(toB&1+toC&1+toD&1), found | a | b&toB | c&toC | d&toD
	}
	for ; n < len(text); n++ {
		at := table[text[n]]
		if found |= at; at&delimits != 0 {
			break
		}
	}
	return n, found
}
