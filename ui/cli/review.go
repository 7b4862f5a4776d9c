package cli

import (
	"context"
	"fmt"
	"log"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/ui/config"
	"visto/ui/console"
	"visto/ui/plain"
)

func newReview(a *app) *cobra.Command {
	var c consoleFlags
	cmd := command("review", "Open the console on the queue (also: visto alone)", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error { return c.review(a, cmd) })
	c.register(a, cmd)
	return cmd
}

// consoleFlags are the flags of the commands that open the console.
type consoleFlags struct {
	plain   bool
	mouse   bool
	theme   string
	network networkFlags
	forgets bool // do not keep the reviewer's position: the database is temporary
}

func (c *consoleFlags) register(a *app, cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.plain, "plain", false, "prompts, line by line")
	cmd.Flags().BoolVar(&c.mouse, "mouse", false,
		"take clicks and the wheel; text is then selected with shift held down")
	cmd.Flags().StringVar(&c.theme, "theme", "",
		"`GROUND` that the colours are for: auto (the terminal is asked), dark or light")
	a.complete(cmd, "theme", "auto", "dark", "light")
	c.network.register(cmd, true)
}

// review opens the database, and the console on it. A terminal that cannot place its cursor gets the line mode; without
// a terminal the queue is printed.
func (c *consoleFlags) review(a *app, cmd *cobra.Command) error {
	return a.withDatabase(cmd.Context(), uses, func(desk *review.Desk, db database) error {
		ctx := cmd.Context()
		cfg, err := c.network.config(cmd)
		if err != nil {
			return err
		}
		network := newNetwork(a, desk, cfg)
		defer network.close()
		switch {
		case c.plain:
			return a.plain(ctx, desk, network)
		case a.json:
			return a.printItems(ctx, desk, review.Query{Filter: review.Filter{Open: true}}, 0, false)
		case !isTerminal(a.in) || !isTerminal(a.out):
			return a.print(func(w *printer) error { return plain.Text(ctx, desk, w, columns(a.out)) })
		case a.getenv("TERM") == "dumb":
			return a.plain(ctx, desk, network)
		}
		opts, err := c.options(a, cmd)
		if err != nil {
			return err
		}
		opts.DBPath, opts.Prober = db.Name(), network
		if !c.forgets {
			opts.StateFile = a.stateFile(db.Name(), desk.Reviewer())
		}
		return a.console(ctx, desk, opts)
	})
}

// plain runs the line mode.
func (a *app) plain(ctx context.Context, desk *review.Desk, network *network) error {
	file, _, err := a.configuration(ctx)
	if err != nil {
		return err
	}
	return plain.Run(ctx, desk, plain.Options{
		In: interruptible(ctx, a.in), Out: a.out, Prober: network,
		Reasons: file.Reasons, Notes: file.Notes, Columns: file.Columns,
	})
}

// console runs the console, with the maintenance of the store in the background.
func (a *app) console(ctx context.Context, desk *review.Desk, opts console.Options) error {
	var maintenance sync.WaitGroup
	defer maintenance.Wait()
	background, stop := context.WithCancel(ctx)
	defer stop()
	a.runLean()
	a.runPrompt()
	if a.alone {
		opts.Log = &console.ProgramLog{}
		defer log.SetOutput(log.Writer())
		log.SetOutput(opts.Log)
		opts.Job = newJob(background)
	}
	maintenance.Go(func() { desk.Maintain(background) }) // a failed part is left for the next time
	return console.Run(ctx, desk, opts)
}

// leanHeap is the heap of console and add in bytes above which garbage is collected more often. The program and
// SQLite's pages come on top of it.
const leanHeap = 96 << 20

// runLean keeps the program small: finding the causes of a million URLs, or adding them with evidence, would leave as
// much garbage as live memory. A GOMEMLIMIT in the environment wins.
func (a *app) runLean() {
	if a.alone && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(leanHeap)
	}
}

// runPrompt keeps the console prompt while it reads and counts. The Go scheduler lets a computing goroutine run for
// 10 ms before a waiting one, but the operating system lets a waking thread go first. So there are more threads than
// processors. A GOMAXPROCS in the environment wins.
func (a *app) runPrompt() {
	if a.alone && a.getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
}

// options returns the settings of the console: those of the configuration, and the flags over them.
func (c *consoleFlags) options(a *app, cmd *cobra.Command) (console.Options, error) {
	file, keys, err := a.configuration(cmd.Context())
	if err != nil {
		return console.Options{}, err
	}
	opts := console.Options{
		In: a.in, Out: a.out, Env: a.consoleEnv(), OpenBrowser: openBrowser,
		Keys: keys, Theme: file.Theme, Mouse: file.Mouse, Columns: file.Columns,
		Reasons: file.Reasons, Notes: file.Notes,
	}
	if cmd.Flags().Changed("mouse") {
		opts.Mouse = c.mouse
	}
	if c.theme != "" {
		if opts.Theme, err = config.ParseTheme(c.theme); err != nil {
			return opts, usage(cmd, fmt.Errorf("--theme: %w", err))
		}
	}
	return opts, nil
}

// consoleEnv returns the environment for the console: --no-color becomes NO_COLOR.
func (g *globalFlags) consoleEnv() []string {
	if g.noColor {
		return append(slices.Clone(g.env), "NO_COLOR=1")
	}
	return g.env
}
