package serve_test

import (
	"fmt"
	"strings"
	"testing"

	"visto/ui/serve"
)

// publicKeys are keys that nobody has.
var publicKeys = [...]string{
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcX0fZ3y0F1l5T4K0J8m0bqkQF7r2mOq3gWz1h0c1aA",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcX0fZ3y0F1l5T4K0J8m0bqkQF7r2mOq3gWz1h0c1aA",
}

// certificate is a certificate for a key that nobody has.
const certificate = "ssh-ed25519-cert-v01@openssh.com " +
	"AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIG9GRYmLWl8ArZVwhwBksuijc7CY6QpVfRlWdH4B6rudAAAA" +
	"IFpP9K71Jncqp+xWj/8iwIRHQulGpxkdc+KqKfwpgZdsAAAAAAAAAAAAAAABAAAAA2FuYQAAAAAAAAAAAAAAAP//////////AAAA" +
	"AAAAAIIAAAAVcGVybWl0LVgxMS1mb3J3YXJkaW5nAAAAAAAAABdwZXJtaXQtYWdlbnQtZm9yd2FyZGluZwAAAAAAAAAWcGVybWl0" +
	"LXBvcnQtZm9yd2FyZGluZwAAAAAAAAAKcGVybWl0LXB0eQAAAAAAAAAOcGVybWl0LXVzZXItcmMAAAAAAAAAAAAAADMAAAALc3No" +
	"LWVkMjU1MTkAAAAglqh2sZZOIQyYqqZbv7o1lRTkG9qlQUPYwHom0CUKjYcAAABTAAAAC3NzaC1lZDI1NTE5AAAAQKPYiuJme0R0" +
	"NuEoRe1CCwImh66YBSaR1PAiJtKrUcgT3LEYMkcGTAkiKbgz93VNEuhl+QgkPnZRPBwvpadZ7gk=" +
	" ana"

// A line counts for its person, or is refused with a reason; the others count all the same.
func TestParseKeys(t *testing.T) {
	a, b := publicKeys[0], publicKeys[1]
	for _, test := range []struct{ file, want string }{
		{a + " ana", "ana"},
		{"\uFEFF# team\r\n\r\n" + a + " ana\r\n" + b + " ben viewer", "ana, ben (viewer)"},
		{"\uFEFF" + a + " ana", "ana"},
		{a + " ana reviewer", "ana"},
		{`environment="VISTO_REVIEWER=Eva Ruiz" ` + a + " laptop of 2026", "Eva Ruiz"},
		{`environment="VISTO_ROLE=viewer" ` + a + " ana", "ana (viewer)"},
		{`environment="VISTO_ROLE=viewer" ` + a + " ana reviewer", `line 1: "reviewer" follows`},
		{`environment="VISTO_REVIEWER= Eva Ruiz " ` + a, "Eva Ruiz"},
		{certificate, "line 1: certificates are not supported"},
		{`restrict,pty,environment="VISTO_ROLE=viewer",no-X11-forwarding ` + a + " ana", "ana (viewer)"},
		{`environment="VISTO_REVIEWER=ana, the \"first\"" ` + a, `ana, the "first"`},
		{a, "line 1: the key has no name"},
		{a + " ana admin", `line 1: the role "admin" is not known`},
		{a + " ana viewer please", `line 1: "please" follows`},
		{`environment="VISTO_ROLE=owner" ` + a + " ana", `line 1: the role "owner" is not known`},
		{`environment="VISTO_ROLE=" ` + a + " ana", "line 1: VISTO_ROLE is empty"},
		{`environment="PATH=/tmp" ` + a + " ana", `line 1: the variable "PATH" is not known`},
		{"#\n" + `from="10.0.0.0/8" ` + a + " ana\n" + b + " ben", `ben, line 2: the option "from" is not known`},
		{`command="id" ` + a + " ana", `line 1: the option "command" is not known`},
		{`cert-authority ` + a + " ana", `line 1: the option "cert-authority" is not known`},
		{a + " ana\n" + a + " ben viewer", "ana, line 2: it is the key of line 1"},
		{"ssh-ed25519 AAAA ana\n" + a + " ben", "ben, line 1: this is no public key"},
		{a + " " + strings.Repeat("ñ", 100), strings.Repeat("ñ", 100)},
		{a + " " + strings.Repeat("a", 101), "line 1: the name has more than 100 characters"},
		{a + " ana\x00", `line 1: the name "ana\x00" has a character that nobody sees`},
		{a + " ana\u200b", `line 1: the name "ana\u200b" has a character that nobody sees`},
		{a + " ana\u2800", `line 1: the name "ana` + "\u2800" + `" has a character that nobody sees`},
		{"environment=\"VISTO_REVIEWER=Eva\x1b[2J\" " + a, `line 1: the name "Eva\x1b[2J" has a character`},
		{a + " an\xff", "line 1: the name is no UTF-8"},
		{a + "\u00a0ana", "line 1: this is no public key"},
		{a + " ana\r" + b + " ben\r", `line 1: "AAAA`},
		{`environment="VISTO_ROLE=viewer ` + a + " ana", "line 1: this is no public key"},
		{`environment=VISTO_ROLE=viewer ` + a + " ana", "ana (viewer)"},
		{`environment="VISTO_ROLE=viewer",environment="VISTO_ROLE=reviewer" ` + a + " ana",
			"line 1: VISTO_ROLE is there twice"},
		{`environment="VISTO_REVIEWER=ana",environment="VISTO_REVIEWER=ben" ` + a, "line 1: VISTO_REVIEWER is there twice"},
		{`environment ` + a + " ana", `line 1: the variable "" is not known`},
		{"-----BEGIN OPENSSH PRIVATE KEY-----", "line 1: this is no public key"},
		{"", ""},
	} {
		people, refused, err := serve.ParseKeys(strings.NewReader(test.file))
		if err != nil {
			t.Errorf("%q: %v", test.file, err)
		}
		var got []string
		for _, p := range people {
			name := p.Name
			if p.Viewer {
				name += " (viewer)"
			}
			got = append(got, name)
		}
		for _, r := range refused {
			got = append(got, r.Error())
		}
		if text := strings.Join(got, ", "); text != test.want && !(refused != nil && strings.HasPrefix(text, test.want)) {
			t.Errorf("%q:\n got %s\nwant %s", test.file, text, test.want)
		}
	}
}

// A refusal is a short line of the log, whatever the line of the file is.
func TestParseKeysOfLongLines(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, file := range []string{publicKeys[0] + " " + long, publicKeys[0] + " ana " + long,
		publicKeys[0] + " ana viewer " + long, long + " " + publicKeys[0] + " ana",
		`environment="` + long + `=1" ` + publicKeys[0] + " ana", `environment="VISTO_ROLE=` + long + `" ` + publicKeys[0]} {
		_, refused, err := serve.ParseKeys(strings.NewReader(file))
		if err != nil || len(refused) != 1 || len(refused[0].Error()) > 200 {
			t.Errorf("%.100s…: %.300v, %v", file, refused, err)
		}
	}
}

// A file that is no list of keys is not read whole.
func TestParseKeysOfAnySize(t *testing.T) {
	line := publicKeys[0] + " ana"
	most := strings.Repeat(" ", 1<<20-len(line)) + line
	if people, _, err := serve.ParseKeys(strings.NewReader(most)); err != nil || len(people) != 1 {
		t.Errorf("%d people, %v", len(people), err)
	}
	if people, _, err := serve.ParseKeys(strings.NewReader(" " + most)); err == nil || len(people) > 0 {
		t.Errorf("%d people, %v", len(people), err)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "%s p%d\n", publicKeys[0], i)
	}
	if people, refused, err := serve.ParseKeys(strings.NewReader(many.String())); err != nil || len(people) != 1 ||
		len(refused) != 999 {
		t.Errorf("%d people, %d refused, %v", len(people), len(refused), err)
	}
}
