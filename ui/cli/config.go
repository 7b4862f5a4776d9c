package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"visto/ui/config"
	"visto/ui/console"
)

const configHint = "visto keys prints an example; --config none does without the file"

// noConfig is the value of --config for no file.
const noConfig = "none"

// configuration reads the reviewer's settings. A file that --config or VISTO_CONFIG names must exist; the one under
// XDG_CONFIG_HOME need not.
func (g *globalFlags) configuration(ctx context.Context) (*config.Config, console.Keymap, error) {
	var keys console.Keymap
	c, err := g.readConfig(ctx)
	if err == nil {
		keys, err = console.NewKeymap(c)
	}
	if err != nil {
		return nil, keys, withHint(&several{"reading the configuration", err}, configHint)
	}
	return c, keys, nil
}

func (g *globalFlags) readConfig(ctx context.Context) (*config.Config, error) {
	file, named := g.configFile()
	if file == noConfig || file == "" {
		return &config.Config{}, nil
	}
	data, err := readFile(ctx, file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return &config.Config{}, nil
	case err != nil:
		return nil, err
	}
	return config.Read(file, data)
}

// configFile returns the path of the configuration, and whether the reviewer named it.
func (g *globalFlags) configFile() (file string, named bool) {
	if name := cmp.Or(g.config, g.getenv("VISTO_CONFIG")); name != "" {
		return name, true
	}
	return g.baseFile("XDG_CONFIG_HOME", ".config", "config.yaml"), false
}
