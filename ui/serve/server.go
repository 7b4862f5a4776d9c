package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
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

	// People returns the persons who may enter now. It is called for each login and each session, so that a changed file
	// counts at once.
	People func() ([]Person, error)

	// Console runs a console for a person until the session ends or ctx does. It fills in the rest of the options.
	Console func(ctx context.Context, who Person, opts console.Options) error
}

// Limits bound the use of a server.
type Limits struct {
	Sessions   int           // at once
	Strangers  int           // connections at once that have no session yet
	Handshake  time.Duration // until a client has shown its key
	Idle       time.Duration // without a key
	LastMoment time.Duration // for sessions to end when the server stops
}

// DefaultLimits suit a team.
var DefaultLimits = Limits{Sessions: 100, Strangers: 64, Handshake: 15 * time.Second, Idle: 8 * time.Hour,
	LastMoment: 10 * time.Second}

// Server serves consoles over SSH.
type Server struct {
	cfg Config
	ssh *ssh.Server
	ctx context.Context // of all sessions

	running sync.WaitGroup // sessions

	mu       sync.Mutex
	open     int // connections
	sessions int
}

// New returns a server. It makes the host key if there is none.
func New(cfg Config) (*Server, error) {
	s := &Server{cfg: cfg, ctx: context.Background()}
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
	s.ssh.HandshakeTimeout = cfg.Limits.Handshake
	s.ssh.IdleTimeout = cfg.Limits.Idle + cfg.Limits.LastMoment // for connections without a session
	s.ssh.ConnCallback, s.ssh.ConnectionCloseCallback = s.connected, s.closed
	s.ssh.ConnectionFailedCallback = func(conn net.Conn, err error) {
		why := err.Error()
		if _, ok := errors.AsType[*gossh.ServerAuthError](err); ok {
			why = "it has no listed key"
		}
		cfg.Log.Info("refused", "from", conn.RemoteAddr().String(), "why", why)
	}
	s.ssh.SessionRequestCallback = s.isConsole
	s.ssh.ChannelHandlers = map[string]ssh.ChannelHandler{"session": serveChannel}
	return s, nil
}

// Serve admits connections until ctx ends. Then it ends all sessions.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	sessions, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	s.ctx = sessions
	closed := make(chan error, 1)
	defer context.AfterFunc(ctx, func() {
		over, cancel := context.WithCancel(sessions)
		cancel()
		_ = s.ssh.Shutdown(over) // closes the listener alone: a connection may outlive its sessions
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
	if err := s.ssh.Serve(l); !errors.Is(err, ssh.ErrServerClosed) {
		return fmt.Errorf("serving consoles: %w", err)
	}
	return <-closed
}

// connected counts a connection, and refuses one above the limit.
func (s *Server) connected(ctx ssh.Context, conn net.Conn) net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open-s.sessions >= s.cfg.Limits.Strangers {
		return nil
	}
	s.open++
	ctx.SetValue(channelsKey{}, new(atomic.Int32))
	return conn
}

func (s *Server) closed(net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
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
	s.cfg.Log.Warn("refused", "who", who.Name, "from", session.RemoteAddr().String(), "why", "asked for "+request)
	return false
}

// Fingerprint returns the SHA-256 fingerprint of the host key, as ssh-keygen -l prints it.
func (s *Server) Fingerprint() string {
	return gossh.FingerprintSHA256(s.ssh.HostSigners[0].PublicKey())
}
