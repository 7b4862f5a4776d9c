package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"

	"visto/ui/term"
)

// Person is a reviewer whose key is listed.
type Person struct {
	Name   string
	Viewer bool // may read only
	Key    ssh.PublicKey
}

// maxName is the most characters of a name. It stands in each line of the log and in the status line.
const maxName = 100

// LineError says why a line of a file of keys counts for nothing.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// maxKeys is the largest size of a file of keys in bytes.
const maxKeys = 1 << 20

// ParseKeys reads public keys as sshd(8) has them in authorized_keys: options, key and comment, one a line. The name of
// the person is the comment's first word, and its second one may be the role; or the options say them:
//
//	ssh-ed25519 AAAA… ana
//	ssh-ed25519 AAAA… ben viewer
//	environment="VISTO_REVIEWER=Eva Ruiz",environment="VISTO_ROLE=viewer" ssh-ed25519 AAAA… laptop of 2026
//
// A role is reviewer, the default, or viewer. A line that says anything else is refused, the others count: options that
// it does not know could limit a key. refused are its *LineErrors; err is a failure to read.
func ParseKeys(r io.Reader) (people []Person, refused []error, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxKeys+1))
	if err != nil {
		return nil, nil, fmt.Errorf("reading the keys: %w", err)
	}
	if len(text) > maxKeys {
		return nil, nil, fmt.Errorf("reading the keys: the file has more than %d bytes", maxKeys)
	}
	known := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	lines.Buffer(nil, maxKeys+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parseKey(line)
		if err == nil && known[string(p.Key.Marshal())] > 0 {
			err = fmt.Errorf("it is the key of line %d", known[string(p.Key.Marshal())])
		}
		if err != nil {
			refused = append(refused, &LineError{n, err})
			continue
		}
		known[string(p.Key.Marshal())] = n
		people = append(people, p)
	}
	return people, refused, lines.Err()
}

func parseKey(line string) (p Person, err error) {
	key, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return p, errors.New("this is no public key in OpenSSH's form")
	}
	if _, isCertificate := key.(*ssh.Certificate); isCertificate {
		return p, errors.New("certificates are not supported: list the key itself")
	}
	if err := checkKey(key); err != nil {
		return p, err
	}
	p.Key = key
	role := ""
	for _, option := range options {
		if err := p.apply(option, &role); err != nil {
			return p, err
		}
	}
	if p.Name == "" {
		words := strings.Fields(comment)
		if len(words) > 0 {
			p.Name, words = words[0], words[1:]
		}
		if role == "" && len(words) > 0 {
			role, words = words[0], words[1:]
		}
		if len(words) > 0 {
			return p, fmt.Errorf("%.40q follows the name and the role in the comment", words[0])
		}
	}
	if p.Viewer, err = isViewer(role); err != nil {
		return p, err
	}
	return p, checkName(p.Name)
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the key has no name: put it behind the key, or into environment=\"VISTO_REVIEWER=NAME\"")
	case !utf8.ValidString(name):
		return errors.New("the name is no UTF-8")
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("the name has more than %d characters", maxName)
	case strings.ContainsFunc(name, isHidden):
		return fmt.Errorf("the name %q has a character that nobody sees", name)
	}
	return nil
}

// isHidden reports whether a terminal shows nothing in the place of a character: two names that look alike could be
// different persons.
func isHidden(r rune) bool { return r != ' ' && (unicode.IsSpace(r) || !term.Visible(r)) }

// harmless are options that forbid things which no session may do anyway.
var harmless = []string{"restrict", "pty", "no-agent-forwarding", "no-port-forwarding", "no-user-rc",
	"no-x11-forwarding"}

// apply applies an option of a line.
func (p *Person) apply(option string, role *string) error {
	name, value, _ := strings.Cut(option, "=")
	name = strings.ToLower(name)
	if slices.Contains(harmless, name) {
		return nil
	}
	if name != "environment" {
		return fmt.Errorf("the option %.40q is not known here", name)
	}
	value = strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
	variable, value, _ := strings.Cut(strings.ReplaceAll(value, `\"`, `"`), "=")
	switch {
	case variable == "VISTO_REVIEWER" && p.Name == "":
		p.Name = strings.TrimSpace(value)
	case variable == "VISTO_ROLE" && *role == "":
		if *role = value; value == "" {
			return errors.New("VISTO_ROLE is empty: it is reviewer or viewer")
		}
	case variable == "VISTO_REVIEWER", variable == "VISTO_ROLE":
		return fmt.Errorf("%s is there twice", variable)
	default:
		return fmt.Errorf("the variable %.40q is not known here: VISTO_REVIEWER and VISTO_ROLE are", variable)
	}
	return nil
}

func isViewer(role string) (bool, error) {
	switch role {
	case "viewer":
		return true, nil
	case "reviewer", "":
		return false, nil
	}
	return false, fmt.Errorf("the role %.40q is not known: it is reviewer or viewer", role)
}
