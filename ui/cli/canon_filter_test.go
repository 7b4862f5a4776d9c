package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"visto/canon"
	"visto/ui/cli"
)

// filter is visto canon as a process of its own between two pipes.
type filter struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	pipe   io.ReadCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func startFilter(t *testing.T, args ...string) *filter {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := &filter{t: t, cmd: exec.CommandContext(t.Context(), exe, append([]string{"canon"}, args...)...)}
	f.cmd.Args[0] = "visto" // TestMain makes it the program
	f.cmd.Env = newProgram(t).env
	f.cmd.Stderr = &f.stderr
	if f.in, err = f.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if f.pipe, err = f.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	f.out = bufio.NewReader(f.pipe)
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return f
}

// exchange writes a line and waits for the answer to it.
func (f *filter) exchange(line string) string {
	f.t.Helper()
	if _, err := io.WriteString(f.in, line+"\n"); err != nil {
		f.t.Fatal(err)
	}
	return f.answer()
}

func (f *filter) answer() string {
	f.t.Helper()
	answer, err := f.out.ReadString('\n')
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.TrimSuffix(answer, "\n")
}

// end closes the input and waits for the process, which must print nothing more and end well.
func (f *filter) end() {
	f.t.Helper()
	f.in.Close()
	if rest, err := io.ReadAll(f.out); err != nil || len(rest) > 0 {
		f.t.Errorf("at the end came %q, %v", rest, err)
	}
	if err := f.cmd.Wait(); err != nil {
		f.t.Errorf("%v\n%s", err, f.stderr.String())
	}
}

// TestCanonAnswersEachLine waits for each answer before it writes the next line.
func TestCanonAnswersEachLine(t *testing.T) {
	for _, args := range [][]string{nil, {"--line-buffered"}, {"--escaped"}} {
		f := startFilter(t, args...)
		for i := range 300 {
			want := fmt.Sprintf("https://www.boe.es/a/b/%d", i)
			if got := f.exchange(fmt.Sprintf("http://www.boe.es/a/b/%d/", i)); got != want {
				t.Fatalf("%v: %q, want %q", args, got, want)
			}
			if got := f.exchange("mailto:x@boe.es"); got != "" {
				t.Fatalf("%v: a rejected line gives %q", args, got)
			}
		}
		f.end()
	}
}

// TestCanonInAPool acts as ClickHouse with a program of an executable_pool: it writes blocks of rows in TabSeparated,
// one after another, to one process, which must answer each with as many rows.
func TestCanonInAPool(t *testing.T) {
	values := []string{
		"http://www.boe.es/a/b/c/", "", `https:\\www.boe.es\a\b\c`, "https://www.boe.es/a/b\n/c",
		"https://www.boe.es/a\t/b/c\r",
		"https://www.boe.es/a/b/'c'", "mailto:x", "https://www.boe.es/a/b/c?x=\\n", "\x00https://www.boe.es/a/b/c\b",
		"https://www.boe.es/tr\xe1mite/b/c",
	}
	toRow := strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "'", `\'`, "\x00", `\0`, "\b", `\b`)
	fromRow := strings.NewReplacer(`\\`, "\\", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\'`, "'")
	one := canon.New(clara(t), nil)
	f := startFilter(t, "--escaped", "--quiet", "--lenient")
	for block := range 20 {
		go func() {
			for i := range 500 * len(values) {
				fmt.Fprintln(f.in, toRow.Replace(values[i%len(values)]))
			}
		}()
		for i := range 500 * len(values) {
			value := values[i%len(values)]
			if got, want := fromRow.Replace(f.answer()), one.Canonicalize(value, nil).Canonical; got != want {
				t.Fatalf("block %d: %q gives %q, want %q", block, value, got, want)
			}
		}
	}
	if got := f.exchange(`\N`); got != `\N` {
		t.Errorf(`\N gives %q`, got)
	}
	f.end()
	if f.stderr.Len() > 0 {
		t.Errorf("stderr is not quiet: %s", f.stderr.String())
	}
}

func clara(t testing.TB) *canon.Policy {
	t.Helper()
	policy, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// TestCanonEscapesWholeRecords checks that records with line breaks and backslashes of their own take one line each.
func TestCanonEscapesWholeRecords(t *testing.T) {
	const in = `https://www.boe.es/a\\b\tc` + "\n" + `mailto:"\\"` + "\n" + `\N` + "\n"
	for _, form := range []string{"--json", "--explain"} {
		out, _ := newProgram(t).run(0, strings.NewReader(in), "canon", "--escaped", form)
		got := lines(out)
		if len(got) != 3 || got[2] != `\N` || strings.Contains(strings.ReplaceAll(got[0], `\\`, ""), `\"`) {
			t.Errorf("%s: %q", form, got)
		}
	}
}

// TestLineBuffered checks that every write is one line, so that several processes can write to one pipe.
func TestLineBuffered(t *testing.T) {
	in := &generated{line: canonicalLine, n: 3000}
	writes := 0
	out := writerFunc(func(p []byte) (int, error) {
		writes++
		if bytes.Count(p, []byte{'\n'}) != 1 || p[len(p)-1] != '\n' {
			t.Errorf("one write of %q", p)
		}
		return len(p), nil
	})
	status := cli.Run([]string{"canon", "--line-buffered"}, in, out, io.Discard, nil)
	if status != 0 || writes != 3000 {
		t.Errorf("exit status %d, %d writes of 3000 lines", status, writes)
	}
}

// TestCanonOfAnyBytes feeds lines of every byte: each has its line in the output, without any harmful byte.
func TestCanonOfAnyBytes(t *testing.T) {
	var in bytes.Buffer
	one, want := canon.New(clara(t), nil), ""
	for i := range 256 {
		for _, pattern := range []string{
			"%c", "https://www.boe.es/a/b/%cc?x=%c", "https://a%c.es/a/b/c", "%chttps://www.boe.es/a/b/c%c",
		} {
			line := strings.ReplaceAll(pattern, "%c", string([]byte{byte(i)}))
			in.WriteString(line + "\n")
			for part := range strings.SplitSeq(line, "\n") {
				want += one.Canonicalize(part, nil).Canonical + "\n"
			}
		}
	}
	out, _ := newProgram(t).run(3, &in, "canon", "--quiet")
	if out != want {
		t.Error("the lines came out otherwise than one by one")
	}
	for i := range len(out) {
		if c := out[i]; c != '\n' && (c <= ' ' || c >= 0x7f) {
			t.Fatalf("the output holds the byte %#x", c)
		}
	}
}

// TestCanonEndsWithItsReader closes the output while the input goes on: the program must end by SIGPIPE, as filters do.
func TestCanonEndsWithItsReader(t *testing.T) {
	f := startFilter(t)
	f.exchange("https://www.boe.es/a/b/c")
	err := f.pipe.Close()
	for err == nil {
		_, err = io.WriteString(f.in, canonicalLine(0)+"\n")
	}
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the input ended with %v", err)
	}
	var exit *exec.ExitError
	err = f.cmd.Wait()
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || f.stderr.Len() > 0 {
		t.Errorf("it ended with %v\n%s", err, f.stderr.String())
	}
}

// TestCanonStatus checks the exit status for each failure, and that lines read before it are in the output.
func TestCanonStatus(t *testing.T) {
	line := strings.NewReader("https://www.boe.es/1/2/3\n")
	fails := func(err error) io.Writer { return writerFunc(func([]byte) (int, error) { return 0, err }) }
	for _, test := range []struct {
		name   string
		in     io.Reader
		out    io.Writer
		status int
		stderr string
	}{
		{"rejected lines are results", strings.NewReader("mailto:x\n"), io.Discard, 0, "line 1: unsupported-scheme: "},
		{"a line is no URL", strings.NewReader("mailto:x\n\x00\na.es\n"), io.Discard, 3,
			"line 1: unsupported-scheme: "},
		{"nothing", strings.NewReader(""), io.Discard, 0, ""},
		{"the input breaks", io.MultiReader(line, &broke{}), nil, 1, "visto: reading stdin: it broke"},
		{"the output breaks", strings.NewReader("a.es\n"), fails(syscall.ENOSPC), 1, "visto: no space left on device"},
		{"nobody reads", strings.NewReader("a.es\n"), fails(syscall.EPIPE), 0, ""},
	} {
		var out, stderr bytes.Buffer
		if test.out == nil {
			test.out = &out
		}
		if got := cli.Run([]string{"canon"}, test.in, test.out, &stderr, nil); got != test.status {
			t.Errorf("%s: exit status %d, want %d", test.name, got, test.status)
		}
		if !strings.HasPrefix(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%s: %q", test.name, stderr.String())
		}
		if test.out == &out && out.String() != "https://www.boe.es/1/2/3\n" {
			t.Errorf("%s: %q", test.name, out.String())
		}
	}
}

type broke struct{}

func (*broke) Read([]byte) (int, error) { return 0, errors.New("it broke") }

// TestInterruptStopsAFilter interrupts a filter that waits for input.
func TestInterruptStopsAFilter(t *testing.T) {
	f := startFilter(t)
	f.exchange("https://www.boe.es/a/b/c")
	if err := f.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	f.cmd.Wait()
	if f.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(f.stderr.String(), "interrupted") {
		t.Errorf("exit status %d\n%s", f.cmd.ProcessState.ExitCode(), f.stderr.String())
	}
}

// TestCanonCostsLittlePerLine compares the allocations of the stream with those of the engine alone.
func TestCanonCostsLittlePerLine(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory")
	}
	const n = 50_000
	text, err := io.ReadAll(&generated{line: canonicalLine, n: n})
	if err != nil {
		t.Fatal(err)
	}
	allocations := testing.AllocsPerRun(1, func() {
		cli.Run([]string{"canon"}, bytes.NewReader(text), io.Discard, io.Discard, nil)
	})
	startUp := testing.AllocsPerRun(1, func() {
		cli.Run([]string{"canon"}, strings.NewReader(""), io.Discard, io.Discard, nil)
	})
	if each := (allocations - startUp) / n; each > 0.1 {
		t.Errorf("%.2f allocations for each line that is canonical already", each)
	}
}
