package probe

import (
	"fmt"
	"net"
	"syscall"
	"testing"
)

// Spec 15: no network at all (no route, the resolver not there) is told from a site that is gone.
func TestOffline(t *testing.T) {
	dial := func(ip string, err error) error {
		return fmt.Errorf("wrapped: %w", &net.OpError{Op: "dial", Net: "tcp",
			Addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 443}, Err: err})
	}
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"no route":          {dial("192.0.2.1", syscall.ENETUNREACH), true},
		"no route for IPv6": {dial("2001:db8::1", syscall.ENETUNREACH), false},
		"dead host":         {dial("192.0.2.1", syscall.EHOSTUNREACH), false},
		"refused":           {dial("192.0.2.1", syscall.ECONNREFUSED), false},
		"no resolver": {&net.DNSError{Err: "read udp 127.0.0.1:1->127.0.0.1:53: read: connection refused",
			IsTemporary: true}, true},
		"silent resolver":                  {&net.DNSError{Err: "i/o timeout", IsTimeout: true, IsTemporary: true}, true},
		"resolver's trouble with the name": {&net.DNSError{Err: "server misbehaving", IsTemporary: true}, false},
		"no such host":                     {&net.DNSError{Err: "no such host", IsNotFound: true}, false},
	} {
		if got := offline(test.err); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
