// Visto is a console in which a reviewer settles the URLs that a canonicalizer was not sure about.
package main

import (
	"os"

	"visto/ui/cli"
)

func main() { os.Exit(cli.Main()) }
