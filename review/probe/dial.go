package probe

import (
	"net/netip"
)

// ConnectTo makes connections for one host and port go to another, as curl's --connect-to. An empty Host or a zero Port
// stands for any; an empty ToHost or a zero ToPort leaves that part as it is. Of several that match the first counts. What the
// user sends to an address in so many words is dialled even where that address is not public.
type ConnectTo struct {
	Host   string
	Port   uint16
	ToHost string
	ToPort uint16
}

// Resolve gives a host and port its addresses in the place of DNS, as curl's --resolve. Host may be "*". Of several
// for one host and port the last counts. Such an address is dialled even where it is not public.
type Resolve struct {
	Host  string
	Port  uint16
	Addrs []netip.Addr
}
