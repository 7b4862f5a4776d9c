package canon

import "math/bits"

// stepTriggers says which steps may have work to do for a URL under a policy. Each step registers its triggers with the
// function in its row of the pipeline; the fast scan looks them up byte by byte and name by name.
//
// Invariant: a step without a trigger in a URL would leave the URL and its result unchanged. A needless trigger only
// costs time, a missing one makes results wrong. The tests compare with a run in which every step is due.
//
// Evidence and overrides concern the whole URL: with either of them every step is due.
type stepTriggers struct {
	always stepSet // for every URL
	query  stepSet // for every URL with a query

	// By byte: of the path, of a parameter name, of the text behind a name, of the host, of the fragment.
	inPath, inName, inValue, inHost, inFragment [256]stepSet

	// By the byte that an escape stands for: in the path, in a parameter name, in the text behind a name.
	escapedInPath, escapedInName, escapedInValue [256]stepSet

	oddEscape stepSet // for a "%" without digits behind it, or with digits in lower case

	codeSegment  stepSet // for a path segment that may be a language code
	dotSegment   stepSet // for a path segment that begins with a dot or a parenthesis
	emptySegment stepSet // for an empty path segment

	rootless, rootlessQuery stepSet // for an empty path; only if a query follows
	slashed, unslashed      stepSet // for a path that ends in a slash; for one that does not
	emptyQuery              stepSet // for a query that is empty or begins with "&"
	fragment                stepSet // for a fragment, even an empty one

	http, https, mixedScheme stepSet // for "http://" and "https://", and for either not in lower case

	hosts  []condition[*hostFacts]
	params []condition[paramKind]

	// Rows by trait.
	cleaning, editing, editingPath stepSet

	parsed stepSet // rows that may be due whatever path, query and fragment are: for a URL that parse reads
}

// condition makes steps due for each host or parameter name that fits. It is asked once for each of them, not for each
// URL.
type condition[T any] struct {
	due  stepSet
	fits func(T) bool
}

// dueFor returns the steps that are due for every URL with that host or parameter name.
func dueFor[T any](conditions []condition[T], about T) (due stepSet) {
	for _, c := range conditions {
		if c.fits(about) {
			due |= c.due
		}
	}
	return due
}

// stepSet is a set of rows of the pipeline, bit n for row n. In the tables of bytes, scan marks stand beside the rows.
type stepSet uint32

// everyStep holds each row of the pipeline.
const everyStep stepSet = 1<<stepCount - 1

// delimitsBit is the number of the bit of delimits.
const delimitsBit = stepCount

// Scan marks: properties of a byte that the fast scan itself acts on.
const (
	delimits    stepSet = 1 << (delimitsBit + iota) // ends a part of the URL, a segment or a parameter
	needsParse                                      // only parse reads a URL with this byte
	capital                                         // a letter to be lowered
	mayIdentify                                     // may be part of the name of one document
	hasDot                                          // the dot before a file extension, or between labels
	hyphen                                          // may begin the mark of a mapped label: "xn--"
	mayBePasted                                     // may begin text that was copied along with the URL
	escapes                                         // the "%" of an escape, which counts as the byte it stands for
	colon                                           // may follow a second scheme
)

// first returns the index of the first row in the set, which is not empty.
func (s stepSet) first() int { return bits.TrailingZeros32(uint32(s)) }

// registrar registers the triggers of one step.
type registrar struct {
	*stepTriggers
	policy *Policy
	step   stepSet // the step itself
}

// newTriggers compiles the triggers of all steps under the switches of the policy.
func newTriggers(p *Policy) *stepTriggers {
	t := &stepTriggers{}
	for i := range pipeline {
		row := &pipeline[i]
		r := registrar{t, p, 1 << i}
		r.when(row.traits&cleans != 0, &t.cleaning)
		r.when(row.traits&leavesText == 0, &t.editing)
		r.when(row.traits&editsPath != 0, &t.editingPath)
		row.triggers(&r)
	}
	t.parsed = everyStep&^t.ofParts() | t.always | t.http | t.https | t.mixedScheme
	return t
}

// ofParts returns the steps that path, query or fragment may make due.
func (t *stepTriggers) ofParts() stepSet {
	due := t.query | t.oddEscape | t.codeSegment | t.dotSegment | t.emptySegment | t.rootless | t.rootlessQuery |
		t.slashed | t.unslashed | t.emptyQuery | t.fragment
	for x := range 256 {
		due |= t.inPath[x] | t.inName[x] | t.inValue[x]
		due |= t.escapedInPath[x] | t.escapedInName[x] | t.escapedInValue[x]
	}
	for _, c := range t.params {
		due |= c.due
	}
	return due
}

// on makes the step due in each place.
func (r *registrar) on(places ...*stepSet) {
	for _, place := range places {
		*place |= r.step
	}
}

// when is on under a condition.
func (r *registrar) when(condition bool, places ...*stepSet) {
	if condition {
		r.on(places...)
	}
}

// onBytes makes the step due for the bytes that fit. A delimiter ends the text of a table and is no part of it.
func (r *registrar) onBytes(table *[256]stepSet, fits func(x byte) bool) {
	mark(table, r.step, fits)
}

func mark(table *[256]stepSet, marks stepSet, fits func(x byte) bool) {
	for x := range table {
		if table[x]&delimits == 0 && fits(byte(x)) {
			table[x] |= marks
		}
	}
}

// onHosts makes steps due for the hosts that fit.
func (r *registrar) onHosts(due stepSet, fits func(*hostFacts) bool) {
	r.hosts = append(r.hosts, condition[*hostFacts]{due, fits})
}

// onParams makes the step due for the parameter names that fit.
func (r *registrar) onParams(fits func(paramKind) bool) {
	r.params = append(r.params, condition[paramKind]{r.step, fits})
}
