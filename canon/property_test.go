package canon_test

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/netip"
	neturl "net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"visto/canon"
)

// checkForm checks the form of every canonical URL: ASCII that may stand in a URL, no credentials, a host in lower
// case that a resolver can find, and a fragment only if the policy keeps it. net/url can parse it.
func checkForm(t testing.TB, url string, fragments bool) {
	t.Helper()
	if u, err := neturl.Parse(url); err != nil || !isFindable(u.Hostname()) {
		t.Errorf("canonical URL %q: net/url reads %v, %v", url, u, err)
	}
	if strings.Contains(url, "#") && !fragments {
		t.Errorf("canonical URL %q: a fragment", url)
	}
	url = strings.Replace(url, "#", "/", 1)
	scheme, rest, ok := strings.Cut(url, "://")
	host := rest
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		host = rest[:end]
	}
	if !ok || scheme != "https" && scheme != "http" || host != strings.ToLower(host) || strings.Contains(host, "@") {
		t.Errorf("canonical URL %q: scheme or host", url)
	}
	for i := range len(url) {
		behindHost := i >= len(scheme)+len("://")+len(host)
		if x := url[i]; x <= ' ' || x >= 0x7f || behindHost && strings.IndexByte("\"<>[]\\^`{|}#", x) >= 0 {
			t.Errorf("canonical URL %q holds %q", url, x)
		}
	}
}

// isFindable reports whether a resolver may find the host: an address, or a name with the characters and the lengths of
// RFC 1035 section 2.3.4, which names with "_" exceed. No registry takes quotes and brackets.
func isFindable(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	shown, _ := idna.Punycode.ToUnicode(host)
	return len(host) <= 253 && findable.MatchString(host) && !quote.MatchString(shown)
}

var quote = regexp.MustCompile(`[\p{Pi}\p{Pf}\p{Ps}\p{Pe}]`)

var findable = regexp.MustCompile(`^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$`)

// TestSameBytesInTwoProcesses runs the same URLs in another process, where maps have another order.
func TestSameBytesInTwoProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const marker = "VISTO_TEST_DIGEST"
	digest := strconv.FormatUint(digestOfResults(t), 16)
	if os.Getenv(marker) != "" {
		os.Stdout.WriteString(marker + "=" + digest + "\n")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytesInTwoProcesses$")
	cmd.Env = append(os.Environ(), marker+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("second process: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte(marker+"="+digest+"\n")) {
		t.Errorf("digest %s here, and in another process:\n%s", digest, out)
	}
}

func digestOfResults(t *testing.T) uint64 {
	t.Helper()
	sum := fnv.New64a()
	add := func(r canon.Result) {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	for _, step := range canon.Steps() {
		for _, g := range goldens(t, "canon")[step.ID] {
			add(g.canonicalizer(t, g.policy(t)).Explain(g.input(t), g.evidence(t)))
		}
	}
	c := canon.New(clara(t), compiled(t, clara(t), overrideSets[3].list))
	r := rand.New(rand.NewPCG(2, 3))
	for range 5_000 {
		add(c.Explain(randomURL(r), nil))
	}
	return sum.Sum64()
}
