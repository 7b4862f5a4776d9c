package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"visto/ui/cli"
)

// repository is a git repository whose files cite URLs, with the decisions on some of them.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	p := newProgram(t)
	r := &repository{t, t.TempDir(), nil}
	r.env = append(p.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=ana", "GIT_AUTHOR_EMAIL=ana@example.com",
		"GIT_COMMITTER_NAME=ana", "GIT_COMMITTER_EMAIL=ana@example.com",
		"PATH="+filepath.Dir(linkVisto(t))+":"+os.Getenv("PATH"))
	r.write("registry.yaml", "- {id: boe, portal_url: \"https://www.boe.es/\"}\n")
	if err := os.Mkdir(filepath.Join(r.dir, "tramites"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("tramites/año nuevo.json", `{"id": "x", "fuente_url": "https://www.boe.es/tramites/ayuda-de-alquiler"}`)
	p.ok("add", filepath.Join(r.dir, "registry.yaml"))
	p.ok("approve", "1")
	r.ok("git", "init", "-q")
	for _, line := range indentedBlock(t, "visto export") { // the commands of the topic
		r.ok("sh", "-c", line)
	}
	return r
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	write(r.t, filepath.Join(r.dir, name), text)
}

// run runs a command in the repository, and returns its output and whether it succeeded.
func (r *repository) run(env []string, command ...string) (string, bool) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = r.dir, append(r.env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (r *repository) ok(command ...string) {
	r.t.Helper()
	if out, ok := r.run(nil, command...); !ok {
		r.t.Fatalf("%q: %s", command, out)
	}
}

// indentedBlock returns the lines of the block of visto help ci that begins with a text.
func indentedBlock(t *testing.T, begin string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(newProgram(t).ok("help", "ci"), "\n\n  "+begin)
	block, _, end := strings.Cut("  "+begin+rest, "\n\n")
	if !ok || !end {
		t.Fatalf("visto help ci has no block %q", begin)
	}
	var list []string
	for _, line := range strings.Split(block, "\n") {
		list = append(list, strings.TrimPrefix(line, "  "))
	}
	return list
}

const wrong = `{"id": "x", "fuente_url": "http://www.boe.es/tramites/ayuda-de-alquiler"}`

// TestHook: the hook of visto help ci lets a commit pass whose staged files are in order, and no other.
func TestHook(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	r := newRepository(t)
	r.write(".git/hooks/pre-commit", strings.Join(indentedBlock(t, "#!/bin/sh"), "\n")+"\n")
	r.ok("chmod", "+x", ".git/hooks/pre-commit")
	r.ok("git", "add", ".")
	r.ok("git", "commit", "-q", "-m", "the files in order")

	const name = "tramites/año nuevo.json"
	r.write(name, wrong)
	r.ok("git", "add", name)
	r.write(name, "{}") // the file in the folder does not count
	out, ok := r.run(nil, "git", "commit", "-q", "-m", "wrong")
	const finding = ":1:27: x: fuente_url: http://www.boe.es/tramites/ayuda-de-alquiler should be"
	if ok || !strings.Contains(out, name+finding) {
		t.Errorf("a wrong URL was committed: %s", out)
	}
	r.write(name, wrong)
	r.ok("visto", "lint", "--fix", "--registry", "registry.jsonl", name)
	r.ok("git", "add", name)
	r.write("notes.txt", "http://www.boe.es/") // no file of the template
	r.ok("git", "add", "notes.txt")
	r.ok("git", "rm", "-q", "--cached", "registry.yaml")
	r.ok("git", "commit", "-q", "-m", "mended")
	r.ok("git", "commit", "-q", "--allow-empty", "-m", "empty")
}

// TestWorkflow: the steps of the workflow of visto help ci build visto and fail where something is not in order.
func TestWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	t.Parallel()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Uses, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(strings.Join(indentedBlock(t, "name: links"), "\n")), &workflow); err != nil {
		t.Fatal(err)
	}
	r := newRepository(t)
	r.ok("git", "add", ".")
	if err := os.Symlink(root, filepath.Join(r.dir, ".visto")); err != nil {
		t.Fatal(err)
	}
	// What the environment says of building holds here too, so that no package is compiled anew for this test. Nobody
	// debugs the program, and without the tables for that it is linked in half the time.
	temp := []string{"RUNNER_TEMP=" + t.TempDir(), "GOFLAGS=" + os.Getenv("GOFLAGS") + " -buildvcs=false -ldflags=-w",
		"GOPATH=" + goEnv(t, "GOPATH"),
		"GOCACHE=" + goEnv(t, "GOCACHE"), "PATH=" + os.Getenv("PATH")}
	steps := func() (out string, ok bool) {
		for _, s := range workflow.Jobs["lint"].Steps {
			if s.Run == "" {
				continue
			}
			if out, ok = r.run(temp, "bash", "-e", "-c", s.Run); !ok {
				break
			}
		}
		return out, ok
	}
	if out, ok := steps(); !ok || !strings.Contains(out, "2 files, 2 URLs, 0 findings; decisions of registry.jsonl") {
		t.Errorf("files in order: %s", out)
	}
	r.write("tramites/año nuevo.json", wrong)
	const annotation = "::error file=tramites/año nuevo.json,line=1,col=27,endColumn=73,"
	if out, ok := steps(); ok || !strings.Contains(out, annotation) {
		t.Errorf("a wrong URL: %s", out)
	}
}

// TestFramework: the entry of visto help ci for the framework pre-commit takes the files that it selects.
func TestFramework(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	var config struct {
		Repos []struct {
			Hooks []struct{ Files, Entry string }
		}
	}
	if err := yaml.Unmarshal([]byte(strings.Join(indentedBlock(t, "repos:"), "\n")), &config); err != nil {
		t.Fatal(err)
	}
	r, hook := newRepository(t), config.Repos[0].Hooks[0]
	files := regexp.MustCompile(hook.Files)
	if !files.MatchString("registry.yaml") || !files.MatchString("tramites/a b.json") ||
		files.MatchString("registry.jsonl") || files.MatchString("x/registry.yaml") {
		t.Errorf("files are %s", hook.Files)
	}
	command := hook.Entry + " registry.yaml tramites/*.json"
	r.ok("sh", "-c", command)
	r.write("tramites/más.json", wrong)
	if out, ok := r.run(nil, "sh", "-c", command); ok {
		t.Errorf("a wrong URL: %s", out)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	cmd := exec.Command("go", "env", name)
	cmd.Dir = root // the working folder may be that of a script, which ends and removes it
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestDiffNames: "--diff prints the unified diff", and git applies that of a file of any name.
func TestDiffNames(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{"a b.txt", "q\"\\.txt", "tab\t\x01ñ\x7f.txt"} {
		r.write(name, "http://www.boe.es/tramites/ayuda-de-alquiler\n")
		r.ok("sh", "-c", `visto lint --no-db --diff "$1" | git apply`, "sh", name)
		r.ok("sh", "-c", `grep -x https://www.boe.es/tramites/ayuda-de-alquiler "$1"`, "sh", name)
	}
}

// TestDiffInWorkflow: "What stands on a line of its own on stdout or stderr begins with no :: but our own". The runner
// skips white space before it, ends a line with a lone CR too, and takes "##[" anywhere. Elsewhere every byte stays.
func TestDiffInWorkflow(t *testing.T) {
	lines := "uno http://www.boe.es/a/b/ficha-1/\r\n\t::warning::a\n\u2003::error::b\nx ##[error]c\nd\r::debug::e\n" +
		"\x1b[31mf http://www.boe.es/a/b/ficha-2/#&%##[error]\n\u0085\xf1 g\n"
	file := filepath.Join(t.TempDir(), "nota.txt")
	write(t, file, lines)
	plain, _ := printed("lint", []string{"--no-db", "--diff", file}, nil)
	for line := range strings.Lines(lines) {
		if !strings.Contains(plain, line) {
			t.Errorf("no %q in %s", line, plain)
		}
	}
	diff, said := printed("lint", []string{"--no-db", "--diff", file}, []string{"GITHUB_ACTIONS=true"})
	for _, want := range []string{
		"-uno http://www.boe.es/a/b/ficha-1/\r\n", " \t\\u003a:warning::a\n", " \u2003\\u003a:error::b\n",
		" x ##\\u005berror]c\n", " d\\u000d::debug::e\n", `-\u001b[31mf `, " \\u0085\xf1 g\n",
	} {
		if !strings.Contains(diff, want) {
			t.Errorf("no %q in %s", want, diff)
		}
	}
	for line := range strings.FieldsFuncSeq(diff+said, func(c rune) bool { return c == '\r' || c == '\n' }) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("%q is a command", line)
		}
	}
}

// printed runs a command in an environment, and returns what it prints.
func printed(command string, args, env []string) (stdout, stderr string) {
	var out, said strings.Builder
	cli.Run(append([]string{command}, args...), strings.NewReader(""), &out, &said, env)
	return out.String(), said.String()
}
