// Command reference runs command lines of visto, one after the other, in one process. .ci/reference builds it as the
// main program of an earlier commit: TestHistories compares what that prints with what the program prints now.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"

	"visto/ui/cli"
)

func main() {
	if len(os.Args) > 1 { // a probe starts the program again to read pages
		os.Exit(cli.Main())
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var line struct {
			Args, Env []string
			Stdin     string
		}
		if in.Decode(&line) != nil { // there are no more
			return
		}
		var stdout, stderr bytes.Buffer
		status := cli.Run(line.Args, strings.NewReader(line.Stdin), &stdout, &stderr, line.Env)
		out.Encode(map[string]any{"Status": status, "Stdout": stdout.String(), "Stderr": stderr.String()})
	}
}
