package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	"weak"

	"visto/canon"
	"visto/ui/cli"
)

// generated is an input that is made while it is read. It counts the bytes read.
type generated struct {
	line func(i int) string
	n    int // lines in all
	i    int
	rest string
	read atomic.Int64
}

func (g *generated) Read(p []byte) (int, error) {
	var done int
	for done < len(p) {
		if g.rest == "" {
			if g.i == g.n {
				break
			}
			g.rest = g.line(g.i) + "\n"
			g.i++
		}
		n := copy(p[done:], g.rest)
		done, g.rest = done+n, g.rest[n:]
	}
	g.read.Add(int64(done))
	if done == 0 {
		return 0, io.EOF
	}
	return done, nil
}

func canonicalLine(i int) string {
	return fmt.Sprintf("https://www.boe.es/buscar/act.php?id=BOE-A-2023-%08d", i)
}

// TestCanonHoldsNothing checks, at every write, the lead of the reading over the writing: a bounded number of bytes,
// for an input of any length.
func TestCanonHoldsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory")
	}
	const n, most = 600_000, 12 << 20
	in := &generated{line: canonicalLine, n: n}
	var written, ahead int64
	var lineCount int
	out := writerFunc(func(p []byte) (int, error) {
		ahead = max(ahead, in.read.Load()-written)
		written += int64(len(p))
		lineCount += bytes.Count(p, []byte{'\n'})
		return len(p), nil
	})
	if status := cli.Run([]string{"canon"}, in, out, io.Discard, nil); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	if lineCount != n || written != in.read.Load() {
		t.Errorf("%d lines, %d bytes out; %d lines, %d bytes in", lineCount, written, n, in.read.Load())
	}
	if ahead > most {
		t.Errorf("the reading was %d bytes ahead of the writing, of %d in all", ahead, written)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestCanonKeepsOrder feeds lines that cost very different time, and compares with the work of one goroutine.
func TestCanonKeepsOrder(t *testing.T) {
	var in, want strings.Builder
	one := canon.New(clara(t), nil)
	for i := range 30_000 {
		line := canonicalLine(i) + strings.Repeat("&utm_source=x", i%60)
		if i%7 == 0 {
			line = ""
		}
		in.WriteString(line + "\n")
		want.WriteString(one.Canonicalize(line, nil).Canonical + "\n")
	}
	var out bytes.Buffer
	status := cli.Run([]string{"canon", "--lenient"}, strings.NewReader(in.String()), &out, io.Discard, nil)
	if status != 0 {
		t.Fatalf("exit status %d", status)
	}
	if out.String() != want.String() {
		t.Error("the lines came out otherwise than one by one")
	}
}

// TestCanonOfAThinPipe feeds an input a byte at a time, without a newline at its end.
func TestCanonOfAThinPipe(t *testing.T) {
	in := iotest.OneByteReader(strings.NewReader("\ufeffhttps://www.boe.es/1/2/3\r\n\nhttps://www.boe.es/4/5/6"))
	var out bytes.Buffer
	if status := cli.Run([]string{"canon", "--lenient"}, in, &out, io.Discard, nil); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	if want := "https://www.boe.es/1/2/3\n\nhttps://www.boe.es/4/5/6\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestCanonOfALongLine feeds a line of 100 MB, and one after it; less than a tenth of that may be allocated.
func TestCanonOfALongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory")
	}
	in := io.MultiReader(&filler{100 << 20}, strings.NewReader("\nhttps://www.boe.es/1/2/3"))
	var out, reasons bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status := cli.Run([]string{"canon", "--lenient"}, in, &out, &reasons, nil)
	runtime.ReadMemStats(&after)
	if status != 0 || out.String() != "\nhttps://www.boe.es/1/2/3\n" {
		t.Errorf("exit status %d, %q", status, out.String())
	}
	if want := fmt.Sprintf("line 1: too-long: a line of %d bytes\n", 100<<20); reasons.String() != want {
		t.Errorf("reason %q, want %q", reasons.String(), want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 10<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// filler is n bytes without a line's end.
type filler struct{ n int }

func (f *filler) Read(p []byte) (int, error) {
	if f.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), f.n)]
	for i := range p {
		p[i] = 'a'
	}
	f.n -= len(p)
	return len(p), nil
}

// TestAddHoldsNothing adds from long inputs, much of which is skipped, and compares the live heap after a quarter of
// them with that at their end.
func TestAddHoldsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory")
	}
	// Three quarters of the lines are 24 MB. The lead of the reader over the store, up to 12 MB, varies.
	const n, most = 40_000, 18 << 20
	long := strings.Repeat("largo-", 130)
	for format, line := range map[string]func(i int) string{
		"text": func(i int) string { return fmt.Sprintf("https://www.boe.es/%s/%d", long, i%(n/20)) },
		"csv": func(i int) string {
			if i == 0 {
				return "url,title"
			}
			if i%20 > 0 {
				return long + ",one cell too many,"
			}
			return canonicalLine(i) + "," + long
		},
		"jsonl": func(i int) string {
			if i%20 > 0 {
				return `{"url":` + long
			}
			return fmt.Sprintf(`{"url":%q,"text":%q}`, canonicalLine(i), long)
		},
	} {
		var early, late uint64
		in := &generated{n: n, line: func(i int) string {
			switch i {
			case n / 4:
				early = held()
			case n - 1:
				late = held()
			}
			return line(i)
		}}
		p := newProgram(t)
		cli.Run([]string{"add", "--format", format, "-"}, in, io.Discard, io.Discard, p.env)
		if grown := int64(late) - int64(early); grown > most {
			t.Errorf("%s: %d bytes more are held at the end of %d than a quarter into them",
				format, grown, in.read.Load())
		}
		if got := stored(p); got != n/20 && got != n/20-1 { // a table has a header
			t.Errorf("%s: %d stored", format, got)
		}
	}
}

// TestRunHoldsNothing runs a command: nothing that is global keeps its commands, and with them its input and output.
func TestRunHoldsNothing(t *testing.T) {
	in := &filler{}
	held := weak.Make(in)
	if status := cli.Run([]string{"version"}, in, io.Discard, io.Discard, nil); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	for range 100 {
		if runtime.GC(); held.Value() == nil {
			return
		}
	}
	t.Error("the input of a command is held after its end")
}

// held returns the bytes that the program holds once the store is done with the lines read so far, while the reader
// waits: the least, when it has not fallen for some time.
func held() uint64 {
	least := uint64(math.MaxUint64)
	for since := 0; since < 10; since++ {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		if now.HeapAlloc < least-min(least, 1<<20) {
			least, since = now.HeapAlloc, 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	return least
}

// TestInterruptStopsAnAdd interrupts an import whose input never ends: earlier URLs are intact.
func TestInterruptStopsAnAdd(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "add", "-")
	cmd.Args[0] = "visto" // TestMain makes it the program
	cmd.Env = p.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range 1200 {
		fmt.Fprintln(stdin, canonicalLine(i))
	}
	for tries := 0; stored(p) < 500; tries++ { // until the first batch is in
		if tries == 2000 {
			t.Fatal("nothing is added")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit status %d\n%s", cmd.ProcessState.ExitCode(), stderr.String())
	}
	p.ok("check")
}

// stored counts the stored URLs; 0 while there is no database.
func stored(p *program) int {
	var out bytes.Buffer
	cli.Run([]string{"list", "--status", "all", "--ids"}, strings.NewReader(""), &out, io.Discard, p.env)
	return len(lines(out.String()))
}

// The two benchmarks compare visto canon with the engine alone, on the same lines.

const benchLines = 200_000

func BenchmarkCanonStream(b *testing.B) {
	in := generatedText()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		status := cli.Run([]string{"canon", "--lenient"}, strings.NewReader(in), io.Discard, io.Discard, nil)
		if status != 0 {
			b.Fatalf("exit status %d", status)
		}
	}
}

func BenchmarkEngineAlone(b *testing.B) {
	in := generatedText()
	b.SetBytes(int64(len(in)))
	engine := canon.New(clara(b), nil)
	for b.Loop() {
		for line := range strings.Lines(in) {
			engine.Canonicalize(line, nil)
		}
	}
}

func generatedText() string {
	text, _ := io.ReadAll(&generated{n: benchLines, line: func(i int) string {
		return fmt.Sprintf("http://Sede.SEPE.gob.es/portalSede/tramite/%d/detalle/?utm_source=x&id=%d&sid=a#top", i, i)
	}})
	return string(text)
}
