package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"visto/ui/console"
)

// Config are the settings of a [Server].
type Config struct {
	HostKey string // file of the private key that the server shows; made with mode 0600 if it is not there
	Limits  Limits
	Log     *slog.Logger

	// People returns the persons who may enter now. It is called for each login and each session, so that a changed
	// file counts at once.
	People func() ([]Person, error)

	// Console runs a console for a person until the session ends or ctx does. It fills in the rest of the options.
	Console func(ctx context.Context, who Person, opts console.Options) error
}

// Limits bound the use of a server.
type Limits struct {
	Sessions   int           // at once
	Strangers  int           // connections at once without a session; a new one takes the place of the oldest
	Handshake  time.Duration // for a connection without a session: a person compares a fingerprint in it
	Idle       time.Duration // without a key
	LastMoment time.Duration // for a session to end when its client or the server does
}

// DefaultLimits suit a team.
var DefaultLimits = Limits{Sessions: 100, Strangers: 64, Handshake: 2 * time.Minute, Idle: 8 * time.Hour,
	LastMoment: 10 * time.Second}

// Server serves consoles over SSH.
type Server struct {
	cfg Config
	ssh *ssh.Server
	ctx context.Context // of all sessions

	running sync.WaitGroup // sessions
	refused refusals

	mu        sync.Mutex
	sessions  int
	strangers []*guest // connections without a session, the oldest first
}

// New returns a server. It makes the host key if there is none.
func New(cfg Config) (*Server, error) {
	s := &Server{cfg: cfg, ctx: context.Background(), refused: refusals{log: cfg.Log, every: time.Minute}}
	key, err := hostKey(cfg.HostKey)
	if err != nil {
		return nil, fmt.Errorf("preparing the host key: %w", err)
	}
	s.ssh, err = wish.NewServer(wish.WithPublicKeyAuth(s.admits), func(server *ssh.Server) error {
		server.AddHostKey(key)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("preparing the server: %w", err)
	}
	s.ssh.Handler = s.session
	s.ssh.Version = "visto"
	s.ssh.ServerConfigCallback = algorithms
	s.ssh.ConnCallback = s.connected
	s.ssh.ConnectionFailedCallback = s.failed
	s.ssh.SessionRequestCallback = s.isConsole
	s.ssh.ChannelHandlers = map[string]ssh.ChannelHandler{"session": serveChannel}
	return s, nil
}

// Serve admits connections until ctx ends. Then it ends all sessions.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	sessions, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer s.refused.end()
	s.ctx = sessions
	closed := make(chan error, 1)
	defer context.AfterFunc(ctx, func() {
		over, cancel := context.WithCancel(sessions)
		cancel()
		_ = s.ssh.Shutdown(over) // closes the listener alone: a connection may outlive its sessions
		_ = l.Close()            // the library may not know it yet, and would wait for clients for ever
		end()
		left := make(chan struct{})
		go func() {
			s.running.Wait()
			close(left)
		}()
		select {
		case <-left:
		case <-time.After(s.cfg.Limits.LastMoment):
		}
		closed <- s.ssh.Close()
	})()
	if err := s.ssh.Serve(l); ctx.Err() == nil {
		return fmt.Errorf("serving consoles: %w", err)
	}
	return <-closed
}

// maxWhy is the most bytes of a reason that a client may have written a part of.
const maxWhy = 200

// failed logs a connection without a login.
func (s *Server) failed(conn net.Conn, err error) {
	if errors.Is(err, net.ErrClosed) {
		return // s closed it, and said why
	}
	why, detail := "it did not log in", err.Error()
	if _, ok := errors.AsType[*gossh.ServerAuthError](err); ok {
		why, detail = "it has no listed key", ""
	}
	s.refused.add(conn.RemoteAddr().String(), why, detail[:min(len(detail), maxWhy)])
}

// admits reports whether a key is listed.
func (s *Server) admits(_ ssh.Context, key ssh.PublicKey) bool {
	_, ok := s.person(key)
	return ok
}

// person returns the person of a key, as the list is now.
func (s *Server) person(key ssh.PublicKey) (Person, bool) {
	people, err := s.cfg.People()
	if err != nil {
		s.cfg.Log.Error("the keys cannot be read: nobody may enter", "why", err.Error())
		return Person{}, false
	}
	i := slices.IndexFunc(people, func(p Person) bool { return ssh.KeysEqual(p.Key, key) })
	if i < 0 {
		return Person{}, false
	}
	return people[i], true
}

// isConsole refuses commands and subsystems.
func (s *Server) isConsole(session ssh.Session, request string) bool {
	if request == "shell" {
		return true
	}
	who, _ := s.person(session.PublicKey())
	guestOf(session.Context()).tellRefused(who, "asked for "+request)
	return false
}

// Fingerprint returns the SHA-256 fingerprint of the host key, as ssh-keygen -l prints it.
func (s *Server) Fingerprint() string {
	return gossh.FingerprintSHA256(s.ssh.HostSigners[0].PublicKey())
}
