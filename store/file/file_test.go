package file_test

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"visto/store/file"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// Write replaces a file whole and keeps its mode, or changes nothing.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must(t, file.Write(t.Context(), path, text("one")))
	must(t, os.Chmod(path, 0o640))
	broken := errors.New("broken")
	err := file.Write(t.Context(), path, func(w io.Writer) error { return errors.Join(text("half")(w), broken) })
	if got, _ := os.ReadFile(path); !errors.Is(err, broken) || string(got) != "one" {
		t.Errorf("after an error: %q, %v", got, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(path, link))
	must(t, file.Write(t.Context(), link, text("two")))
	info, err := os.Stat(path)
	must(t, err)
	if got, _ := os.ReadFile(path); string(got) != "two" || info.Mode().Perm() != 0o640 {
		t.Errorf("through a link: %q, %v", got, info.Mode())
	}
	if err := file.Write(t.Context(), dir, text("x")); err == nil || err.Error() != "it is a directory" {
		t.Errorf("a directory: %v", err)
	}
	if err := file.Write(t.Context(), filepath.Join(dir, "no", "b"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	must(t, file.Write(t.Context(), os.DevNull, text("x")))
	if list := names(t, dir); !slices.Equal(list, []string{"a"}) {
		t.Errorf("there are %v", list)
	}
}

// Publish does not replace a file.
func TestPublish(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, want := range []error{nil, fs.ErrExist} {
		d, err := file.NewDraft(path)
		must(t, err)
		must(t, os.WriteFile(d.Path, []byte("x"), 0o600))
		if err := d.Publish(); !errors.Is(err, want) {
			t.Errorf("published: %v, want %v", err, want)
		}
		must(t, d.Close())
	}
	if list := names(t, dir); !slices.Equal(list, []string{"a"}) {
		t.Errorf("there are %v", list)
	}
}

// NewFolder removes the folder of a killed program, but not that of a running one, nor a file or a link of such a name.
func TestLeftBehind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked")
	}
	dir := filepath.Join(t.TempDir(), "a[b]*") // must not be read as a pattern
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".visto-tmp-file"), nil, 0o600))
	must(t, os.Symlink(dir, filepath.Join(dir, ".visto-tmp-link")))
	killed, alive := at(t, dir), at(t, dir)
	must(t, killed.cmd.Process.Kill())
	killed.cmd.Wait()
	if _, err := os.Stat(killed.path); err != nil {
		t.Fatal(err)
	}
	must(t, file.Write(t.Context(), filepath.Join(dir, "x"), text("x")))
	if _, err := os.Stat(killed.path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of a killed program is still there: %v", err)
	}
	want := []string{filepath.Base(alive.path), ".visto-tmp-file", ".visto-tmp-link", "x"}
	slices.Sort(want)
	if list := names(t, dir); !slices.Equal(list, want) {
		t.Errorf("there are %v, want %v", list, want)
	}
}

// maker is a process that holds a folder.
type maker struct {
	cmd  *exec.Cmd
	path string
}

// at starts a process that holds a folder in dir until the test ends.
func at(t *testing.T, dir string) maker {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestMaker$")
	cmd.Env = append(os.Environ(), "VISTO_MAKER="+dir)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	output := bufio.NewScanner(stdout)
	output.Scan()
	return maker{cmd, output.Text()}
}

// TestMaker is the process that at starts; it is skipped otherwise.
func TestMaker(t *testing.T) {
	dir := os.Getenv("VISTO_MAKER")
	if dir == "" {
		t.Skip("run by TestLeftBehind")
	}
	f, err := file.NewFolder(dir)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(f.Path, "half"), nil, 0o600))
	os.Stdout.WriteString(f.Path + "\n")
	io.Copy(io.Discard, os.Stdin)
	must(t, f.Close())
}

// Concurrent writers in one folder do not remove each other's drafts.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 20 {
				if err := file.Write(t.Context(), filepath.Join(dir, string(rune('a'+i))), text("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if list := names(t, dir); len(list) != 8 {
		t.Errorf("there are %v", list)
	}
}

// Same knows a file by any of its names, and one that is not there by its place.
func TestSame(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	a, b, folder := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(other, "folder")
	must(t, os.WriteFile(a, nil, 0o600))
	must(t, os.WriteFile(b, nil, 0o600))
	must(t, os.Symlink(a, filepath.Join(other, "link")))
	must(t, os.Link(a, filepath.Join(other, "hard")))
	must(t, os.Symlink(dir, folder))
	t.Chdir(dir)
	for name, same := range map[string]bool{"a": true, "./a": true, "../" + filepath.Base(dir) + "/a": true,
		filepath.Join(other, "link"): true, filepath.Join(other, "hard"): true, filepath.Join(folder, "a"): true,
		b: false, "c": false} {
		if file.Same(a, name) != same {
			t.Errorf("%s: %v", name, !same)
		}
	}
	for name, same := range map[string]bool{
		"a-wal": true, filepath.Join(folder, "a-wal"): true, a: false, "b-wal": false,
		filepath.Join(other, "a-wal"): false, "nowhere/a-wal": false} {
		if file.Same(a+"-wal", name) != same {
			t.Errorf("%s, not there: %v", name, !same)
		}
	}
}
