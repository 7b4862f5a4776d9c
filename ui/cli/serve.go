package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/fault"
	"visto/ui/console"
	"visto/ui/presence"
	"visto/ui/serve"
)

// serveCmd is the command serve.
type serveCmd struct {
	app     *app
	address string
	keys    string
	limits  serve.Limits
	hostKey string
	network networkFlags
}

func newServe(a *app) *cobra.Command {
	c := &serveCmd{app: a, limits: serve.DefaultLimits}
	cmd := command("serve", "Serve the console over SSH to everyone whose key is listed", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return c.run(cmd) })
	f := cmd.Flags()
	f.StringVar(&c.address, "ssh", "", "listen at this `ADDRESS`, such as :2222 or 127.0.0.1:2222")
	f.StringVar(&c.keys, "authorized-keys", "", "admit the keys in this `FILE`, each with a name and a role")
	f.StringVar(&c.hostKey, "host-key", "", "private key `FILE` of the server; made if it is missing (default "+
		"$XDG_STATE_HOME/visto/ssh_host_ed25519_key)")
	f.IntVar(&c.limits.Sessions, "sessions", c.limits.Sessions, "at most `N` consoles at a time")
	f.DurationVar(&c.limits.Idle, "idle", c.limits.Idle, "end a console after this `TIME` without a key")
	c.network.register(cmd, true)
	checkFirst(cmd, func() error {
		switch {
		case c.address == "":
			return errors.New("--ssh is missing: where to listen, such as --ssh :2222")
		case c.keys == "":
			return errors.New("--authorized-keys is missing: the file with the keys of the reviewers")
		case c.limits.Sessions < 1:
			return errors.New("--sessions: at least 1")
		case c.limits.Idle <= 0:
			return errors.New("--idle: more than 0, such as 1h")
		case a.json:
			return errors.New("--json is for commands that print data")
		}
		return nil
	})
	return cmd
}

// run serves until ctx of the command ends.
func (c *serveCmd) run(cmd *cobra.Command) error {
	return c.app.withDatabase(cmd.Context(), uses, func(desk *review.Desk, db database) error {
		defer db.Settle(cmd.Context())
		if desk.ReadOnly() {
			return c.serve(cmd, desk, desk, db)
		}
		viewers := *c.app
		viewers.readOnly = true
		return viewers.withDatabase(cmd.Context(), uses, func(viewing *review.Desk, _ database) error {
			return c.serve(cmd, desk, viewing, db)
		})
	})
}

// serve serves desk to reviewers and viewing, which cannot write, to viewers.
func (c *serveCmd) serve(cmd *cobra.Command, desk, viewing *review.Desk, db database) error {
	cfg, err := c.network.config(cmd)
	if err != nil {
		return err
	}
	network := newNetwork(c.app, desk, cfg)
	defer network.close()
	look := consoleFlags{}
	opts, err := look.options(c.app, cmd)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(c.app.err, nil))
	keys := &keyFile{path: c.keys, log: log}
	if _, err := keys.people(); err != nil {
		return withHint(err, "name the file of the reviewers' public keys, as ~/.ssh/authorized_keys is one")
	}
	c.roomy()
	room := &presence.Room{}
	var sums, viewed console.Surveys // of the two stores
	for _, s := range []*console.Surveys{&sums, &viewed} {
		s.Limit(max(1, runtime.GOMAXPROCS(0)-1))
	}

	server, err := serve.New(serve.Config{
		HostKey: c.hostKeyFile(), Limits: c.limits, Log: log,
		People: keys.people,
		Console: func(ctx context.Context, who serve.Person, session console.Options) error {
			at, shared := desk, &sums
			if who.Viewer {
				at, shared = viewing, &viewed
			}
			at, err := at.As(who.Name)
			if err != nil {
				return err
			}
			session.DBPath, session.Keys, session.Theme, session.Mouse = db.Name(), opts.Keys, opts.Theme, opts.Mouse
			session.Columns, session.Reasons, session.Notes = opts.Columns, opts.Reasons, opts.Notes
			session.Room, session.Surveys = room, shared
			session.StateFile = c.app.stateFile(db.Name(), who.Name)
			if !who.Viewer {
				session.Prober = network
			}
			return console.Run(ctx, at, session)
		},
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", c.address)
	if err != nil {
		return withHint(fmt.Errorf("serving consoles: %w", err),
			"give --ssh an address of this machine with a free port")
	}
	log.Info("serving", "at", listener.Addr().String(), "db", db.Name(), "fingerprint", server.Fingerprint())

	var maintenance sync.WaitGroup
	defer maintenance.Wait()
	background, stop := context.WithCancel(cmd.Context())
	defer stop()
	maintenance.Go(func() { // a failed part is left for the next time
		err := fault.Do(func() error { return desk.Maintain(background) })
		if broken, ok := errors.AsType[*fault.Error](err); ok {
			log.Error("maintaining the database", "error", broken)
		}
	})
	err = server.Serve(cmd.Context(), listener)
	log.Info("stopped")
	return err
}

// serverHeap is the heap of a server in bytes above which garbage is collected more often.
const serverHeap = 640 << 20

// roomy limits the memory of a server. A GOMEMLIMIT in the environment wins.
func (c *serveCmd) roomy() {
	if c.app.alone && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(serverHeap)
	}
	c.app.runPrompt()
}

// keyFile reads a file of keys whenever it has changed.
type keyFile struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	known  fs.FileInfo // of the file that was read last
	listed []serve.Person
}

// people returns the persons in the file. It fails if others may write or replace it.
func (k *keyFile) people() ([]serve.Person, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if info, err := os.Stat(k.path); err == nil && !info.Mode().IsRegular() { // a pipe would wait for its writer
		return nil, fmt.Errorf("reading the keys: %s is no regular file", k.path)
	}
	if err := serve.CheckOwners(k.path); err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	f, err := os.Open(k.path)
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the keys: %w", err)
	case k.known != nil && os.SameFile(k.known, info) && k.known.ModTime().Equal(info.ModTime()) &&
		k.known.Size() == info.Size():
		return k.listed, nil
	}
	people, refused, err := serve.ParseKeys(f)
	if err != nil {
		return nil, err
	}
	for _, r := range refused {
		k.log.Warn("a key is refused", "file", k.path, "why", r.Error())
	}
	k.log.Info("keys read", "file", k.path, "people", len(people))
	if len(people) == 0 {
		k.log.Warn("nobody can log in: the file lists no key", "file", k.path, "hint", "add a line such as "+
			"\"ssh-ed25519 AAAA… ana\"; the file is read again at the next login")
	}
	k.known, k.listed = info, people
	return people, nil
}

// hostKeyFile returns the path of the private key.
func (c *serveCmd) hostKeyFile() string {
	if c.hostKey != "" {
		return c.hostKey
	}
	return c.app.baseFile("XDG_STATE_HOME", ".local/state", "ssh_host_ed25519_key")
}
