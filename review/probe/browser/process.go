package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
)

// noProxy is the proxy for everything that Chromium asks for itself, such as updates: nothing listens at the port of
// the TCP port multiplexer.
const noProxy = "http://127.0.0.1:1"

// flags are the flags of Chromium.
var flags = map[string]any{
	"headless":                   true,
	"no-first-run":               true,
	"no-default-browser-check":   true,
	"disable-extensions":         true,
	"disable-default-apps":       true,
	"disable-sync":               true,
	"disable-gpu":                true,
	"disable-dev-shm-usage":      true, // the shared memory of containers is small
	"disable-breakpad":           true, // a crash handler would be a process that outlives the others
	"disable-crash-reporter":     true,
	"disable-component-update":   true,
	"disable-domain-reliability": true,
	"metrics-recording-only":     true,
	"mute-audio":                 true,
	"hide-scrollbars":            true,
	"password-store":             "basic",
	"use-mock-keychain":          true,
	"renderer-process-limit":     "1",
	"js-flags":                   "--max-old-space-size=256", // MB

	// A page waits in the background, where Chromium slows it down otherwise.
	"disable-background-timer-throttling":    true,
	"disable-backgrounding-occluded-windows": true,
	"disable-renderer-backgrounding":         true,

	// No way to the network but the proxies.
	"proxy-server":                           noProxy,
	"proxy-bypass-list":                      "<-loopback>", // without it, loopback would bypass the proxy
	"host-resolver-rules":                    "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	"webrtc-ip-handling-policy":              "disable_non_proxied_udp",
	"disable-quic":                           true,
	"disable-background-networking":          true,
	"disable-client-side-phishing-detection": true,
	"disable-features": strings.Join([]string{
		"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "AutofillServerCommunication",
		"CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions",
		"IsolateOrigins", "site-per-process", // one process is enough for a page without frames
		// A page over http is one of a host without HTTPS.
		"HttpsUpgrades", "HttpsFirstBalancedMode", "HttpsFirstBalancedModeAutoEnable", "HttpsFirstModeIncognito",
		"HttpsFirstModeV2",
	}, ","),
}

// process is a running Chromium with its profile.
type process struct {
	ctx  context.Context // of chromedp; it ends with the connection to Chromium
	stop func()          // kills Chromium, waits for it and removes the profile

	identity *identity
}

// maxTemp is the longest path in bytes of a directory for temporary files of Chromium, which adds 45 for a socket: the
// path of a socket has 104 at most.
const maxTemp = 58

// start starts Chromium, and waits until it answers. Its home, its profile and, if the path is short enough, its
// temporary files are in a folder of its own.
func (b *Browser) start(ctx context.Context, isRoot bool) (*process, error) {
	id, err := newIdentity()
	if err != nil {
		return nil, err
	}
	home, remove, err := b.NewFolder()
	if err != nil {
		return nil, err
	}
	temp := home
	if len(temp) > maxTemp {
		temp = os.TempDir()
	}
	opts := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(b.path), chromedp.UserDataDir(filepath.Join(home, "profile")), chromedp.NoInheritEnv, chromedp.Flag("no-sandbox", isRoot),
		chromedp.Flag("ignore-certificate-errors-spki-list", id.pin), chromedp.ModifyCmdFunc(prepare),
		chromedp.Env("HOME="+home, "TMPDIR="+temp, "PATH="+os.Getenv("PATH"), "LANG="+os.Getenv("LANG")),
	}
	for name, value := range flags {
		opts = append(opts, chromedp.Flag(name, value))
	}
	parent, kill := context.WithCancel(context.Background())
	allocator, wait := chromedp.NewExecAllocator(parent, opts...)
	silent := func(string, ...any) {}
	run, _ := chromedp.NewContext(allocator, chromedp.WithLogf(silent), chromedp.WithErrorf(silent))
	p := &process{run, func() {
		kill()
		wait()
		_ = remove() // a file that stays is temporary
	}, id}
	abort := context.AfterFunc(ctx, kill)
	err = chromedp.Do(run)
	if !abort() {
		err = context.Cause(ctx)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// ended reports whether Chromium has ended by itself.
func (p *process) ended() bool { return p.ctx.Err() != nil }
