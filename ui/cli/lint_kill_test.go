//go:build linux

package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/canon/suite"
)

// TestKilledFix: "Kill during --fix of 1,000 files: every file is old or new, none half." The program is killed again
// and again, each time after some more files, and then ends the work.
func TestKilledFix(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see into the processes that are killed")
	}
	t.Parallel()
	const files = 1000
	kills := suite.Rounds(2, 5)
	visto, dir := linkVisto(t), t.TempDir()
	var names []string
	old := map[string]string{}
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("%04d%s", i, []string{".txt", ".csv", ".json", ".yaml"}[i%4]))
		old[name] = cited(i)
		write(t, name, old[name])
		names = append(names, name)
	}
	alive := 0
	for k := range kills {
		from := files * k / kills
		cmd, ended := fixing(t, visto, names[from:])
		for running := true; running && read(t, names[from]) == old[names[from]]; {
			select {
			case <-ended:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		if cmd.Process.Kill() == nil {
			alive++
		}
		<-ended
		checkFixed(t, names, old)
	}
	if alive == 0 {
		t.Error("no process was killed")
	}
	if _, ended := fixing(t, visto, names); <-ended != nil {
		t.Error("the last run failed")
	}
	if left := checkFixed(t, names, old); left > 0 {
		t.Errorf("%d files are as they were", left)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != files {
		t.Errorf("there are %d files, %v", len(entries), err)
	}
}

// cited is the content of file i, in the format of its name, of URLs that the policy accepts.
func cited(i int) string {
	form := []struct{ begin, line, end string }{
		{"", "URL\n", ""}, {"id,url\n", "1,URL\n", ""}, {"[\n", "  {\"id\": 1, \"url\": \"URL\"},\n", "  {}\n]\n"},
		{"", "- {id: 1, url: \"URL\"}\n", ""},
	}[i%4]
	text := form.begin
	for n := range 50 {
		url := fmt.Sprintf("http://www.boe.es/tramites/ayuda-numero-%d-%d", i, n)
		text += strings.Replace(form.line, "URL", url, 1)
	}
	return text + form.end
}

// fixing starts the program on the files. The channel has its error once it has ended.
func fixing(t *testing.T, visto string, names []string) (*exec.Cmd, <-chan error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), visto, append([]string{"lint", "--no-db", "--fix"}, names...)...)
	cmd.Env, cmd.Stderr = newProgram(t).env, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		close(ended)
	}()
	return cmd, ended
}

// checkFixed returns the number of files that are as they were. All others must be as they are meant to be.
func checkFixed(t *testing.T, names []string, old map[string]string) (left int) {
	t.Helper()
	for _, name := range names {
		switch read(t, name) {
		case old[name]:
			left++
		case strings.ReplaceAll(old[name], "http://", "https://"):
		default:
			t.Fatalf("%s is neither old nor new", name)
		}
	}
	return left
}
