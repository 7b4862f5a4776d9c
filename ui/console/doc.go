// Package console is the terminal console of a review, on Bubble Tea.
//
// # The root and its controllers
//
// [Model] is a router. It holds the theme, the size and the tab on screen, gives each message to a controller, and lays
// out the screen. It knows no filter, no cause and no rule. Each controller owns one part of the console: its state,
// its commands, and the answers to them.
//
//	queueTab                  filter, order, page and counts of the queue   queue.go, queue_load.go, filter.go,
//	                          and the URLs of a record                     record.go
//	detailTab                 the facts about one URL, and visits from it   detail.go, programs.go
//	pageTab, linksTab         the page behind a URL, and its links          page.go, links.go
//	causesTab                 causes, their studies and fixes               causes.go, cause_fix.go
//	overridesTab              the rules in force, and proposed ones         overrides.go
//	logTab, statsTab          the history                                   log.go, stats.go
//	decider                   decisions on one URL, notes, undo             decide.go
//	marker                    marks, and decisions on the marked URLs       marks.go
//	rules                     changes of rules and their effects            rules.go, rule_forms.go
//	writer                    one write at a time, held keys                write.go
//	faceter, viewer, lookup   ways to narrow the queue, its columns         filter.go, views.go, search.go
//	assigner                  who gets which URLs                           assign.go
//	menus, guide              help, palette, words of the policy            menus.go
//	finder                    pages to cite in the place of a URL           candidates.go
//	programs                  the commands of the configuration             programs.go
//	probes, watcher           the network, the work of others               probes.go, watcher.go
//	company                   who else is here, and on which URL            watcher.go
//
// All of them share one [session]: context, options, keys, the message line and the open dialog. A controller has the
// part of the desk that it needs, and the controllers that it works on; wire in model.go makes them. The root has the
// rest: input.go and mouse.go route keys and clicks, keys.go is the table of actions, keymap.go the reviewer's own
// keys, view.go and status.go lay out the screen, and state.go keeps the reviewer's place over restarts.
//
// # From a key to the screen
//
// Take the key a. [Model.Update] gives it to press, which finds its row in the one table of actions (keys.go) and runs
// decider.approve. That calls the writer, which returns a command. The command calls the desk outside of Update and
// ends in the message wrote. Update gives it to takeWrite: the marks go, and the queue is read again. Until the page is
// on screen, keys are held.
//
// Three rules keep this simple. A command reads and writes the desk but changes no state: its result comes back as an
// answer, a function that Update calls. A dialog does nothing itself: it returns an action, a function that the root
// calls, or a request of package dialog. And after every message, the detail and the page follow the URL under the
// cursor, so that no controller needs to ask for them.
//
// # Company
//
// Fifty consoles of one server have two processors, perhaps. So the screen is read again for the work of others after
// half a second at the earliest, and for half a hundredth of the time at most; one's own writes are read at once. The
// causes, the facets and the health of the links go through all URLs: one console reads them for all, for a tenth of
// the time at most. Causes and facets have one's own writes in them at once.
//
// # A new action
//
// Write a method of the controller it belongs to, and a row of the table in keys.go. Help, footer, palette, remapping
// and the test of all keys take it from there; the test of the line mode asks for its counterpart in package plain.
//
// [Run] is the console. [Snapshot] draws its screen without a terminal.
package console
