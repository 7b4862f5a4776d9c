package canon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"visto/canon"
)

// The web-platform-tests come with a test dependency, and are read from the module cache.
const wptModule = "github.com/nlnwa/whatwg-url"

var wptFolder = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", wptModule).Output()
	return filepath.Join(strings.TrimSpace(string(out)), "testdata"), err
})

// wpt reads the cases of one file of the web-platform-tests. Strings among them are comments.
func wpt[T any](t testing.TB, file string) (cases []T) {
	t.Helper()
	folder, err := wptFolder()
	if err != nil {
		t.Fatalf("where %s is: %v", wptModule, err)
	}
	data, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		var one T
		if entry[0] != '{' {
			continue
		}
		if err := json.Unmarshal(entry, &one); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, one)
	}
	return cases
}

// differences returns a section of testdata/canon/differences.txt, which lists our justified differences from browsers.
// A line has three columns: the input, the answer of the standard, and ours. An answer in quotes is a URL, any other
// the kind of refusal. A line with # gives the reason for the lines below it.
func differences(t testing.TB, section string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("../testdata/canon/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == section })
	if i < 0 {
		t.Fatalf("differences.txt has no section %s", section)
	}
	listed := map[string]string{}
	why := false
	for line := range strings.Lines(string(archive.Files[i].Data)) {
		line = strings.TrimSpace(line)
		input, err := strconv.QuotedPrefix(line)
		switch {
		case strings.HasPrefix(line, "#"):
			why = strings.Contains(line, "section") || strings.Contains(line, "RFC")
		case err != nil || !why || listed[input] != "":
			t.Fatalf("differences.txt, %s: %q has no input, no reason or no section in it, or is there twice",
				section, line)
		default:
			listed[input] = strings.TrimSpace(line[len(input):])
		}
	}
	return listed
}

// compareDifferences fails on a difference that is not listed, and on a listed one that no longer exists.
func compareDifferences(t *testing.T, section string, found map[string]string) {
	t.Helper()
	listed := differences(t, section)
	for input, got := range found {
		if listed[input] != got {
			t.Errorf("%s: not listed:\n%s %s", section, input, got)
		}
	}
	for input, answers := range listed {
		if found[input] == "" {
			t.Errorf("%s: listed, but no difference any more: %s %s", section, input, answers)
		}
	}
}

// wptURL is a case of urltestdata.json.
type wptURL struct {
	Input, Base, Href, Protocol, Hostname string
	Failure                               bool
}

// alone reports whether the answer is the same without the base URL, which this package does not have.
func (c wptURL) alone() bool {
	input := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimLeft(c.Input, "\x00 \t\n\f\r\v"))
	scheme, rest, ok := strings.Cut(input, ":")
	scheme = strings.ToLower(scheme)
	switch {
	case c.Base == "" || c.Base == "about:blank" && c.Protocol != "about:":
		return true
	case !ok || scheme != "http" && scheme != "https":
		return false
	}
	return !strings.HasPrefix(c.Base, scheme+":") || strings.HasPrefix(strings.ReplaceAll(rest, `\`, "/"), "//")
}

// TestWPT compares with browsers: the same host and resource for URLs that they accept as http or https, and a refusal
// of all others.
func TestWPT(t *testing.T) {
	c := canon.New(policyOf(t, "extends: rfc3986"), nil)
	found, alone := map[string]string{}, 0
	for _, w := range wpt[wptURL](t, "urltestdata.json") {
		if !w.alone() {
			continue
		}
		alone++
		r := c.Canonicalize(w.Input, nil)
		ours := strconv.Quote(r.Canonical)
		if r.Verdict == canon.Rejected {
			ours = r.Reason.String()
		}
		switch isHTTP := w.Protocol == "http:" || w.Protocol == "https:"; {
		case w.Failure && r.Verdict != canon.Rejected:
			found[strconv.Quote(w.Input)] = "failure " + ours
		case isHTTP && (r.Verdict == canon.Rejected || r.Host != w.Hostname ||
			!sameResource(r.Canonical, withoutUser(w.Href))):
			found[strconv.Quote(w.Input)] = strconv.Quote(w.Href) + " " + ours
		case !w.Failure && !isHTTP && r.Reason != canon.UnsupportedScheme:
			found[strconv.Quote(w.Input)] = strconv.Quote(w.Href) + " " + ours
		}
	}
	if alone < 400 {
		t.Errorf("only %d cases", alone)
	}
	compareDifferences(t, "urltestdata.json", found)
}

// withoutUser removes the credentials of a URL in the form of browsers.
func withoutUser(href string) string {
	scheme, rest, _ := strings.Cut(href, "://")
	authority := rest[:strings.IndexByte(rest+"/", '/')]
	return scheme + "://" + rest[strings.LastIndexByte(authority, '@')+1:]
}

// sameResource reports whether two URLs are equal under RFC 3986. An unreserved character equals its escape, and so
// does a byte that may not stand in a URL. Other characters do not.
func sameResource(a, b string) bool { return slices.Equal(atoms(a), atoms(b)) }

// atoms returns the characters of a URL, normalized: a plain character, or 256 plus an escaped byte.
func atoms(url string) (list []int) {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	const reserved = ":/?#@!$&'()*+,;=" // both parsers agree on brackets, which only surround an address
	for i := 0; i < len(url); i++ {
		x := url[i]
		isEscape := false
		if x == '%' && i+2 < len(url) {
			if n, err := strconv.ParseUint(url[i+1:i+3], 16, 8); err == nil {
				x, isEscape = byte(n), true
				i += 2
			}
		}
		switch {
		case strings.IndexByte(unreserved, x) >= 0, !isEscape && strings.IndexByte(reserved, x) >= 0:
			list = append(list, int(x))
		default:
			list = append(list, 256+int(x))
		}
	}
	return list
}

// wptHost is a case of toascii.json and of IdnaTestV2.json.
type wptHost struct {
	Input  string
	Output *string
}

// TestWPTHosts compares the ASCII forms of hosts with the web-platform-tests. The hosts are percent-encoded, so that no
// byte delimits the URL.
func TestWPTHosts(t *testing.T) {
	c := canon.New(policyOf(t, "extends: rfc3986"), nil)
	for _, file := range []string{"toascii.json", "IdnaTestV2.json"} {
		t.Run(file, func(t *testing.T) {
			found := map[string]string{}
			for _, w := range wpt[wptHost](t, file) {
				if w.Input == "" {
					continue // TestWPT has the empty host
				}
				want := ""
				if w.Output != nil && isFindable(withoutDot(*w.Output)) { // beStrict is false in these files
					want = *w.Output
				}
				r := c.Canonicalize("https://"+escapeAll(w.Input)+"/x", nil)
				if ours := r.Host; ours != want && ours != withoutDot(want) {
					found[strconv.Quote(w.Input)] = strconv.Quote(want) + " " + strconv.Quote(ours)
				}
			}
			compareDifferences(t, file, found)
		})
	}
}

// withoutDot removes the final dot of a fully qualified host, which the host step drops and a browser keeps.
func withoutDot(host string) string { return strings.TrimSuffix(host, ".") }

func escapeAll(s string) string {
	var out strings.Builder
	for _, x := range []byte(s) {
		fmt.Fprintf(&out, "%%%02X", x)
	}
	return out.String()
}
