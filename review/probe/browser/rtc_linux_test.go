package browser

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestFlagStopsWebRTC lets a page without the script that takes WebRTC away gather all its addresses by a STUN server:
// it sends no datagram. Without the flag it does, which shows that the test can see one.
func TestFlagStopsWebRTC(t *testing.T) {
	path := realBrowser(t).path
	server, err := net.ListenPacket("udp", net.JoinHostPort(ownAddress(t), "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context()) // ended by the first datagram
	defer cancel()
	go func() {
		if _, _, err := server.ReadFrom(make([]byte, 2000)); err == nil {
			cancel()
		}
	}()
	gather := strings.ReplaceAll(`new Promise(done => {
		const c = new RTCPeerConnection({iceServers: [{urls: 'stun:HOST'}]});
		c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && done();
		c.createDataChannel('x');
		c.createOffer().then(o => c.setLocalDescription(o));
	})`, "HOST", server.LocalAddr().String())
	if runIn(ctx, t, path, gather); ctx.Err() != nil {
		t.Fatal("a datagram was sent")
	}
	const name = "webrtc-ip-handling-policy"
	policy := flags[name]
	delete(flags, name)
	defer func() { flags[name] = policy }()
	if runIn(ctx, t, path, gather); ctx.Err() == nil {
		t.Error("the test proves nothing: without the flag no datagram was sent either")
	}
}

// ownAddress returns an address of this machine in a network, for WebRTC asks nobody by loopback. It skips the test if
// there is none.
func ownAddress(t *testing.T) string {
	t.Helper()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if ip := a.(*net.IPNet).IP; ip.To4() != nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			return ip.String()
		}
	}
	t.Skip("there is no network besides loopback")
	return ""
}

// runIn runs a script in an empty page of a browser of its own, and waits for its promise or the end of ctx.
func runIn(ctx context.Context, t *testing.T, path, script string) {
	t.Helper()
	p, err := New(path).start(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	run, cancel := chromedp.NewContext(p.ctx, inContext(noProxy))
	defer cancel()
	if err := chromedp.Do(run); err != nil {
		t.Fatal(err)
	}
	await := true
	r, err := cdp.Call(ctx, chromedp.FromContext(run).Target, runtime.Evaluate,
		runtime.EvaluateParams{Expression: script, AwaitPromise: &await})
	if ctx.Err() == nil && (err != nil || r.ExceptionDetails != nil) {
		t.Fatal(err, r.ExceptionDetails)
	}
}
