package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/config"
)

// clientAddress returns how the address of a client is found: the peer's, unless the peer is a trusted proxy; then
// the last address in X-Forwarded-For that is not one.
func clientAddress(trusted config.Prefixes) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, prefix := range trusted {
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP:   prefix.Addr().AsSlice(),
			Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen()),
		}))
	}
	extract := echo.ExtractIPFromXFFHeader(options...)
	return func(r *http.Request) string { return extract(withoutPorts(r)) }
}

// withoutPorts returns the request with the addresses of X-Forwarded-For alone: some proxies add a port.
func withoutPorts(r *http.Request) *http.Request {
	chain := strings.Split(strings.Join(r.Header.Values(echo.HeaderXForwardedFor), ","), ",")
	for i, hop := range chain {
		if withPort, err := netip.ParseAddrPort(strings.TrimSpace(hop)); err == nil {
			chain[i] = withPort.Addr().String()
		}
	}
	bare := *r
	bare.Header = http.Header{echo.HeaderXForwardedFor: {strings.Join(chain, ",")}}
	return &bare
}

// ipv6Client is how much of an IPv6 address one customer of a provider holds constant.
const ipv6Client = 64

// addressKey returns what the limits count by: an IPv4 address, or the /64 an IPv6 address lies in.
func addressKey(extract echo.IPExtractor, r *http.Request) string {
	text := extract(r)
	address, err := netip.ParseAddr(text)
	if err != nil {
		return text
	}
	if address.Is4() { // it can be written in one way only
		return text
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	network, err := address.Prefix(ipv6Client)
	if err != nil {
		return address.String()
	}
	return network.String()
}
