// Package config reads a reviewer's settings for the console: theme, mouse, columns, texts to choose from, keys
// and commands.
//
//	theme: dark            # auto (the default: ask the terminal), dark or light
//	mouse: true            # clicks and the wheel; the terminal then selects text only with shift
//	columns: [flag, url, record 24, "attr:tier 6"]  # of the queue, with widths in cells
//	reasons: [no longer there, a shop]  # offered for a rejection in the place of the usual ones; notes: [...] for a note
//	keys:
//	  approve: [a, f5]     # replaces the default keys of the action
//	  undo: ctrl+y
//	  defer: []            # no key; ":" still runs it by name
//	commands:
//	- name: Web archive    # a program of the reviewer's own; see Command
//	  key: W
//	  run: [w3m, "https://web.archive.org/web/{url}"]
//
// The file is read strictly, as a policy is: an unknown setting, a key that no terminal sends or a value of the wrong
// kind is an error that names the file, the line and the remedy. The names of the actions and conflicts between their
// keys are checked by console.NewKeymap.
package config
