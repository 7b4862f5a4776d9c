package cli_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"visto/review/probe/testnet"
)

// Section 16 and its acceptance: "kill -9 at any moment of --watch loses no check that was reported and asks nobody
// twice as often." A URL whose request was under way is not asked again before its retry time.
func TestKilledWatchAsksNobodyTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the processes that are killed")
	}
	t.Parallel()
	const hosts, pages, kills = 12, 20, 6 // so many that none of the killed ones runs out of URLs
	sites := testnet.Crowd(hosts, pages, 5*time.Millisecond)
	n := internet(t, sites, testnet.Options{})
	p := newProcess(t, n)
	p.run(0, strings.NewReader(urlsOf(sites)), "add", "-")
	reported := map[string]int{}
	note := func(urls map[string]bool) {
		for url := range urls {
			reported[url]++
		}
	}
	for range kills {
		note(killAfter(t, p.probe("--watch", "--rate", "0", "--json"), 1+rand.IntN(hosts)))
		p.ok("check")
	}
	note(untilQuiet(t, p.probe("--watch", "--rate", "0", "--json")))
	for _, s := range sites {
		for _, want := range s.URLs {
			asked := n.Log().Asked(want.URL)
			if asked > 1 || reported[want.URL] > asked {
				t.Errorf("%s: asked %d times, reported %d times", want.URL, asked, reported[want.URL])
			}
		}
		if robots := n.Log().Asked("https://" + s.Host + "/robots.txt"); robots > 1+kills {
			t.Errorf("%s: robots.txt was asked for %d times", s.Host, robots)
		}
	}
	if left := must(t, p.probe("--due", "--dry-run")); left != "" {
		t.Errorf("left to ask:\n%s", left)
	}
	if cut := hosts*pages - len(reported); cut > kills*hosts {
		t.Errorf("%d URLs were cut short by %d kills, and each host is asked for one at a time", cut, kills)
	}
	p.ok("check")
}

// The pause between two requests to a host holds when a watch is killed and another one begins.
func TestKilledWatchKeepsThePause(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the processes that are killed")
	}
	t.Parallel()
	const pause = 400 * time.Millisecond
	sites := testnet.Crowd(3, 30, 0)
	n := internet(t, sites, testnet.Options{})
	p := newProcess(t, n)
	p.run(0, strings.NewReader(urlsOf(sites)), "add", "-")
	for range 3 {
		killAfter(t, p.probe("--watch", "--rate", "2.5", "--json"), 1)
	}
	for _, s := range sites {
		var last time.Time
		for _, r := range n.Log().Requests(s.Host) {
			if r.At.Sub(last) < pause {
				t.Errorf("%s came %s after the last request", r, r.At.Sub(last))
			}
			last = r.At
		}
	}
}

// The unit for systemd in the help is one that systemd takes, and its program stays and ends as a service does.
func TestUnitOfTheHelp(t *testing.T) {
	t.Parallel()
	p := newProcess(t, internet(t, testnet.Crowd(1, 1, 0), testnet.Options{}))
	p.run(0, strings.NewReader("https://crowd-000.gob.es/tramites/ayuda-numero-0\n"), "add", "-")
	_, text, _ := strings.Cut(p.ok("help", "watching"), "\n  [Unit]\n")
	text, _, _ = strings.Cut("[Unit]\n"+strings.ReplaceAll(text, "\n  ", "\n"), "\n\nsystemctl")
	unit := strings.Replace(strings.TrimSpace(text), "/usr/local/bin/visto", p.visto, 1) + "\n"
	_, command, found := strings.Cut(unit, "\nExecStart="+p.visto+" ")
	if !found {
		t.Fatalf("the help has no unit:\n%s", unit)
	}
	if analyze, err := exec.LookPath("systemd-analyze"); err == nil {
		file := filepath.Join(t.TempDir(), "visto.service")
		write(t, file, unit)
		cmd := exec.Command(analyze, "verify", "--user", file)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "visto.service") {
			t.Errorf("systemd-analyze: %v\n%s\n%s", err, out, unit)
		}
	}
	command, _, _ = strings.Cut(command, "\n")
	args := strings.Fields(command)
	if len(args) == 0 || args[0] != "probe" {
		t.Fatalf("ExecStart has the arguments %q", args)
	}
	args[len(args)-1] = "00:00-24:00" // the test may run at any time of the day
	if reported := untilQuiet(t, p.probe(append(args[1:], "--rate", "0", "--json")...)); len(reported) != 1 {
		t.Errorf("reported %v", reported)
	}
}

// killAfter runs a watch until it has reported n URLs, kills it, and returns all that it has reported.
func killAfter(t *testing.T, cmd *exec.Cmd, n int) map[string]bool {
	t.Helper()
	return reportedBy(t, cmd, func() {}, func(reported int) {
		if reported == n {
			cmd.Process.Kill()
		}
	})
}

// untilQuiet runs a watch until nothing is due, ends it by SIGTERM, and returns the URLs that it has reported.
func untilQuiet(t *testing.T, cmd *exec.Cmd) map[string]bool {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	listen := func() {
		go func() {
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "nothing is due until") {
					cmd.Process.Signal(syscall.SIGTERM)
				}
			}
		}()
	}
	reported := reportedBy(t, cmd, listen, func(int) {})
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with status %d", code)
	}
	return reported
}

// reportedBy runs a command to its end and returns the URLs that it has reported. started is called once it runs, each
// after each of the URLs.
func reportedBy(t *testing.T, cmd *exec.Cmd, started func(), each func(reported int)) map[string]bool {
	t.Helper()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started()
	reported := map[string]bool{}
	said := bufio.NewScanner(stdout)
	said.Buffer(nil, 1<<20)
	for said.Scan() {
		var l struct{ Original string }
		if json.Unmarshal(said.Bytes(), &l) == nil { // the last line may be half of one
			reported[l.Original] = true
			each(len(reported))
		}
	}
	cmd.Wait()
	return reported
}
