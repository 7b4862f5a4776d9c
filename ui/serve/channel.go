package serve

import (
	"strconv"
	"strings"
	"sync"

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
	ssh.DefaultSessionHandler(srv, conn, plainChannel{channel, &guestOf(ctx).beginnings}, ctx)
}

// plainChannel passes on the requests of a console alone. The library grants the forwarding of agents, and keeps
// whatever a client sends until it asks for a shell.
type plainChannel struct {
	gossh.NewChannel
	beginnings *beginnings
}

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
			switch request.Type {
			case "shell":
				var name string
				name, opening.begun = c.beginnings.add()
				variable := struct{ Name, Value string }{channelVariable, name}
				passed <- &gossh.Request{Type: "env", Payload: gossh.Marshal(&variable)}
			case "window-change":
				<-opening.begun
			}
			passed <- request
		}
	}()
	return channel, passed, nil
}

// opening is how far a client has come on a channel.
type opening struct {
	shell    bool            // asked for
	begun    <-chan struct{} // closed when the session has read its terminal
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

// channelVariable is the variable that names the channel of a session, for beginnings. No client can set it.
const channelVariable = "VISTO_CHANNEL"

// beginnings are the sessions of a connection that have not read their terminal yet. The library writes each size that
// a client sends into the terminal, without a lock: sizes wait until the session has read it.
type beginnings struct {
	mu    sync.Mutex
	named map[string]chan struct{}
	last  int
}

// add adds a session, and returns its name and a channel that is closed when it has begun.
func (b *beginnings) add() (name string, begun <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.named == nil {
		b.named = map[string]chan struct{}{}
	}
	b.last++
	name = strconv.Itoa(b.last)
	b.named[name] = make(chan struct{})
	return name, b.named[name]
}

// begun notes that the session with an environment has read its terminal.
func (b *beginnings) begun(env []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, kv := range env {
		if name, ok := strings.CutPrefix(kv, channelVariable+"="); ok && b.named[name] != nil {
			close(b.named[name])
			delete(b.named, name)
		}
	}
}
