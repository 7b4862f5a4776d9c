package serve

import (
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Limits of the requests of a client before it has a session.
const (
	maxChannels = 10      // of a connection at once, as in sshd's MaxSessions
	maxRequests = 32      // before the shell
	maxRequest  = 4 << 10 // size in bytes; a terminal's modes take up to 800
)

// serveChannel serves a channel for a session.
func serveChannel(srv *ssh.Server, conn *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context) {
	channels := &guestOf(ctx).channels
	defer channels.Add(-1)
	if channels.Add(1) > maxChannels {
		_ = channel.Reject(gossh.ResourceShortage, "too many sessions on one connection")
		return
	}
	ssh.DefaultSessionHandler(srv, conn, plainChannel{channel}, ctx)
}

// plainChannel passes on the requests of a console alone. The library grants the forwarding of agents, and keeps
// whatever a client sends until it asks for a shell.
type plainChannel struct{ gossh.NewChannel }

// Accept accepts the channel.
func (c plainChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, all, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	passed := make(chan *gossh.Request)
	go func() {
		defer close(passed)
		var opening opening
		for request := range all {
			if !opening.passes(request) {
				_ = request.Reply(false, nil)
				continue
			}
			passed <- request
		}
	}()
	return channel, passed, nil
}

// opening is how far a client has come on a channel.
type opening struct {
	shell    bool // asked for
	requests int
}

// passes reports whether a request is for the session.
func (o *opening) passes(request *gossh.Request) bool {
	if request.Type == "window-change" {
		return o.shell // nobody reads sizes before, and the library would wait
	}
	o.requests++
	if o.shell || o.requests > maxRequests || len(request.Payload) > maxRequest {
		return false
	}
	switch request.Type {
	case "pty-req", "exec", "subsystem":
		return true
	case "shell":
		o.shell = true
		return true
	case "env":
		var variable struct{ Name, Value string }
		return gossh.Unmarshal(request.Payload, &variable) == nil && isOfTerminal(variable.Name)
	}
	return false
}

// isOfTerminal reports whether a variable of the environment tells the abilities of a terminal.
func isOfTerminal(name string) bool { return name == "COLORTERM" || name == "NO_COLOR" }
