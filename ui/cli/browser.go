package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"visto/ui/term"
)

// openBrowser opens a URL in the browser: in the first of $BROWSER that there is, else in that of the desktop. No shell
// is involved: the URL is one argument. Only an http or https URL in plain ASCII is passed on, so it cannot be an
// option either.
func openBrowser(url string) error {
	if !term.Openable(url) {
		return fmt.Errorf("opening the browser: %q is no http or https URL in plain ASCII", url)
	}
	if err := start(browsers(os.Getenv("BROWSER"), url)); err != nil {
		return fmt.Errorf("opening the browser: %w", err)
	}
	return nil
}

// browsers returns the commands to try. $BROWSER is a list of commands between colons; %s in one stands for the URL,
// which else is its last argument.
func browsers(env, url string) (list [][]string) {
	for command := range strings.SplitSeq(env, ":") {
		args := strings.Fields(command)
		if len(args) == 0 {
			continue
		}
		if !strings.Contains(command, "%s") {
			args = append(args, "%s")
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "%s", url)
		}
		list = append(list, args)
	}
	if len(list) > 0 {
		return list
	}
	switch runtime.GOOS {
	case "darwin":
		return [][]string{{"open", url}}
	case "windows":
		return [][]string{{"rundll32", "url.dll,FileProtocolHandler", url}}
	}
	return [][]string{{"xdg-open", url}}
}

// failsWithin is the time in which a command that finds no browser ends.
const failsWithin = 2 * time.Second

// start starts the first command that there is. One that fails at once counts as none.
func start(commands [][]string) error {
	var failed []string
	for _, args := range commands {
		cmd := exec.Command(args[0], args[1:]...)
		err := cmd.Start()
		if err == nil {
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }() // leaves no zombie process
			select {
			case err = <-ended:
			case <-time.After(failsWithin):
			}
		}
		if err == nil {
			return nil
		}
		failed = append(failed, fmt.Sprintf("%s: %v", args[0], err))
	}
	return errors.New(strings.Join(failed, "; "))
}
