package canon

// Entry is one step of the way from the original to the canonical URL. Entries are listed only for steps that
// changed or noted something. The first entry's Before is the original, each entry's After is the next one's
// Before, and the last After is the canonical URL, so the list replays.
type Entry struct {
	Step   string `json:"step"`           // id of the step, or "override" for a rewrite or an accepted flag
	Rule   int    `json:"rule,omitempty"` // rule of seed 000; 0: the step has none
	Before string `json:"before"`
	After  string `json:"after"`
	Note   string `json:"note,omitempty"` // what was done and why, for people
}
