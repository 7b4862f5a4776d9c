package probe

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestParseConnectTo(t *testing.T) {
	for text, want := range map[string]string{
		"example.es:443:127.0.0.1:8443": "{example.es 443 127.0.0.1 8443}",
		"EXAMPLE.es:443:Other.ES:8443":  "{example.es 443 other.es 8443}",
		"::127.0.0.1:8080":              "{ 0 127.0.0.1 8080}",
		":443::8443":                    "{ 443  8443}",
		":::":                           "{ 0  0}",
		"example.es::other.es:":         "{example.es 0 other.es 0}",
		"[2a00::1]:80:[::1]:8080":       "{2a00::1 80 ::1 8080}",
		"example.es:80:127.0.0.1":       "HOST1:PORT1:HOST2:PORT2",
		"example.es:80:127.0.0.1:80:80": "HOST1:PORT1:HOST2:PORT2",
		"example.es:http:127.0.0.1:80":  `"http" is no port`,
		"example.es:80:127.0.0.1:0":     `"0" is no port`,
		"example.es:80:127.0.0.1:65536": `"65536" is no port`,
		"2a00::1:80:127.0.0.1:80":       "HOST1:PORT1:HOST2:PORT2",
		"":                              "HOST1:PORT1:HOST2:PORT2",
	} {
		c, err := ParseConnectTo(text)
		if got := orError(c, err); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestParseResolve(t *testing.T) {
	for text, want := range map[string]string{
		"example.es:443:127.0.0.1":       "{example.es 443 [127.0.0.1]}",
		"+Example.ES:443:127.0.0.1":      "{example.es 443 [127.0.0.1]}",
		"*:443:127.0.0.1":                "{* 443 [127.0.0.1]}",
		"example.es:443:127.0.0.1,::1":   "{example.es 443 [127.0.0.1 ::1]}",
		"example.es:443:[::1],127.0.0.1": "{example.es 443 [::1 127.0.0.1]}",
		"example.es:443:2a00:1450::200e": "{example.es 443 [2a00:1450::200e]}",
		"-example.es:443":                "{example.es 443 []}",
		"-example.es:443:127.0.0.1":      "HOST:PORT:ADDR",
		"example.es:443":                 "HOST:PORT:ADDR",
		"example.es:443:":                `"" is no address`,
		"example.es:443:localhost":       `"localhost" is no address`,
		"example.es::127.0.0.1":          "the port is missing",
		":443:127.0.0.1":                 "HOST:PORT:ADDR",
		"example.es:https:127.0.0.1":     `"https" is no port`,
	} {
		r, err := ParseResolve(text)
		if got := orError(r, err); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func orError(v any, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// TestRoutes sends connections to the same destinations as curl.
func TestRoutes(t *testing.T) {
	connects := must(ParseConnectTo("a.es:443:b.es:8443", "a.es::c.es:", ":8080::80", "d.es:80:127.0.0.1:8081",
		"a.es:443:never.es:1"))
	var resolves []Resolve
	for _, text := range []string{
		"b.es:8443:10.0.0.1", "b.es:8443:10.0.0.2,10.0.0.3", "*:444:10.0.0.4", "e.es:444:10.0.0.5",
		"gone.es:80:10.0.0.6", "-gone.es:80",
	} {
		resolves = append(resolves, must(ParseResolve(text)))
	}
	r := newRoutes(connects, resolves)
	for _, test := range []struct {
		from  hostPort
		to    string
		named bool
		addrs string
	}{
		// the first matching rule; the last addresses
		{hostPort{"a.es", 443}, "{b.es 8443}", true, "[10.0.0.2 10.0.0.3]"},
		{hostPort{"a.es", 80}, "{c.es 80}", true, "[]"},
		{hostPort{"x.es", 8080}, "{x.es 80}", false, "[]"},
		{hostPort{"d.es", 80}, "{127.0.0.1 8081}", true, "[]"},
		{hostPort{"d.es", 443}, "{d.es 443}", false, "[]"},
		{hostPort{"e.es", 444}, "{e.es 444}", false, "[10.0.0.5]"},
		{hostPort{"f.es", 444}, "{f.es 444}", false, "[10.0.0.4]"},
		{hostPort{"gone.es", 80}, "{gone.es 80}", false, "[]"},
	} {
		to, named := r.target(test.from)
		if addrs := r.addresses(to); fmt.Sprint(to) != test.to || named != test.named ||
			fmt.Sprint(addrs) != test.addrs {
			t.Errorf("%v: to %v (%t) at %v, want %s (%t) at %s", test.from, to, named, addrs, test.to, test.named,
				test.addrs)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestNamedAddress dials an address that is not public if the user named the address, and not if a name that the user
// named resolves to it.
func TestNamedAddress(t *testing.T) {
	names := &fixedNames{names: map[string][][]string{
		"a.es": {{"151.101.1.1"}}, "inside.es": {{"10.0.0.1"}},
	}}
	connects := must(ParseConnectTo("a.es:80:127.0.0.1:", "a.es:443:inside.es:", "a.es:8080::80"))
	resolves := []Resolve{must(ParseResolve("b.es:80:10.0.0.2")), must(ParseResolve("inside.es:8443:10.0.0.3"))}
	for _, test := range []struct{ address, dials string }{
		{"a.es:80", "[127.0.0.1:80]"},
		{"a.es:443", "[]"},
		{"a.es:8080", "[151.101.1.1:80]"},
		{"b.es:80", "[10.0.0.2:80]"},
		{"inside.es:8443", "[10.0.0.3:8443]"},
		{"inside.es:80", "[]"},
		{"127.0.0.1:80", "[]"},
		{"[::1]:80", "[]"},
	} {
		s := &trap{}
		d := &dialer{guard: newGuard(), routes: newRoutes(connects, resolves), resolver: names,
			timeout: DefaultTimeout, open: s.Dial}
		if _, err := d.dial(t.Context(), "tcp", test.address); err == nil || fmt.Sprint(s.dials) != test.dials {
			t.Errorf("%s: dialled %v, want %s (%v)", test.address, s.dials, test.dials, err)
		}
	}
}

// TestDialTriesAll tries the next address if one does not answer.
func TestDialTriesAll(t *testing.T) {
	s := &trap{}
	names := &fixedNames{names: map[string][][]string{"a.es": {{"2a00::1", "151.101.1.1", "::ffff:151.101.1.2"}}}}
	d := &dialer{guard: newGuard(), routes: newRoutes(nil, nil), resolver: names, timeout: DefaultTimeout, open: s.Dial}
	if _, err := d.dial(t.Context(), "tcp", "a.es:80"); err == nil {
		t.Error("nobody answered, and there is no error")
	}
	if got := fmt.Sprint(s.dials); got != "[[2a00::1]:80 151.101.1.1:80 151.101.1.2:80]" {
		t.Errorf("dialled %s", got)
	}
	if _, err := netip.ParseAddrPort(s.dials[0]); err != nil {
		t.Error(err)
	}
}
