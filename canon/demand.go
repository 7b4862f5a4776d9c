package canon

import "math/bits"

// demand says which rows of the pipeline have something to do for a URL under a policy: byte by byte of its path and query,
// name by name of its parameters, and as a whole. A row that nothing of a URL demands would leave it, and all that is known
// of it, as they are, so it need not run. Too much demanded costs time; too little would be wrong, and the tests compare with a
// demand for everything.
//
// Evidence and overrides concern the whole URL: where there are any, every row is due.
type demand struct {
	always stepSet // for every URL
	query  stepSet // for every URL with a query

	// For a byte of the path, of a parameter's name, and of what follows the name; of the host, only what ends it.
	inPath, inName, inValue, inHost [256]stepSet

	segment stepSet // for a path segment that may be the code of a language
	dot     stepSet // for a path segment that begins with a dot or a bracket
	doubled stepSet // for a path segment that is empty

	rootless, rootlessQuery stepSet // for an empty path, without and with a query
	slashed, unslashed      stepSet // for a path that ends in a slash, and for one that does not
	emptyQuery              stepSet // for a query that is empty or begins with "&"
	http, https             stepSet // for the scheme
}

// The rows that other steps ask about, the rows that may give the URL another text where there is no evidence and no
// override, and all of them.
const (
	parseStep stepSet = 1 << iota
	schemeStep
	hostStep
	sessionStep
	trackingStep
	fragmentStep
	pathStep
	redirectsStep
	wwwStep
	overrideStep
	languageStep
	paginationStep
	queryStep
	classifyStep

	allSteps = 1<<iota - 1
	editing  = allSteps &^ (parseStep | redirectsStep | languageStep | classifyStep)
)

// Marks beside the rows in the tables of bytes, for the survey.
const (
	divides stepSet = 1 << (16 + iota) // ends a part of the URL, or divides it
	odd                                // has to be read by parse
	capital                            // is a letter to be lowered
	tells                              // may be a part of what identifies a document
	dotted                             // is the dot before an extension
)

// stepSet is a set of rows, one bit each.
type stepSet uint32

// first returns the index of the first row in the set, which is not empty.
func (s stepSet) first() int { return bits.TrailingZeros32(uint32(s)) }

// newDemand compiles what the switches of the policy demand.
func newDemand(p *Policy) *demand {
	d := &demand{
		segment: languageStep, dot: sessionStep | pathStep | languageStep,
		slashed: pathStep, rootlessQuery: pathStep, emptyQuery: pathStep,
	}
	d.addAlways(p)
	d.addSlash(p)
	d.addBytes()
	return d
}

func (d *demand) addAlways(p *Policy) {
	doc := &p.doc
	demandIf(doc.Classify, &d.always, classifyStep)
	demandIf(doc.CanonicalHost != "", &d.always, allSteps)
	demandIf(len(p.base.path) > 0 || doc.RemoveIndex || doc.LowerPaths, &d.always, allSteps)
	demandIf(len(doc.Allowed)+len(doc.Defaults) > 0 || doc.EscapeValues || doc.Sort != "none", &d.query, queryStep)
	demandIf(doc.Scheme != "https" && doc.Scheme != "keep" && doc.Scheme != "known-https", &d.https, schemeStep)
	demandIf(doc.Scheme != "http" && doc.Scheme != "keep" && doc.Scheme != "known-https", &d.http, schemeStep)
	demandIf(doc.Collapse, &d.doubled, pathStep)
}

// demandIf adds rows to a demand.
func demandIf(wanted bool, where *stepSet, rows stepSet) {
	if wanted {
		*where |= rows
	}
}

func (d *demand) addSlash(p *Policy) {
	demandIf(p.doc.TrailingSlash != "never", &d.rootless, pathStep)
	demandIf(p.doc.TrailingSlash == "always", &d.unslashed, pathStep)
}

// addBytes fills the tables of bytes. An escape may hide a dot, a code of a language or a session segment.
func (d *demand) addBytes() {
	for x := range 256 {
		demandIf(!pathSet[x], &d.inPath[x], pathStep)
		demandIf(charKind[x] != otherChar && charKind[x] != letterChar, &d.inPath[x], tells)
		demandIf(x == '.', &d.inPath[x], dotted)
		if isCapital := 'A' <= x && x <= 'Z'; isCapital {
			d.inHost[x] = capital
		} else if !plainHost[x] {
			d.inHost[x] = divides | odd
		}
		demandIf(!querySet[x], &d.inName[x], pathStep)
		demandIf(!querySet[x], &d.inValue[x], pathStep)
	}
	d.inPath['%'] |= sessionStep | languageStep
	d.inPath[';'] |= sessionStep | pathStep | languageStep
	for _, in := range []struct {
		table   *[256]stepSet
		divides string
		odd     string
	}{
		{&d.inHost, "/?#", ""},
		{&d.inPath, "/?#", "\t\r\n\\"},
		{&d.inName, "=&#", "\t\r\n"},
		{&d.inValue, "&#", "\t\r\n"},
	} {
		for _, x := range []byte(in.divides) {
			in.table[x] = divides
		}
		for _, x := range []byte(in.odd) {
			in.table[x] = divides | odd
		}
	}
}

// ofKind returns the rows that a parameter demands that the lists know as this.
func (d *demand) ofKind(p *Policy, kind paramKind) (rows stepSet) {
	demandIf(kind&isSession != 0, &rows, sessionStep)
	demandIf(kind&isTracking != 0 || kind == 0 && p.doc.FlagUnknown, &rows, trackingStep)
	demandIf(kind&isPagination != 0, &rows, paginationStep)
	demandIf(kind&isLanguage != 0, &rows, languageStep)
	return rows
}
