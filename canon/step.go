package canon

// step is one row of the pipeline.
type step struct {
	id       string
	rule     int    // of seed 000; 0: none
	text     string // for people
	traits   traits
	triggers func(*registrar) // registers the URLs for which the step is due
	do       func(*run)
}

// traits are properties of a step that other parts of the run rely on, as bits.
type traits uint8

const (
	cleans     traits = 1 << iota // runs again on a URL that a redirect, a rewrite or a Spanish version gave
	editsPath                     // may change the path after the fast scan, before classify
	leavesText                    // never changes the text of a URL without evidence and overrides
)

const stepCount = 14 // rows of the pipeline

// pipeline is the order of operations of seed 000. Each step stands in the file step_<id>.go. The override step comes
// "after base normalization" (seed 001 section 3.1).
var pipeline = [stepCount]step{
	{"parse", 0,
		"takes the text apart, supplies a missing scheme, strips credentials, rejects all but public http(s) URLs",
		leavesText, parseTriggers, (*run).stepParse},
	{"scheme", 1, "https, unless the host is known not to answer over it", cleans, schemeTriggers, (*run).stepScheme},
	{"host", 6, "host in lower case and ASCII, default port dropped", cleans, hostTriggers, (*run).stepHost},
	{"session", 8, "session identifiers out of path and query",
		cleans | editsPath, sessionTriggers, (*run).stepSession},
	{"tracking", 3, "tracking parameters out of the query", cleans, trackingTriggers, (*run).stepTracking},
	{"fragment", 4, "fragment removed and noted", cleans, fragmentTriggers, (*run).stepFragment},
	{"path", 2, "percent-encoding in normal form, dot segments resolved, trailing slash removed",
		cleans | editsPath, pathTriggers, (*run).stepPath},
	{"redirects", 7, "the final URL of the recorded redirects", leavesText, redirectsTriggers, (*run).stepRedirects},
	{"www", 5, "the host that the domain prefers", 0, wwwTriggers, (*run).stepWWW},
	{"override", 0, "preferred host and rewrites of the reviewers' overrides",
		0, overrideTriggers, (*run).stepOverride},
	{"language", 10, "the Spanish version, where one is known", leavesText, languageTriggers, (*run).stepLanguage},
	{"pagination", 9, "page number out of the query and into the metadata",
		0, paginationTriggers, (*run).stepPagination},
	{"query", 0, "allowed parameters only, defaults out, values escaped, sorted: as far as the policy says",
		0, queryTriggers, (*run).stepQuery},
	{"classify", 0, "informative page, section or home page", leavesText, classifyTriggers, (*run).stepClassify},
}

// StepInfo describes one row of the pipeline.
type StepInfo struct {
	ID   string
	Rule int    // rule of seed 000; 0: none
	Text string // for people, in one clause
}

// Steps lists the pipeline in its order.
func Steps() []StepInfo {
	var list []StepInfo
	for _, s := range pipeline {
		list = append(list, StepInfo{s.id, s.rule, s.text})
	}
	return list
}

// setOfStep returns the set of the step with that id, empty if there is none.
func setOfStep(steps *[stepCount]step, id string) stepSet {
	for i := range steps {
		if steps[i].id == id {
			return 1 << i
		}
	}
	return 0
}

func stepOfRule(rule int) string {
	for _, s := range pipeline {
		if s.rule == rule {
			return s.id
		}
	}
	return ""
}
