package canon

// Entry is one change on the way from the original to the canonical URL. Steps that changed and noted nothing have
// none. The list replays: the first Before is the original, each After is the next Before, and the last After is the
// canonical URL.
type Entry struct {
	Step   string `json:"step"`           // id of the step, or "override" for a rewrite or an accepted flag
	Rule   int    `json:"rule,omitempty"` // rule of seed 000; 0: the step has none
	Before string `json:"before"`
	After  string `json:"after"`
	Note   string `json:"note,omitempty"` // the change and its reason, for people
}
