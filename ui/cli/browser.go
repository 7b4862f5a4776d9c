package cli

import (
	"fmt"
	"os/exec"
	"runtime"

	"visto/ui/term"
)

// openBrowser opens a URL in the browser. No shell is involved: the URL is one argument. Only an http or https URL in
// plain ASCII is passed on, so it cannot be an option either.
func openBrowser(url string) error {
	if !term.Openable(url) {
		return fmt.Errorf("opening the browser: %q is no http or https URL in plain ASCII", url)
	}
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("opening the browser: %w", err)
	}
	go cmd.Wait() // leave no zombie process
	return nil
}
