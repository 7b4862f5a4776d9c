package canon

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The readers of the values that several keys of a policy have: texts, numbers, names, hosts, mappings.

// readText reads a text that is not empty, or one of the words.
func readText(n *yaml.Node, text *string, words []string) error {
	switch {
	case words != nil && (n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value)):
		return at(n, "it is one of %s, not %q", strings.Join(words, ", "), n.Value)
	case n.Kind != yaml.ScalarNode || n.Value == "":
		return at(n, "a text is wanted")
	}
	*text = n.Value
	return nil
}

func readNumber(n *yaml.Node, number *int) error {
	var v int
	if err := n.Decode(&v); err != nil || v < 1 {
		return at(n, "a number above 0 is wanted, not %q", n.Value)
	}
	*number = v
	return nil
}

func readTruth(n *yaml.Node, truth *bool) error {
	if n.Tag != "!!bool" || n.Decode(truth) != nil {
		return at(n, "it is true or false, not %q", n.Value)
	}
	return nil
}

// readNames reads a list of texts. A "*" may only stand at the end of one.
func readNames(n *yaml.Node, names *[]string) error {
	list, err := textList(n)
	if err != nil {
		return err
	}
	for i, name := range list {
		if star := strings.IndexByte(name, '*'); star == 0 || star > 0 && star != len(name)-1 {
			return at(n.Content[i], "bad pattern %q: a * may stand at the end of a name only", name)
		}
	}
	*names = list
	return nil
}

// readHosts reads a list of host names. One may begin with "*.".
func readHosts(n *yaml.Node, hosts *[]string) error {
	list, err := textList(n)
	if err != nil {
		return err
	}
	for i, pattern := range list {
		if list[i], err = hostPattern(n.Content[i], pattern); err != nil {
			return err
		}
	}
	*hosts = list
	return nil
}

// readStepTexts reads a mapping of step ids to texts.
func readStepTexts(n *yaml.Node, texts *map[string]string) error {
	*texts = map[string]string{}
	return eachKey(n, strings.ToLower, func(key, value *yaml.Node) error {
		if setOfStep(&pipeline, key.Value) == 0 {
			return at(key, "there is no step %q", key.Value)
		}
		(*texts)[key.Value] = value.Value
		return nil
	})
}

func hostPattern(n *yaml.Node, pattern string) (string, error) {
	name := strings.TrimPrefix(pattern, "*.")
	if name == "" || strings.ContainsAny(name, "*/:") {
		return "", at(n, "bad pattern %q: a host name is wanted, or *. and one", pattern)
	}
	ascii, bad := asciiHost([]byte(name))
	if bad != nil {
		return "", at(n, "bad pattern %q: %s", pattern, bad.detail)
	}
	return pattern[:len(pattern)-len(name)] + string(ascii), nil
}

func textList(n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, at(n, "a list is wanted")
	}
	list := make([]string, 0, len(n.Content))
	for _, e := range n.Content {
		if e.Kind != yaml.ScalarNode || e.Value == "" {
			return nil, at(e, "a list of texts is wanted")
		}
		list = append(list, e.Value)
	}
	return list, nil
}

// wireForm returns a host in wire form, and any other text itself.
func wireForm(host string) string {
	if host == "" {
		return ""
	}
	ascii, bad := asciiHost([]byte(host))
	if bad != nil {
		return host
	}
	return string(ascii)
}

// eachKey calls fn with each key of a mapping and its value. It refuses two keys that are one in normal form.
func eachKey(n *yaml.Node, normal func(string) string, fn func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "a mapping is wanted")
	}
	seen := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first := seen[normal(key.Value)]; first != nil {
			return at(key, "%q is there twice: line %d has %q", key.Value, first.Line, first.Value)
		}
		seen[normal(key.Value)] = key
		if err := fn(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}
