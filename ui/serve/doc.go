// Package serve serves consoles over SSH: a reviewer needs an SSH client and a key that the server knows, nothing else.
//
// # Tour
//
//   - keys.go: ParseKeys reads the file of keys, each with the name and the role of its Person.
//   - server.go: a Server admits persons and sessions, and ends them.
//   - guest.go: a guest is a connection; without a session it does not stay.
//   - channel.go: a channel passes on the requests of a console alone.
//   - session.go: a session is one console in the terminal of a client.
//
// # What holds
//
//   - Name and role come from the line of the key alone, never from the SSH user or from the environment that a client
//     sends. Of that environment a console sees TERM, COLORTERM and NO_COLOR.
//   - A session is a console and nothing else: commands, also with a terminal, subsystems such as sftp, and the
//     forwarding of ports, agents and X11 are refused. A console that is served runs no commands of the user's own, no
//     browser and no editor, and copies by the terminal (OSC 52).
//   - Connections, sessions, the time of a handshake and the time without a key are limited.
//   - A session's end loses nothing: each decision is stored before the screen shows it.
package serve
