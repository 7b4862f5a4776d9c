package serve_test

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"visto/ui/serve"
)

// rsaSigner is an RSA key of a length in bits that signs by an algorithm alone; "" is any.
func rsaSigner(t *testing.T, bits int, algorithm string) ssh.Signer {
	t.Helper()
	t.Setenv("GODEBUG", "rsa1024min=0")
	private, err := rsa.GenerateKey(rand.Reader, bits)
	must(t, err)
	s, err := ssh.NewSignerFromSigner(private)
	must(t, err)
	if algorithm != "" {
		s, err = ssh.NewSignerWithAlgorithms(s.(ssh.AlgorithmSigner), []string{algorithm})
		must(t, err)
	}
	return s
}

// A server speaks nothing with SHA-1, whatever a client would take.
func TestNoSHA1(t *testing.T) {
	h := newHouse(t, serve.DefaultLimits)
	old, new := rsaSigner(t, 2048, ssh.KeyAlgoRSA), rsaSigner(t, 2048, ssh.KeyAlgoRSASHA256)
	h.people = append(h.people, serve.Person{Name: "old", Key: old.PublicKey()},
		serve.Person{Name: "new", Key: new.PublicKey()})
	dial := func(key ssh.Signer, c ssh.Config) error {
		client, err := ssh.Dial("tcp", h.address, &ssh.ClientConfig{Config: c, User: "x",
			Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		if err == nil {
			err = client.Close()
		}
		return err
	}
	must(t, dial(new, ssh.Config{}))
	for name, err := range map[string]error{
		"key exchange": dial(h.ana, ssh.Config{KeyExchanges: []string{ssh.InsecureKeyExchangeDH14SHA1}}),
		"MAC": dial(h.ana, ssh.Config{Ciphers: []string{ssh.CipherAES128CTR},
			MACs: []string{ssh.HMACSHA1, ssh.InsecureHMACSHA196}}),
		"signature": dial(old, ssh.Config{}),
	} {
		if err == nil {
			t.Errorf("a %s with SHA-1 is taken", name)
		}
	}
}

// A server with an RSA key signs with SHA-2.
func TestAnRSAHostKeySignsWithoutSHA1(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	h := newHouseWith(t, serve.DefaultLimits, pemOf(t, private))
	for algorithm, want := range map[string]bool{ssh.KeyAlgoRSA: false, ssh.KeyAlgoRSASHA256: true} {
		client, err := ssh.Dial("tcp", h.address, &ssh.ClientConfig{User: "x", HostKeyAlgorithms: []string{algorithm},
			Auth: []ssh.AuthMethod{ssh.PublicKeys(h.ana)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		if (err == nil) != want {
			t.Errorf("%s: %v", algorithm, err)
		}
		if err == nil {
			must(t, client.Close())
		}
	}
}

// Short RSA keys are refused, of persons and of the server.
func TestShortRSAKeys(t *testing.T) {
	short := rsaSigner(t, 1024, "")
	line := string(ssh.MarshalAuthorizedKey(short.PublicKey()))
	people, refused, err := serve.ParseKeys(strings.NewReader(strings.TrimSpace(line) + " ana\n"))
	if len(people) > 0 || len(refused) != 1 || !strings.Contains(refused[0].Error(), "1024 bits is too short") {
		t.Error(people, refused, err)
	}
	private, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	_, err = serve.New(serve.Config{HostKey: pemOf(t, private), Log: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "1024 bits is too short") {
		t.Error(err)
	}
}

// A file that others could replace is refused, at whichever folder, and however it is named.
func TestCheckOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes tell nothing of others there")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	below := filepath.Join(top, "a", "b")
	must(t, os.MkdirAll(below, 0o755))
	file, link := filepath.Join(below, "keys"), filepath.Join(top, "link")
	must(t, os.WriteFile(file, nil, 0o644))
	must(t, os.Symlink(file, link))
	for _, path := range []string{file, link, filepath.Join(below, "none")} {
		must(t, serve.CheckOwners(path))
	}
	for _, place := range []string{file, below, filepath.Dir(below)} {
		info, err := os.Stat(place)
		must(t, err)
		for _, mode := range []os.FileMode{0o020, 0o002} {
			must(t, os.Chmod(place, info.Mode()|mode))
			for _, path := range []string{file, link} {
				if err := serve.CheckOwners(path); err == nil || !strings.HasSuffix(err.Error(), "chmod go-w "+place) {
					t.Errorf("%s with mode %o above %s: %v", place, mode, path, err)
				}
			}
		}
		must(t, os.Chmod(place, info.Mode()|0o022|os.ModeSticky))
		if err := serve.CheckOwners(file); (err == nil) != info.IsDir() {
			t.Errorf("%s with the sticky bit: %v", place, err)
		}
		must(t, os.Chmod(place, info.Mode()))
		if os.Geteuid() != 0 {
			continue
		}
		must(t, os.Chown(place, 12345, -1))
		if err := serve.CheckOwners(file); err == nil || !strings.Contains(err.Error(), place+" belongs to user 12345") {
			t.Errorf("%s of another user: %v", place, err)
		}
		must(t, os.Chown(place, 0, -1))
	}
}

// Each link on the way to a file is as good as the file: others may neither own one nor replace it.
func TestCheckOwnersOfLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes tell nothing of others there")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	good, open := filepath.Join(top, "good"), filepath.Join(top, "open")
	must(t, os.Mkdir(good, 0o700))
	must(t, os.Mkdir(open, 0o700))
	file := filepath.Join(good, "keys")
	must(t, os.WriteFile(file, nil, 0o600))
	link := func(target string, at ...string) string {
		path := filepath.Join(append([]string{top}, at...)...)
		must(t, os.Symlink(target, path))
		return path
	}
	link("../good/keys", "open", "middle")
	link(good, "open", "folder")
	ways := []string{link("open/middle", "to-a-link"), link("open/folder/keys", "through-a-folder"),
		link(filepath.Join(open, "none"), "to-nothing"), filepath.Join(link("open", "dir"), "folder", "keys")}
	for _, path := range ways {
		must(t, serve.CheckOwners(path))
	}
	must(t, os.Chmod(open, 0o777))
	for _, path := range ways {
		if err := serve.CheckOwners(path); err == nil || !strings.HasSuffix(err.Error(), "chmod go-w "+open) {
			t.Errorf("%s, by way of a folder that others may write: %v", path, err)
		}
	}
	must(t, serve.CheckOwners(file))
	round := link("round", "round")
	if err := serve.CheckOwners(round); err == nil || !strings.Contains(err.Error(), "too many links") {
		t.Errorf("a link to itself: %v", err)
	}
	if os.Geteuid() == 0 {
		theirs := link(file, "theirs")
		must(t, os.Lchown(theirs, 12345, -1))
		if err := serve.CheckOwners(theirs); err == nil || !strings.Contains(err.Error(), theirs+" belongs to") {
			t.Errorf("a link of another user: %v", err)
		}
	}
}

// A host key is not even made where others could replace it.
func TestAHostKeyInAnOpenFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes tell nothing of others there")
	}
	open := filepath.Join(t.TempDir(), "open")
	must(t, os.Mkdir(open, 0o700))
	must(t, os.Chmod(open, 0o777))
	key := filepath.Join(open, "host_key")
	_, err := serve.New(serve.Config{HostKey: key, Log: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "chmod go-w "+open) {
		t.Error(err)
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("the key is made")
	}
}

// Connections that come to nothing have one line, and then sums.
func TestRefusalsAreSummed(t *testing.T) {
	limits := serve.DefaultLimits
	limits.Strangers = 1
	h := newHouse(t, limits)
	for range 40 {
		conn, err := net.Dial("tcp", h.address)
		must(t, err)
		defer conn.Close()
		_, err = fmt.Fprint(conn, "GET / HTTP/1.0\r\n\r\n")
		must(t, err)
		_, _ = conn.Read(make([]byte, 1))
	}
	must(t, h.stop())
	log := h.log.String()
	if n := strings.Count(log, "refused"); n < 2 || n > 3 {
		t.Errorf("%d lines of 40 connections:\n%s", n, log)
	}
	if !strings.Contains(log, `msg="refused more" connections=`) {
		t.Error(log)
	}
}
