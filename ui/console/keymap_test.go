package console

import (
	"strings"
	"testing"

	"visto/ui/config"
)

// configured reads a configuration.
func configured(t *testing.T, data string) (Keymap, error) {
	t.Helper()
	c, err := config.Read("c.yaml", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return NewKeymap(c)
}

func TestReboundKeys(t *testing.T) {
	keys, err := configured(t, "keys:\n  approve: [f5, y]\n  copy-canonical: []\n  undo: W\n  defer: a\n")
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Keys: keys, Env: []string{"TERM=xterm"}}
	s := openScreenWith(t, newDesk(t), opts, 120, 24).shows("f5 approve", "a defer")
	s.keys("f5").shows("approved: URL 1 (W takes it back)").keys("u").lacks("took back")
	s.keys("W").shows("took back: approve")
	s.keys("a").shows("deferred: URL 1").keys("y").shows("approved: URL 2")
	s.keys("enter").shows("f5 approves this URL alone").keys("esc",
		"x").shows("there is no browser to open: copied the URL instead")
	s.keys("?", "type:approve the URL as").shows("f5 y")
}

func TestBadKeys(t *testing.T) {
	for name, tc := range map[string]struct{ data, want string }{
		"unknown action": {"keys:\n  aprove: x\n", `c.yaml:2: there is no action "aprove": did you mean approve`},
		"far from any": {"keys:\n  fly-away: x\n",
			`c.yaml:2: there is no action "fly-away": visto keys lists them`},
		"conflict": {"keys:\n  approve: d\n",
			"c.yaml:2: approve: d is the key of defer already, in Queue, opened URL, page: " +
				"choose another, or give defer another (defer: [] for none)"},
		"command with a taken key": {"commands:\n- {name: x, run: [x], key: a}\n",
			"c.yaml:2: x: a is the key of approve"},
		"two commands with a key": {"commands:\n- {name: x, run: [x], key: W}\n- {name: y, run: [x], key: W}\n",
			"c.yaml:3: y: W is the key of x already, in Queue, opened URL, page"},
		"command and key": {"keys:\n  note: W\ncommands:\n- {name: x, run: [x], key: W}\n",
			"c.yaml:4: x: W is the key"},
		"command called as an action": {"commands:\n- {name: Mark all, run: [x]}\n",
			`c.yaml:2: there is an action "mark-all" already`},
		"command called as a word": {"commands:\n- {name: go, run: [x]}\n",
			`c.yaml:2: there is an action "go" already`},
		"two commands of a name": {"commands:\n- {name: x, run: [x]}\n- {name: x, run: [y]}\n",
			`c.yaml:3: there is an action "x" already`},
		"conflict of two": {"keys:\n  approve: f5\n  defer: f5\n",
			"c.yaml:3: defer: f5 is the key of approve already"},
		"everywhere":          {"keys:\n  stats: a\n", "c.yaml:2: stats: a is the key of approve already"},
		"no way to the names": {"keys:\n  commands: []\n", "c.yaml:2: commands needs a key"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := configured(t, tc.data); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v\nwant %s", err, tc.want)
			}
		})
	}
	const apart = "keys:\n  approve: delete\n  confirm-proposal: c\n  undo-this-batch: a\n  remove-override: a\n"
	if _, err := configured(t, apart); err != nil {
		t.Errorf("the same key in other places: %v", err)
	}
	if _, err := configured(t, "keys:\n  approve: d\n  defer: a\n"); err != nil {
		t.Errorf("two that change their keys: %v", err)
	}
}

func TestDistance(t *testing.T) {
	for words, want := range map[[2]string]int{
		{"approve", "approve"}: 0, {"approve", "aprove"}: 1, {"kitten", "sitting"}: 3, {"", "ab"}: 2, {"abc", ""}: 3,
		{"ab", "ba"}: 2,
	} {
		if got := distance(words[0], words[1]); got != want {
			t.Errorf("%q: %d, not %d", words, got, want)
		}
	}
}
