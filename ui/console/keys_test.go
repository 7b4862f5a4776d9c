package console

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/review"
)

// bindingCases are the keys that press each binding, and a text on the screen after them. Every binding of the
// table has a case; tests of decisions and rules check the results in full.
var bindingCases = map[string]struct {
	keys []string
	want string
}{
	"Approve": {[]string{"a"}, "approved: URL 1"}, "Reject": {[]string{"r"}, "╭─ Reject"},
	"Correct": {[]string{"e"}, "Correct the canonical URL"}, "Override": {[]string{"o"}, "Override for"},
	"Defer": {[]string{"d"}, "deferred: URL 1"}, "Undo": {[]string{"a", "u"}, "took back: approve"},
	"Redo": {[]string{"a", "u", "ctrl+r"}, "brought back: approve"}, "Note": {[]string{"n"}, "╭─ Note"},
	"Mark": {[]string{"space"}, "1 marked"}, "Mark all": {[]string{"*"}, "10 marked"},
	"Approve marked":       {[]string{"space", "A"}, "approved: 1 URL"},
	"Reject marked":        {[]string{"space", "R"}, "Reject 1 URL"},
	"Defer marked":         {[]string{"space", "D"}, "deferred: 1 URL"},
	"Reopen marked":        {[]string{"space", ":", "type:reopen marked", "enter"}, "reopened: 1 URL"},
	"Note on marked":       {[]string{"space", ":", "type:note on marked", "enter"}, "Note on 1 URL"},
	"Assign":               {[]string{"@", "type:ana, ben", "enter"}, "assigned: 10 URLs (ana 5, ben 5)"},
	"Mark a range":         {[]string{"V", "j", "V"}, "2 marked"},
	"Range down":           {[]string{"shift+down", "space"}, "2 marked"},
	"Range up":             {[]string{"G", "shift+up", "V"}, "2 marked"},
	"Only marked":          {[]string{"space", "F"}, "▽ 1 marked"},
	"Reopen":               {[]string{":", "type:reopen", "enter"}, "reopened: URL 1"},
	"URLs of the cause":    {[]string{"2", "enter"}, "1 of 3"},
	"Choose another URL":   {[]string{"c"}, "╭─ Another URL"},
	"Page":                 {[]string{"P"}, "## Requisitos"},
	"Close the page":       {[]string{"enter", "P", "esc"}, "Why it is here"},
	"Links":                {[]string{"P", "l"}, "6 links"},
	"Changes":              {[]string{"P", "D"}, "- Se puede pedir todo el año."},
	"Search the page":      {[]string{"P", "/", "type:cita"}, "1 of 5"},
	"Next match":           {[]string{"P", "/", "type:cita", "enter", "n"}, "2 of 5"},
	"Previous match":       {[]string{"P", "/", "type:cita", "enter", "N"}, "5 of 5"},
	"Next heading":         {[]string{"P", "J", "J"}, "↑ ## Requisitos"},
	"Previous heading":     {[]string{"P", "J", "J", "J", "K"}, "↑ ## Requisitos"},
	"Cite link":            {[]string{"P", "l", "enter"}, "╭─ Correct the canonical URL"},
	"Close the links":      {[]string{"P", "l", "esc"}, "## Requisitos"},
	"Open link in browser": {[]string{"P", "l", "x"}, "there is no browser"},
	"Copy link":            {[]string{"P", "l", "y"}, "copied the link: https://sede.ejemplo.gob.es/"},
	"Search links":         {[]string{"P", "l", "/", "type:boe", "enter"}, "1 of 6 links"},
	"URLs of the record":   {[]string{"b"}, "no record cites this URL"},
	"Next of the record":   {[]string{"enter", "b"}, "no record cites this URL"},
	"Related URLs":         {[]string{"enter", "m"}, "╭─ Related URLs"},
	"Next section":         {[]string{"enter", "J"}, "Cited by"},
	"Previous section":     {[]string{"enter", "J", "J", "K"}, "Cited by"},
	"Fold":                 {[]string{"enter", "Z"}, "URLs are shown whole"},
	"Keep":                 {[]string{"2", "K"}, "plaza kept on sede.ejemplo.gob.es"},
	"Drop":                 {[]string{"2", "D"}, "plaza dropped on sede.ejemplo.gob.es"},
	"Pages to cite":        {[]string{"C"}, "there is no network to ask here"},
	"Cite the best page":   {[]string{"E"}, "no page is known for this URL: C looks for some"},
	"Map to Spanish": {[]string{"2", "/", "type:no-spanish", "enter", "m"},
		"/ca/ led to /es/ on web.gencat.cat"},
	"Cite other host":        {[]string{"2", "c"}, "no page is cited on this host with www"},
	"Accept":                 {[]string{"2", "A"}, "all parameters kept on sede.ejemplo.gob.es"},
	"Reject the cause":       {[]string{"2", "R"}, "╭─ Reject"},
	"Take the suggestion":    {[]string{"2", "t"}, "this is no suggested rule"},
	"Dismiss the suggestion": {[]string{"2", "x"}, "this is no suggested rule"},
	"Ask about the cause":    {[]string{"2", "p"}, "there is no network to ask here"},
	"Narrow":                 {[]string{"2", "l"}, "plaza on sede.ejemplo.gob.es/tramites/cita-previa"},
	"Widen":                  {[]string{"2", "right", "h"}, "settles 2 of 3"},
	"Cite the pages found":   {[]string{"2", "C"}, "pages are looked for where URLs are home pages"},
	"Read the URLs":          {[]string{"2", "tab"}, "tab brings the list back"},
	"More URLs":              {[]string{"2", ".", "."}, "these are the last URLs of the cause"},
	"URLs before":            {[]string{"2", ","}, "these are the first URLs of the cause"},
	"Next cause":             {[]string{"2", "tab", "]"}, "no-spanish on web.gencat.cat"},
	"Previous cause":         {[]string{"2", "tab", "]", "["}, "unknown-param plaza on sede.ejemplo.gob.es"},
	"Mark cause":             {[]string{"2", "space"}, "* "},
	"Search causes":          {[]string{"2", "/", "type:gencat", "enter"}, "▌        1       1  no-spanish"},
	"Unfold rows":            {[]string{"2", "z"}, "no rows fold into this one"},
	"Approve once":           {[]string{"2", "a"}, "approved: 2 URLs"},
	"Defer once":             {[]string{"2", "d"}, "deferred: 3 URLs"},
	"Clear causes":           {[]string{"2", "/", "type:gencat", "enter", "esc"}, "plaza on sede"},
	"Override for the cause": {[]string{"2", "o"}, "Override for"},
	"Show override":          {[]string{"o", "d", "ctrl+s", "3", "enter"}, "drop_query_params"},
	"Confirm proposal":       {[]string{"o", "d", "ctrl+s", "3", "a"}, "there is nothing to confirm"},
	"Edit override":          {[]string{"o", "d", "ctrl+s", "3", "o"}, "╭─ Override for"},
	"Remove override":        {[]string{"o", "d", "ctrl+s", "3", "delete"}, "╭─ Remove override"},
	"Show entry":             {[]string{"4", "enter"}, "Entry 2"},
	"Search the log":         {[]string{"4", "/", "type:nowhere"}, "No entry has this text"},
	"All entries":            {[]string{"4", "/", "type:nowhere", "enter", "esc"}, "policy clara@1"},
	"Undo this batch":        {[]string{"a", "4", "u"}, "╭─ Take back"},
	"Open":                   {[]string{"enter"}, "Why it is here"},
	"Back":                   {[]string{"enter", "esc"}, "▌ ? & param"},
	"Clear":                  {[]string{"/", "type:sepe", "enter", "esc"}, "4 of 10"},
	"Search":                 {[]string{"/", "type:sepe", "enter"}, "▽ waiting, with “sepe”"},
	"Facets":                 {[]string{"f", "type:home", "space", "enter"}, "▽ waiting, home-page"},
	"Sort":                   {[]string{"s", "down", "enter"}, "▌ ? ≠ nonstandard-port"},
	"Columns":                {[]string{"L"}, "╭─ Columns"},
	"Probe":                  {[]string{"p"}, "there is no network to ask here"},
	"Views":                  {[]string{"v", "type:deferred", "enter"}, "▽ deferred, by ana"},
	"Trace":                  {[]string{"t"}, "the trace, step by step"},
	"Copy canonical":         {[]string{"y"}, "copied the canonical URL: https://sede.ejemplo.gob.es/tramites/"},
	"Copy original":          {[]string{"Y"}, "copied the original URL: https://sede.ejemplo.gob.es/tramites/"},
	"Open in browser":        {[]string{"x"}, "there is no browser"},
	"Rules":                  {[]string{"w"}, "Rule 3: Query Parameters -- Strip Tracking Params"},
	"Messages":               {[]string{"a", "M"}, "✓ approved: URL 1"},
	"Help":                   {[]string{"?"}, "╭─ Keys"}, "Commands": {[]string{":"}, "╭─ Commands"},
	"Suspend":      {[]string{"ctrl+z"}, "this console cannot be suspended"},
	"Quit":         {[]string{"q"}, ""},
	"Next URL":     {[]string{"enter", "]"}, "pending  URL 2"},
	"Previous URL": {[]string{"enter", "right", "right", "["}, "pending  URL 2"},
	"Down":         {[]string{"j", "down"}, "3 of 10"}, "Up": {[]string{"G", "k", "up"}, "8 of 10"},
	"First": {[]string{"G", "g"}, "1 of 10"}, "Last": {[]string{"end"}, "10 of 10"},
	"Half a page down": {[]string{"esc", "ctrl+d"}, "7 of 10"}, "Half a page up": {[]string{"G", "ctrl+u"}, "4 of 10"},
	"Page down": {[]string{"esc", "pgdown"}, "10 of 10"}, "Page up": {[]string{"G", "pgup"}, "1 of 10"},
	"Queue": {[]string{"2", "1"}, "[1 Queue]"}, "Causes": {[]string{"2"}, "[2 Causes]"},
	"Overrides": {[]string{"3"}, "[3 Overrides]"}, "Log": {[]string{"4"}, "[4 Log]"},
	"Stats":    {[]string{"5"}, "[5 Stats]"},
	"Next tab": {[]string{"tab"}, "[2 Causes]"}, "Previous tab": {[]string{"shift+tab"}, "[5 Stats]"},
}

func TestEveryBinding(t *testing.T) {
	for _, b := range bindings() {
		tc, ok := bindingCases[b.name]
		if !ok {
			t.Errorf("%s has no test", b.name)
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			if len(b.keys) > 0 && !slices.ContainsFunc(tc.keys, b.has) {
				t.Errorf("none of %q is pressed", b.keys)
			}
			s := openScreen(t, withPages(newDesk(t)), 82, 24, tc.keys...).shows(tc.want)
			if s.quit != (b.name == "Quit") {
				t.Errorf("quit: %v", s.quit)
			}
		})
	}
}

func TestKeysAreBoundOnce(t *testing.T) {
	type place struct {
		key string
		in  scope
	}
	taken := map[place]string{}
	names := map[string]bool{}
	for _, b := range bindings() {
		if names[b.name] || b.text == "" {
			t.Errorf("%s: twice, or without a description", b.name)
		}
		names[b.name] = true
		for _, k := range b.keys {
			for in := inQueue; in <= inLinks; in <<= 1 {
				if b.in&in == 0 {
					continue
				}
				if other, ok := taken[place{k, in}]; ok {
					t.Errorf("%s is %s and %s", k, other, b.name)
				}
				taken[place{k, in}] = b.name
			}
			if _, err := keyPress(k); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestKeyPressReadsLikeItsBinding(t *testing.T) {
	for _, b := range bindings() {
		for _, k := range b.keys {
			if msg, _ := keyPress(k); msg.String() != k {
				t.Errorf("%q is sent as %q", k, msg.String())
			}
		}
	}
}

func TestCtrlCQuitsFromADialog(t *testing.T) {
	if s := openScreen(t, newDesk(t), 80, 24, "r", "ctrl+c"); !s.quit {
		t.Error("still running")
	}
}

func TestHelpIsSearched(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "?", "type:browser").shows("Open in browser").lacks("Defer")
	s.keys("ctrl+u", "type:zzzz").shows("nothing by that name").keys("enter", "ctrl+u", "type:keep param").
		shows("(in Causes)").keys("enter").shows("╭─ Keys") // does not hold here: a line to read
}

func TestPaletteFindsByLetters(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24, ":", "type:apmk").shows("Approve marked").lacks("Reject marked")
}

func TestCopyGoesToTheTerminal(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24)
	s.sent = nil
	s.keys("Y")
	want := tea.SetClipboard(samples()[0].URL)()
	if len(s.sent) != 1 || s.sent[0] != want {
		t.Errorf("sent %v", s.sent)
	}
}

func TestBrowser(t *testing.T) {
	var opened []string
	opts := Options{Env: []string{"TERM=xterm"}, OpenBrowser: func(url string) error {
		opened = append(opened, url)
		return nil
	}}
	openScreenWith(t, newDesk(t), opts, 80, 24,
		"x").shows("opened https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte")
	if len(opened) != 1 || opened[0] != "https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte" {
		t.Errorf("opened %q", opened)
	}
	openScreenWith(t, newDesk(t), opts, 80, 24, "f", "ctrl+x", "type:rejected", "space", "enter",
		"x").shows("only plain http and https URLs")
	opts.Env = append(opts.Env, "SSH_CONNECTION=10.0.0.1 22")
	openScreenWith(t, newDesk(t), opts, 80, 24, "x").shows("no browser is opened over SSH")
	if len(opened) != 1 {
		t.Errorf("opened %q", opened)
	}
	opts.Env = []string{"TERM=xterm"}
	opts.OpenBrowser = func(string) error { return errors.New("no \x1b[31mbrowser") }
	openScreenWith(t, newDesk(t), opts, 80, 24, "x").shows(`no \x1b[31mbrowser`)
}

func TestReadingTheHelpDecidesNothing(t *testing.T) {
	for _, open := range []string{"?", ":"} {
		desk := newDesk(t)
		s := openScreen(t, desk, 80, 24, open, "enter").shows("enter do it").lacks("▌ a ")
		s.keys("type:x", "backspace", "enter").shows("enter do it")
		status(t, desk, 1, review.Pending)
		s.keys("down", "enter")
		status(t, desk, 1, review.Approved)
	}
}
