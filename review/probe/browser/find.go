package browser

import "os/exec"

// names are the names of Chromium and of its relatives that speak its protocol, in the order of preference.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell",
	"chrome-headless-shell",
}

// Find returns the path of a browser: that of the named program, or else that of the first known one, empty if there
// is none. It fails only if the named program does not exist.
func Find(name string) (string, error) {
	if name != "" {
		return exec.LookPath(name)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", nil
}
