package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"

	"visto/ui/console"
)

// The reasons to end a session.
var (
	errGone  = errors.New("the client went away")
	errIdle  = errors.New("no key came for too long")
	errStops = errors.New("the server stops")
)

// session runs the console of one session.
func (s *Server) session(session ssh.Session) {
	who, listed := s.person(session.PublicKey()) // a connection may be older than the list
	guest := guestOf(session.Context())
	log := s.cfg.Log.With("who", who.Name, "from", session.RemoteAddr().String())
	pty, windows, ok := session.Pty()
	guest.beginnings.begun(session.Environ())
	var window <-chan tea.WindowSizeMsg
	if ok {
		window = sizes(windows) // also of a session that is refused
	}
	switch {
	case !listed:
		guest.tellRefused(who, "the key is listed no more")
		wish.Fatalln(session, "visto: the key is not listed")
		return
	case !ok:
		guest.tellRefused(who, "no terminal")
		wish.Fatalln(session, "visto: the console needs a terminal: ssh -t")
		return
	case !guest.enter():
		guest.tellRefused(who, "too many sessions")
		wish.Fatalln(session, fmt.Sprintf("visto: %d sessions are open, which is the limit: try again later",
			s.cfg.Limits.Sessions))
		return
	}
	defer guest.leave()
	ctx, end := context.WithCancelCause(session.Context())
	defer end(nil)
	defer context.AfterFunc(s.ctx, func() { end(errStops) })()
	left := make(chan struct{})
	defer close(left)
	context.AfterFunc(ctx, func() {
		select {
		case <-left:
		case <-time.After(s.cfg.Limits.LastMoment): // the client reads nothing, so its console waits for ever
			_ = guest.Close()
		}
	})
	idle := time.AfterFunc(s.cfg.Limits.Idle, func() { end(errIdle) })
	defer idle.Stop()

	began := time.Now()
	log.Info("entered", "viewer", who.Viewer)
	err := s.cfg.Console(ctx, who, console.Options{
		In: input{session, idle, s.cfg.Limits.Idle, end}, Out: session, Env: environ(session, pty.Term), Served: true,
		Window: window,
	})
	why := "quit"
	switch cause := context.Cause(ctx); {
	case cause == errGone || session.Context().Err() != nil:
		why = errGone.Error()
	case cause != nil:
		why = cause.Error()
		wish.Fatalln(session, "visto: the session has ended: "+why+"\r")
	case err != nil:
		why = err.Error()
		wish.Fatalln(session, "visto: "+why+"\r")
	}
	log.Info("left", "after", time.Since(began).Round(time.Second).String(), "why", why)
}

// environ returns the environment of a console: the terminal's abilities, as the client states them.
func environ(session ssh.Session, term string) []string {
	env := []string{"TERM=" + term, "SSH_CONNECTION=" + session.RemoteAddr().String()}
	for _, kv := range session.Environ() {
		if !strings.HasPrefix(kv, channelVariable+"=") {
			env = append(env, kv)
		}
	}
	return env
}

// input restarts the timer of an idle session with each input, and ends a session whose client sends no more: the
// connection may live on, for other sessions of that client.
type input struct {
	io.Reader
	idle *time.Timer
	wait time.Duration
	end  context.CancelCauseFunc
}

// Read reads input.
func (i input) Read(p []byte) (int, error) {
	n, err := i.Reader.Read(p)
	if err != nil {
		i.end(errGone)
		return n, err
	}
	i.idle.Reset(i.wait)
	return n, nil
}

// The sizes of a terminal in characters. A client may state any; a screen takes memory for each character.
const (
	maxWidth, maxHeight           = 1000, 300
	unstatedWidth, unstatedHeight = 80, 24
)

// sizes passes on the last size of a client's terminal, and reads sizes for as long as the client sends some: the
// library waits for that.
func sizes(windows <-chan ssh.Window) <-chan tea.WindowSizeMsg {
	out := make(chan tea.WindowSizeMsg)
	go func() {
		defer close(out)
		var size tea.WindowSizeMsg
		for next := chan<- tea.WindowSizeMsg(nil); ; {
			select {
			case w, ok := <-windows:
				if !ok {
					return
				}
				size.Width = min(cmp.Or(w.Width, unstatedWidth), maxWidth)
				size.Height = min(cmp.Or(w.Height, unstatedHeight), maxHeight)
				next = out
			case next <- size:
				next = nil
			}
		}
	}()
	return out
}
