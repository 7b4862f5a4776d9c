// Package config reads the file with a reviewer's settings for the console: which keys do what, light or dark, the mouse.
//
//	theme: dark            # auto (the default: the terminal is asked), dark or light
//	mouse: true            # clicks and the wheel; the terminal then selects text with shift held down
//	keys:
//	  approve: [a, f5]     # in the place of the keys that the action had
//	  undo: ctrl+z
//	  defer: []            # no key; ":" still does it by name
//
// The file is read strictly, as a policy is: an unknown setting, a key that no terminal sends, or a value of the wrong kind is an
// error that names file and line and says what to do. Which actions there are, and whether two want one key in
// one place, the console knows; see console.Bind.
package config
