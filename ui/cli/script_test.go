package cli_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"

	"visto/canon/suite"
	"visto/store/postgrestest"
	"visto/ui/cli"
)

// TestMain makes this test binary the program visto, so that the scripts run it as a process of its own. More tests run
// at once than there are processors, for most of them wait for such processes, and the scripts for each other.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "read-document" { // as started by a command that runs in a test process
		os.Exit(cli.Main())
	}
	// A flag -parallel comes later and holds.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(suite.InMemory{Tests: postgrestest.Stopping{Tests: m}},
		map[string]func(){"visto": func() { os.Exit(cli.Main()) }})
}

// root is the folder of the module. Scripts change the working folder of this process, so that no test that runs beside
// others, as Parallel makes it, may name a file by its place in there.
var root, _ = filepath.Abs("../..")

// TestScript runs the command scripts, one after another: each line that runs in this process needs its working folder.
// Besides testscript's own commands they have
//
//	run [N] visto ...     run a command line of visto in this process, without input; it must exit with status N, or 0:
//	                      far faster than "exec visto", which starts a process
//	status N command...   run the command, which must exit with status N
//	tty command...        run the command with a terminal as its stdout and stderr
//	bytes FILE TEXT       write a file; TEXT is a Go string literal without its quotes
//	repeat FILE N TEXT    write a file of TEXT N times
//	internet              start the test internet, for the rest of the script
//	online N command...   run the command, with the flags for the test internet; it must exit with status N
func TestScript(t *testing.T) {
	t.Parallel()
	runScripts(t, scripts(t), func(env *testscript.Env) string { return env.WorkDir + "/visto.db" })
}

// runScripts runs scripts, each with a database of its own.
func runScripts(t *testing.T, files []string, database func(*testscript.Env) string) {
	testscript.RunT(oneByOne{t}, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CACHE_HOME", userCache())
			env.Setenv("VISTO_REVIEWER", "ana")
			env.Setenv("VISTO_DB", database(env))
			env.Setenv("GOGC", os.Getenv("GOGC"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": run, "status": status, "tty": tty, "bytes": writeBytes, "repeat": repeat,
			"internet": startInternet, "online": online,
		},
	})
}

// oneByOne is a test whose subtests do not run beside each other.
type oneByOne struct{ *testing.T }

func (t oneByOne) Parallel() {}

func (t oneByOne) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(oneByOne{t}) })
}

func (t oneByOne) Verbose() bool { return testing.Verbose() }

// scripts returns the files of all scripts; with -short those of commands that work in several goroutines.
func scripts(t *testing.T) []string {
	names := []string{"*"}
	if testing.Short() {
		names = []string{"add", "canon", "override", "probe", "review"}
	}
	var files []string
	for _, name := range names {
		found, err := filepath.Glob(filepath.Join(root, "testdata/script", name+".txtar"))
		if err != nil || len(found) == 0 {
			t.Fatalf("there is no script %s: %v", name, err)
		}
		files = append(files, found...)
	}
	return files
}

// passed names the variables of a script that its commands see.
var passed = []string{"PATH", "HOME", "GOGC", "VISTO_DB", "VISTO_REVIEWER", "VISTO_CONFIG", "XDG_CACHE_HOME",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME"}

// folder is held by whoever changes the working folder of this process.
var folder sync.Mutex

func run(ts *testscript.TestScript, neg bool, args []string) {
	want := 0
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			want, args = n, args[1:]
		}
	}
	if len(args) == 0 || args[0] != "visto" || neg {
		ts.Fatalf("usage: run [N] visto ...")
	}
	folder.Lock()
	defer folder.Unlock()
	home, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(home)) }()
	var env []string
	for _, name := range passed {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	if got := cli.Run(args[1:], strings.NewReader(""), ts.Stdout(), ts.Stderr(), env); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit status %d, want %s", code, args[0])
	}
}

func tty(ts *testscript.TestScript, neg bool, args []string) {
	cmd := exec.Command("/usr/bin/env", args...) // which looks in the script's own PATH
	cmd.Dir = ts.MkAbs(".")
	for _, name := range passed {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	ts.Check(err)
	defer terminal.Close()
	_, err = io.Copy(ts.Stdout(), terminal) // ends with EIO when the program has closed its end
	if !errors.Is(err, syscall.EIO) {
		ts.Check(err)
	}
	if err := cmd.Wait(); (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
}

func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

func repeat(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(args[2]), n), 0o644))
}
