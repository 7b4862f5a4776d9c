package cli_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"visto/review/probe/testnet"
	"visto/ui/cli"
)

// startInternet starts the test internet and remembers the flags that lead there.
func startInternet(ts *testscript.TestScript, _ bool, _ []string) {
	net, err := testnet.Start(testnet.Sites(), testnet.Options{})
	ts.Check(err)
	ts.Defer(func() { ts.Check(net.Close()) })
	ca := ts.MkAbs("ca.pem")
	ts.Check(os.WriteFile(ca, net.CA(), 0o644))
	ts.Setenv("INTERNET", strings.Join(flagsTo(net, ca), "\n"))
}

// flagsTo returns the flags that lead to the test internet, whose authority is in the file.
func flagsTo(net *testnet.Net, ca string) []string {
	flags := []string{"--ca-file", ca}
	for _, rule := range net.ConnectTo() {
		flags = append(flags, "--connect-to", rule)
	}
	return flags
}

func online(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: online N command...")
	}
	status(ts, neg, append(args, strings.Split(ts.Getenv("INTERNET"), "\n")...))
}

// The rate is a delay between requests to one host; a rate of 0 is none, not the default.
func TestRateFlag(t *testing.T) {
	for _, test := range []struct {
		args []string
		want time.Duration // negative: none
	}{
		{nil, time.Second},
		{[]string{"--rate", "0.5"}, 2 * time.Second},
		{[]string{"--rate", "4"}, 250 * time.Millisecond},
		{[]string{"--rate", "0"}, -1},
	} {
		if cfg, err := cli.NetworkConfig(test.args...); err != nil || cfg.Delay != test.want {
			t.Errorf("%v: %v, %v", test.args, cfg.Delay, err)
		}
	}
}
