// Package console is the console in which a reviewer works, on Bubble Tea.
//
// The way of a key press: [Model.Update] gives it to the open dialog if there is one. Otherwise it is looked up in the one
// table of bindings (keys.go), from which the footer, the help and the command palette are made, too. A
// binding runs a method of the model that changes what is shown, opens a dialog, or returns a command.
// A dialog returns an action, and act.go does it. Everything that takes time (every call of the [Desk]) happens in
// a command; what comes back is a message, and Update puts it where it belongs. View reads nothing.
//
//	model.go    the model, Update      keys.go    bindings      view.go    layout
//	load.go     reading                act.go     what dialogs want       write.go   writing
//	decide.go   decisions              rules.go   effects of rules; rule_actions.go, cause.go: what asks for them
//	visit.go    what an opened URL leads to: other forms of it, related URLs, its sections
//	search.go   search as one types    filter.go  filter and order        facets.go  what the queue is narrowed to
//	tabs.go     the other tabs         probe.go   asking the network
//	keymap.go   a reviewer's keys      help.go    help, palette, rules    commands.go  what takes a text
//	redo.go     what a write loses     drafts.go  typed texts             messages.go  what was said
//	status.go   the status line        mouse.go   clicks                  plain*.go  the review by lines
//
// [Run] is the console, [Plain] the same review as line prompts, [Text] the queue as text where there is no
// terminal, and [Snapshot] draws a screen without one.
package console
