package cli_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe/browser"
	"visto/review/probe/testnet"
)

// process is visto as a program of its own.
type process struct {
	*program
	visto string
	flags []string // that lead visto probe to a test internet
}

func newProcess(t *testing.T, n *testnet.Net) *process {
	t.Helper()
	p := &process{newProgram(t), linkVisto(t), nil}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, string(n.CA()))
	p.flags = []string{"--ca-file", ca, "--no-browser"} // not every machine has one
	for _, rule := range n.ConnectTo() {
		p.flags = append(p.flags, "--connect-to", rule)
	}
	return p
}

// linkVisto returns a path that runs this test binary as visto: see TestMain.
func linkVisto(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	visto := filepath.Join(t.TempDir(), "visto")
	if err := os.Symlink(self, visto); err != nil {
		t.Fatal(err)
	}
	return visto
}

// probe returns visto probe, ready to be started.
func (p *process) probe(args ...string) *exec.Cmd {
	cmd := exec.Command(p.visto, slices.Concat([]string{"probe"}, p.flags, args)...)
	cmd.Env = p.env
	return cmd
}

// must runs a command to its end and returns its output.
func must(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd.Args[1], err, stderr.String())
	}
	return string(out)
}

// keepWaiting are the sites that make a patient client wait. They are left out where the machine's clock is used.
var keepWaiting = []string{
	"busy", "always-busy", "flaky", "flaky-thrice", "down", "robots-503", "crawl-delay", "http-only", "text-at-443",
	"silent-at-443", "https-only", "slow-loris", "slow-body", "mute", "endless-headers", "reset", "empty", "no-http",
	"no-such-host", "loopback-name", "loopback-net-name", "mapped-name", "obras", "vacias",
}

// TestProbeCommand runs visto add, probe and list as a user does, and compares their output with the table.
func TestProbeCommand(t *testing.T) {
	t.Parallel()
	sites := testnet.Sites()
	p := newProcess(t, internet(t, sites, testnet.Options{}))
	asked := slices.DeleteFunc(slices.Clone(sites), func(s testnet.Site) bool {
		return slices.Contains(keepWaiting, strings.TrimSuffix(s.Host, ".gob.es"))
	})
	p.run(0, strings.NewReader(urlsOf(asked)), "add", "-")
	evidence := map[string]*canon.Evidence{}
	for _, line := range lines(must(t, p.probe("--rate", "0", "--concurrency", "32", "--json"))) {
		var l struct {
			Original string
			Evidence *canon.Evidence
		}
		decode(t, line, &l)
		evidence[l.Original] = l.Evidence
	}
	results := map[string]canon.Result{}
	for _, line := range lines(p.ok("list", "--status", "all", "--limit", "0", "--json")) {
		r := decodeResult(t, line)
		results[r.Original] = r
	}
	for _, s := range asked {
		for _, want := range s.URLs {
			url := canon.MaskUser(want.URL) // as it is stored
			if evidence[url] == nil {
				t.Errorf("%s: nothing is known", url)
				continue
			}
			r := results[url]
			r.SpanishCandidate = want.Spanish // is said in words alone
			want.Flags |= want.LinkFlags
			for _, diff := range append(want.DiffEvidence(evidence[url]), want.DiffResult(r)...) {
				t.Errorf("%s: %s", want.URL, diff)
			}
		}
	}
	p.ok("check")
}

func decode(t *testing.T, line string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), into); err != nil {
		t.Fatalf("%v\n%s", err, line)
	}
}

// decodeResult reads a result as list prints it.
func decodeResult(t *testing.T, line string) (r canon.Result) {
	t.Helper()
	var l struct {
		Original, Canonical, Verdict, Reason, Language string
		Flags                                          []struct{ Code string }
		LangVariants                                   map[string]string `json:"lang_variants"`
		Pagination                                     *struct {
			Page       json.Number
			TotalPages int `json:"total_pages"`
		}
	}
	decode(t, line, &l)
	r.Original, r.Canonical, r.Language, r.LangVariants = l.Original, l.Canonical, l.Language, l.LangVariants
	for _, v := range []canon.Verdict{canon.Accepted, canon.Flagged, canon.Rejected} {
		if v.String() == l.Verdict {
			r.Verdict = v
		}
	}
	for _, reason := range []canon.Reason{
		canon.InvalidURL, canon.UnsupportedScheme, canon.TooLong, canon.PrivateAddress, canon.LeftAllowlist,
	} {
		if reason.String() == l.Reason {
			r.Reason = reason
		}
	}
	for _, f := range l.Flags {
		code, ok := canon.ParseCode(f.Code)
		if !ok {
			t.Errorf("%s: no flag is named %s", l.Original, f.Code)
		}
		r.Flags = append(r.Flags, canon.Flag{Code: code})
	}
	if l.Pagination != nil {
		r.Pagination = &canon.Pagination{Page: l.Pagination.Page, TotalPages: l.Pagination.TotalPages}
	}
	return r
}

// TestKilledProbeGoesOn kills a probe, with a signal that it cannot catch, after it has reported half of the URLs. The
// next probe requests the rest: no URL whose answer was stored is requested again, and none is left out. Only requests
// in progress at that moment, at most one for each host, may be repeated.
func TestKilledProbeGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the processes that are killed")
	}
	t.Parallel()
	const hosts, pages = 20, 10
	sites := testnet.Crowd(hosts, pages, 5*time.Millisecond)
	n := internet(t, sites, testnet.Options{})
	p := newProcess(t, n)
	p.run(0, strings.NewReader(urlsOf(sites)), "add", "-")
	stored := killHalfWay(t, p.probe("--rate", "0", "--json"), hosts*pages/2)
	p.ok("check")
	must(t, p.probe("--rate", "0"))
	twice := 0
	for _, s := range sites {
		for _, want := range s.URLs {
			asked := n.Log().Asked(want.URL)
			if asked > 1 {
				twice++
			}
			if asked == 0 || asked > 1 && stored[want.URL] {
				t.Errorf("%s: asked %d times; stored before the kill: %t", want.URL, asked, stored[want.URL])
			}
		}
		robots := n.Log().Asked("https://" + s.Host + "/robots.txt")
		if robots > 2 { // again if the answer was on its way
			t.Errorf("%s: robots.txt was asked for %d times", s.Host, robots)
		}
	}
	t.Logf("%d of %d stored before the kill, %d asked twice", len(stored), hosts*pages, twice)
	if twice > hosts {
		t.Errorf("%d URLs were asked twice, and only %d can have been on their way", twice, hosts)
	}
	if again := must(t, p.probe("--rate", "0", "--dry-run")); again != "" {
		t.Errorf("left to ask:\n%s", again)
	}
	p.ok("check")
}

// killHalfWay runs a probe until it has reported n URLs, kills it, and returns the reported URLs.
func killHalfWay(t *testing.T, cmd *exec.Cmd, n int) map[string]bool {
	t.Helper()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stored := map[string]bool{}
	said := bufio.NewScanner(stdout)
	said.Buffer(nil, 1<<20)
	for said.Scan() {
		var l struct{ Original string }
		if json.Unmarshal(said.Bytes(), &l) == nil { // the last line may be half of one
			stored[l.Original] = true
		}
		if len(stored) == n {
			cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err == nil || len(stored) < n {
		t.Fatalf("it was not killed: %v after %d URLs", err, len(stored))
	}
	return stored
}

// Spec 15: visto probe stores the content of a page, two versions of it, and with --no-content none. All URLs that
// share an answer have it. visto review --plain tells it.
func TestProbeStoresContents(t *testing.T) {
	t.Parallel()
	const page = "https://changes.gob.es/avisos/cortes-de-agua"
	const grants = "https://open-data.gob.es/api/subvenciones-concedidas"
	p := newProcess(t, internet(t, testnet.Documents(), testnet.Options{}))
	p.run(0, strings.NewReader(page+"\n"+page+"#top\n"+grants+"\n"), "add", "-")
	tells := func(id int, command string, want ...string) {
		t.Helper()
		out, _ := p.run(0, strings.NewReader(fmt.Sprintf("go %d\n%s\n", id, command)), "review", "--plain")
		for _, want := range want {
			if !strings.Contains(out, want) {
				t.Errorf("%s of URL %d does not tell %q:\n%s", command, id, want, out)
			}
		}
	}
	must(t, p.probe("--rate", "0", "--no-content", "3"))
	tells(3, "page", "no content of this page is stored")
	for range 2 { // the page changes in between
		must(t, p.probe("--rate", "0", "--refresh", "1", "2", "3"))
	}
	must(t, p.probe("--rate", "0", "--refresh", "--no-content", "1"))
	for _, id := range []int{1, 2} {
		tells(id, "page", "El corte de agua se aplaza al jueves 19", "[Calles afectadas][1]")
		tells(id, "page links", "1: Calles afectadas: https://changes.gob.es/avisos/calles-afectadas\n")
		tells(id, "page diff", "Removed: El corte de agua será el martes 17", "Added: El corte de agua se aplaza")
	}
	tells(3, "page all", "The page goes on. This is as much as is stored.")
	tells(3, "page diff", "One version of the page is stored")
	p.ok("check", "--replay")
}

// TestProbeKeepsOffLoopback leads the program to a server on loopback in every way: addresses in many notations, names,
// and redirects of a public site, under a policy without an allowlist. It may connect only with --allow-private.
func TestProbeKeepsOffLoopback(t *testing.T) {
	t.Parallel()
	canary := newCanary(t)
	site := testnet.Site{Host: "public.example", About: "redirects to loopback", Pages: map[string]http.Handler{}}
	var urls []string
	for i, host := range canary.hosts() {
		url := "http://" + net.JoinHostPort(host, canary.port) + "/tramites/ayuda-alquiler"
		from := fmt.Sprintf("/tramites/ayuda-%d", i)
		site.Pages[from] = testnet.Redirect(302, url)
		urls = append(urls, url, "https://public.example"+from)
	}
	n := internet(t, []testnet.Site{site}, testnet.Options{})
	p := newProcess(t, n)
	p.run(0, strings.NewReader(strings.Join(urls, "\n")), "add", "-", "--policy", "rfc3986")
	ids := lines(p.ok("list", "--status", "all", "--limit", "0", "--ids"))
	args := []string{
		"--rate", "0", "--timeout", "1s", "--no-archive", "--allow-port", canary.port, "--concurrency", "32",
	}
	must(t, p.probe(append(args, ids...)...))
	if n := canary.reached.Load(); n > 0 {
		t.Errorf("loopback was connected to %d times", n)
	}
	if len(n.Log().Requests("public.example")) < len(site.Pages) {
		t.Error("the redirects were not asked for")
	}
	must(t, p.probe(append(args, "--allow-private", "--refresh", ids[0], ids[1])...)) // 127.0.0.1, and a redirect to it
	if canary.reached.Load() == 0 {
		t.Error("the test proves nothing: loopback is not connected to with --allow-private either")
	}
}

// canary is a server on loopback that counts its connections.
type canary struct {
	port    string
	reached atomic.Int64
}

func newCanary(t *testing.T) *canary {
	t.Helper()
	l, err := net.Listen("tcp", ":0") // IPv6 too, where there is any
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{port: strconv.Itoa(l.Addr().(*net.TCPAddr).Port)}
	server := &http.Server{
		Handler: http.NotFoundHandler(),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				c.reached.Add(1)
			}
		},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return c
}

// hosts are the ways to write loopback, and this machine's own name.
func (c *canary) hosts() []string {
	list := []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001",
		"127.0.0.1.", "127.255.255.254", "0.0.0.0", "0", "::1", "::", "::ffff:127.0.0.1", "::ffff:7f00:1",
		"::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "localhost", "LOCALHOST", "localhost.", "a.localhost",
		"１２７.0.0.1", "127。0。0。1", "⑫7.0.0.1",
	}
	if name, err := os.Hostname(); err == nil {
		list = append(list, name)
	}
	return list
}

// TestProbeDraws probes a page that scripts write, by a real browser and without one: spec section 15, "without one the
// page is flagged no-content, not accepted".
func TestProbeDraws(t *testing.T) {
	t.Parallel()
	path, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	if path == "" {
		t.Skip("there is no Chromium to draw pages with")
	}
	n := internet(t, testnet.Sites(), testnet.Options{})
	p := newProcess(t, n)
	const url = "https://app.gob.es/tramites/cita-previa"
	p.run(0, strings.NewReader(url), "add", "-")
	if out := must(t, p.probe("--rate", "0")); !strings.Contains(out, "[no-content]") {
		t.Errorf("without a browser: %s", out)
	}
	p.flags = slices.DeleteFunc(p.flags, func(flag string) bool { return flag == "--no-browser" })
	cmd := p.probe("--rate", "0", "--refresh", "--json", "--browser", trusting(t, path, n.CA()))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var l struct {
		Flags    []string
		Evidence canon.Evidence
	}
	decode(t, string(out), &l)
	if ev := l.Evidence; len(l.Flags) > 0 || ev.Method != "headless" || ev.Title != testnet.DrawnTitle || ev.NoContent {
		t.Errorf("with a browser: %s", out)
	}
	if isRoot := os.Geteuid() == 0; strings.Count(stderr.String(), "--no-sandbox") != map[bool]int{true: 1}[isRoot] {
		t.Errorf("said as root (%t):\n%s", isRoot, stderr.String())
	}
}

// trusting returns a program that runs a browser which trusts a certificate authority.
func trusting(t *testing.T, path string, authority []byte) string {
	t.Helper()
	block, _ := pem.Decode(authority)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	key := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	name := filepath.Join(t.TempDir(), "chromium")
	script := fmt.Sprintf("#!/bin/sh\nexec %s --ignore-certificate-errors-spki-list=%s \"$@\"\n", path,
		base64.StdEncoding.EncodeToString(key[:]))
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}
