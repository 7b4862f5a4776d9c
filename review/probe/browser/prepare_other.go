//go:build !linux

package browser

import "os/exec"

// prepare does nothing: only Linux has limits that count the memory of Chromium.
func prepare(*exec.Cmd) {}
