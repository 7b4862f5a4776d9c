package probe_test

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"visto/review/probe/testnet"
)

// isolated marks a process with a network of its own.
const isolated = "VISTO_TEST_ISOLATED"

// isolate runs the test again in a network namespace in which the machine itself has the addresses, public ones too.
// It reports whether this process is in it already, and skips the test if the system forbids namespaces.
func isolate(t *testing.T, addresses ...string) (there bool) {
	t.Helper()
	if os.Getenv(isolated) != "" {
		for _, args := range append([][]string{{"link", "set", "lo", "up"}}, addAll(addresses)...) {
			if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
				t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		return true
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no command ip to give addresses with")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), isolated+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skipf("a network namespace is not to be had: %v", err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "--- PASS") {
		t.Errorf("%v\n%s", err, out.String())
	}
	return false
}

func addAll(addresses []string) (commands [][]string) {
	for _, a := range addresses {
		commands = append(commands, []string{"addr", "add", a, "dev", "lo"})
	}
	return commands
}

// TestOnlyPublicAddressesAreDialled runs the probe where public and private addresses all lead to the test internet,
// at ports 80 and 443, with nothing between the probe and the sockets. Only public addresses may receive connections,
// whatever redirects and names say; one name resolves to loopback from the second time on.
func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	t.Parallel()
	if !isolate(t, "151.101.0.1/16", "10.0.0.1/8", "169.254.0.1/16", "192.168.0.1/16", "172.16.0.1/12",
		"100.64.0.1/10", "fd00::1/64") {
		return
	}
	sites := append(testnet.Sites(),
		rebinding("private-name.gob.es", "10.0.0.7"),
		rebinding("shared-name.gob.es", "100.64.0.7"),
		rebinding("link-local-name.gob.es", "169.254.169.254"),
		rebinding("unique-local-name.gob.es", "fd00::1"),
		rebinding("rebinds.gob.es", "151.101.200.1", "127.0.0.1"),
		rebinding("rebinds-to-metadata.gob.es", "151.101.200.2", "169.254.169.254"),
		rebinding("rebinds-to-ipv6.gob.es", "151.101.200.3", "::1"),
		rebinding("answers-both.gob.es", "151.101.200.4 127.0.0.1"))
	w := newDirectWorld(t, sites, testnet.Options{Plain: ":80", Secure: ":443"})
	w.probe(urls(sites)...)
	n := w.net
	public := netip.MustParsePrefix("151.101.0.0/16")
	for _, a := range n.Log().Connections() {
		if ip := a.(*net.TCPAddr).AddrPort().Addr().Unmap(); !public.Contains(ip) {
			t.Errorf("%s was dialled", a)
		}
	}
	for _, host := range []string{"rebinds.gob.es", "rebinds-to-metadata.gob.es", "rebinds-to-ipv6.gob.es"} {
		var targets []string
		for _, r := range n.Log().Requests(host) {
			targets = append(targets, r.Target)
		}
		if !slices.Equal(targets, []string{"/robots.txt"}) || n.Looked(host) < 2 {
			t.Errorf("%s was asked for %v, and looked up %d times; want robots.txt alone, and a second look", host,
				targets, n.Looked(host))
		}
	}
	for _, host := range []string{
		"private-name.gob.es", "shared-name.gob.es", "link-local-name.gob.es", "unique-local-name.gob.es",
		"answers-both.gob.es",
	} {
		if n.Looked(host) == 0 || len(n.Log().Requests(host)) > 0 || n.Log().Handshakes(host) > 0 {
			t.Errorf("%s has an address that is not public, and was connected to, or never looked up", host)
		}
	}
}

// rebinding is a site whose name resolves to another address each time, thus before each request.
func rebinding(host string, each ...string) testnet.Site {
	s := testnet.Site{Host: host, About: "resolves to another address each time"}
	for _, answer := range each {
		var one []netip.Addr
		for _, a := range strings.Fields(answer) {
			one = append(one, netip.MustParseAddr(a))
		}
		s.Addresses = append(s.Addresses, one)
	}
	s.Robots = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusNotFound)
	})
	url := "https://" + host + "/tramites/ayuda-alquiler"
	s.URLs = []testnet.Want{{URL: url, Canonical: url}}
	return s
}
