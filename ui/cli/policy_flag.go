package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"visto/canon"
)

// policyOrNil returns the policy of --policy, or nil without the flag.
func (g *globalFlags) policyOrNil(ctx context.Context) (*canon.Policy, error) {
	if len(g.policies) == 0 {
		return nil, nil
	}
	return usablePolicy(ctx, g.policies...)
}

// usablePolicy is loadPolicy for a policy to run: a policy for a single site must name the site.
func usablePolicy(ctx context.Context, names ...string) (*canon.Policy, error) {
	p, err := loadPolicy(ctx, names...)
	if err != nil {
		return nil, err
	}
	if missing := p.Missing(); missing != "" {
		return nil, fmt.Errorf("reading the policy: %s", missing)
	}
	return p, nil
}

// loadPolicy makes one policy of built-in names and files, later ones over earlier ones. Without names it is clara.
func loadPolicy(ctx context.Context, names ...string) (*canon.Policy, error) {
	if len(names) == 0 {
		return canon.Builtin("clara")
	}
	if len(names) == 1 && slices.Contains(canon.BuiltinNames(), names[0]) {
		return canon.Builtin(names[0])
	}
	files, err := policyFiles(ctx, names)
	if err != nil {
		return nil, err
	}
	p, err := canon.ParsePolicy(files...)
	if unknown, ok := errors.AsType[*canon.UnknownPolicyError](err); ok {
		err = fmt.Errorf("%w%s", err, near(unknown.Name, canon.BuiltinNames()))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the policy: %w", err)
	}
	return p, nil
}

// policyFiles reads built-in names and files.
func policyFiles(ctx context.Context, names []string) ([]canon.PolicyFile, error) {
	files := make([]canon.PolicyFile, len(names))
	for i, name := range names {
		data, err := policyData(ctx, name)
		if err != nil {
			return nil, err
		}
		files[i] = canon.PolicyFile{Name: name, Data: data}
	}
	return files, nil
}

func policyData(ctx context.Context, name string) ([]byte, error) {
	if p, err := canon.Builtin(name); err == nil {
		return p.YAML(), nil
	}
	data, err := readFile(ctx, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\"): // it is meant as a name
		err = &usageError{error: fmt.Errorf("%q is neither a built-in policy nor a file%s", name,
			near(name, canon.BuiltinNames()))}
		fallthrough
	case err != nil:
		return nil, withHint(fmt.Errorf("reading the policy: %w", err),
			"--policy takes a file or a built-in name; visto policy list shows those")
	}
	return data, nil
}
