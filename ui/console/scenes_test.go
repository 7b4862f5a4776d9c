package console

import (
	"path/filepath"
	"slices"
	"testing"

	"visto/review"
)

// scene is a state of the console, with the keys that lead there.
type scene struct {
	name     string
	keys     []string
	empty    bool                                              // the database is; else it has the samples in it
	records  bool                                              // the samples are those of citedSamples
	proposed bool                                              // two rules are, see propose
	pages    bool                                              // pages of the samples are stored
	readOnly bool                                              // nothing may be written
	asks     bool                                              // every change is asked about
	then     func(t *testing.T, s *screen, other *review.Desk) // the work of another reviewer after the keys
}

// scenes are the states of the golden screens: every tab, every dialog, and their texts for problems.
func scenes() []scene {
	return slices.Concat(queueScenes(), urlScenes(), ruleScenes(), causeScenes(), tabScenes())
}

func queueScenes() []scene {
	return []scene{
		{name: "queue"},
		{name: "queue-marked", keys: []string{"space", "space", "j"}},
		{name: "queue-range", keys: []string{"j", "V", "j", "j"}},
		{name: "only-marked", keys: []string{"space", "j", "space", "F"}},
		{name: "confirm", asks: true, keys: []string{"*", "A"}},
		{name: "reject-marked", keys: []string{"space", "space", "R", "type:gone"}},
		{name: "note-marked", keys: []string{"space", "space", ":", "type:note on marked", "enter", "type:seen"}},
		{name: "assign", keys: []string{"@", "type:ana, ben"}},
		{name: "assign-preview", asks: true, keys: []string{"@", "type:ana, ben", "enter"}},
		{name: "assigned", keys: []string{"@", "type:ana, ben", "enter", "f", "type:assignee", "space"}},
		{name: "facets", keys: []string{"f"}},
		{name: "facets-chosen", keys: []string{"f", "down", "space", "type:sepe", "space"}},
		{name: "sort", keys: []string{"s", "down"}},
		{name: "columns", records: true, keys: []string{"L", "j", "j", "j", "j", "space", "K"}},
		{name: "columns-chosen", records: true, keys: []string{":",
			"type:columns flag, record 12, field, url", "enter"}},
		{name: "views", keys: []string{"v"}},
		{name: "views-saved", keys: []string{"/", "type:sepe", "enter", "v", "type:save", "enter", "type:SEPE",
			"enter", "v"}},
		{name: "views-rename", keys: []string{"v", "type:save", "enter", "type:all", "enter", "v", "type:rename",
			"enter"}},
		{name: "views-delete", keys: []string{"v", "type:save", "enter", "type:all", "enter", "v", "type:delete",
			"enter", "down"}},
		{name: "search", keys: []string{"/", "type:sepe"}},
		{name: "search-wrong", keys: []string{"/", "type:re:sepe("}},
		{name: "search-found", keys: []string{"/", "type:sepe", "enter"}},
		{name: "search-nothing", keys: []string{"/", "type:zzz", "enter"}},
		{name: "queue-records", records: true},
		{name: "done", keys: []string{"*", "A"}},
		{name: "empty", empty: true},
		{name: "read-only", keys: []string{"a"}, readOnly: true},
		{name: "others", then: func(t *testing.T, s *screen, other *review.Desk) {
			decideAs(t, other, review.Approve, 1)
			s.poll()
		}},
		{name: "conflict", keys: []string{"r", "type:gone"}, then: func(t *testing.T, s *screen, other *review.Desk) {
			decideAs(t, other, review.Approve, 1)
			s.keys("enter")
		}},
	}
}

func urlScenes() []scene {
	return []scene{
		{name: "detail", keys: []string{"enter"}},
		{name: "detail-records", records: true, keys: []string{"enter"}},
		{name: "detail-redirects", keys: []string{"/", "type:imv", "enter", "enter"}},
		{name: "detail-gone", records: true, keys: []string{"v", "type:gone", "enter", "enter"}},
		{name: "page", pages: true, keys: []string{"P"}},
		{name: "page-below", pages: true, keys: []string{"enter", "P", "J", "J", "J"}},
		{name: "page-search", pages: true, keys: []string{"P", "/", "type:cita"}},
		{name: "page-changes", pages: true, keys: []string{"P", "D"}},
		{name: "page-none", keys: []string{"P"}},
		{name: "page-hostile", pages: true, keys: []string{"G", "k", "P"}},
		{name: "links", pages: true, keys: []string{"P", "l", "j"}},
		{name: "links-search", pages: true, keys: []string{"P", "l", "/", "type:tramites"}},
		{name: "links-cite", pages: true, keys: []string{"P", "l", "j", "enter"}},
		{name: "choose", keys: []string{"j", "j", "j", "j", "j", "j", "c"}},
		{name: "related", keys: []string{"enter", "m"}},
		{name: "detail-trace", keys: []string{"G", "enter", "t"}},
		{name: "detail-below", keys: []string{"enter", "J", "J"}},
		{name: "probe", keys: []string{"enter", "p"}},
		{name: "hostile", keys: []string{"G", "k", "enter"}},
		{name: "correct", keys: []string{"e", "backspace", "backspace", "type:de"}},
		{name: "correct-wrong", keys: []string{"e", "ctrl+u", "type:nothing of the kind"}},
		{name: "reject", keys: []string{"r"}},
		{name: "reject-empty", keys: []string{"r", "enter"}},
		{name: "note", keys: []string{"enter", "n", "type:pregunte\u0301 統計"}},
		{name: "redo-lost", keys: []string{"*", "A", "u", "a"}},
	}
}

func ruleScenes() []scene {
	standing := []string{"o", "d", "ctrl+s"}
	after := func(keys ...string) []string { return slices.Concat(standing, keys) }
	return []scene{
		{name: "override", keys: []string{"o", "d"}},
		{name: "override-json", keys: []string{"o", "d", "ctrl+t", "down", "down", "down", "type:x"}},
		{name: "override-wrong", keys: []string{"o", "up", "up", "up", "ctrl+u", "type:no host"}},
		{name: "override-standing", keys: after("o", "right")},
		{name: "override-edit", keys: after("3", "e")},
		{name: "override-show", keys: after("3", "enter")},
		{name: "override-remove", keys: after("3", "D")},
		{name: "overrides", keys: after("3")},
		{name: "overrides-none", keys: []string{"3"}},
		{name: "proposals", proposed: true, keys: after("3")},
		{name: "proposal-show", proposed: true, keys: []string{"3", "j", "enter"}},
		{name: "proposal-confirm", proposed: true, keys: []string{"3", "a"}},
		{name: "proposal-remove", proposed: true, keys: []string{"3", "j", "D"}},
		{name: "candidates", keys: []string{"C", "C"}},
		{name: "candidates-look", keys: []string{"C", "C", "l"}},
		{name: "rules", keys: []string{"w"}},
		{name: "rule", keys: []string{":", "type:rule: unknown", "enter"}},
	}
}

func causeScenes() []scene {
	return []scene{
		{name: "causes", keys: []string{"2"}},
		{name: "cause-marked", asks: true, keys: []string{"2", "space", "j", "space", "A"}},
		{name: "cause-keep", keys: []string{"2", "K"}},
		{name: "cause-drop", asks: true, keys: []string{"2", "D"}},
		{name: "cause-accept", asks: true, keys: []string{"2", "A"}},
		{name: "cause-narrow", keys: []string{"2", "l"}},
		{name: "cause-search", keys: []string{"2", "/", "type:gencat"}},
		{name: "cause-spanish", asks: true, keys: []string{"2", "/", "type:no-spanish", "enter", "m"}},
		{name: "cause-why", keys: []string{"2", "R"}},
		{name: "cause-reject", asks: true, keys: []string{"2", "R", "type:gone", "enter"}},
		{name: "cause-override", keys: []string{"2", "o"}},
		{name: "cause-rules", keys: []string{"2", "w"}},
		{name: "cause-urls", keys: []string{"2", "enter"}},
	}
}

func tabScenes() []scene {
	return []scene{
		{name: "log", keys: []string{"a", "d", "o", "d", "ctrl+s", "4"}},
		{name: "log-entry", keys: []string{"a", "4", "enter"}},
		{name: "log-undo", keys: []string{"a", "4", "u"}},
		{name: "stats", keys: []string{"a", "5"}},
		{name: "stats-end", keys: []string{"a", "V", "j", "A", "o", "d", "ctrl+s", "5", "G"}},
		{name: "help", keys: []string{"?"}},
		{name: "palette", keys: []string{":", "type:reject no longer there"}},
		{name: "palette-nothing", keys: []string{":", "type:zzzz"}},
		{name: "messages", keys: []string{"a", "u", "M"}},
	}
}

// eachScene runs a test of every scene in the smallest of the usual terminals.
func eachScene(t *testing.T, test func(t *testing.T, name string, s *screen)) {
	t.Helper()
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) { test(t, sc.name, sc.open(t, 80, 24, "TERM=xterm")) })
	}
}

// open opens the console and brings it into the state.
func (sc scene) open(t *testing.T, width, height int, env string) *screen {
	t.Helper()
	var mine *review.Desk
	path := filepath.Join(t.TempDir(), "visto.db")
	if sc.empty || sc.records {
		mine = openDesk(t, path, "ana")
	} else {
		d := sampleDesk(t)
		mine, path = d.Desk, d.path
	}
	if sc.records {
		addCited(t, mine)
	}
	if sc.proposed {
		propose(t, mine, openDesk(t, path, "berta"))
	}
	opts := Options{
		DBPath: "/home/ana/visto.db", Env: []string{env},
		Prober: &fakeFinder{fakeNet: &fakeNet{desk: mine, answer: movedTo(citaPrevia + "?plaza=centro")},
			pages: somePages().pages},
	}
	if sc.asks {
		opts.unasked = -1
	}
	var desk Desk = mine
	if sc.pages {
		desk = withPages(mine)
	}
	if sc.readOnly {
		desk = readOnly{mine, t}
	}
	s := openScreenWith(t, desk, opts, width, height, sc.keys...)
	if sc.then != nil {
		sc.then(t, s, openDesk(t, path, "berta"))
	}
	return s
}
