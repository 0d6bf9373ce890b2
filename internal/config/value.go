package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Switch is a setting that is on or off.
type Switch bool

// UnmarshalText reads "on" or "off".
func (s *Switch) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*s = true
	case "off":
		*s = false
	default:
		return errors.New("want on or off")
	}
	return nil
}

// Address is a host and a port to listen on, like "127.0.0.1:8080", "[::1]:8080" or ":8080" (all interfaces). The
// empty Address means that nothing is listened on.
type Address string

// UnmarshalText refuses what has no port or one that isn't a number.
func (a *Address) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return errors.New("want host:port, like 127.0.0.1:8080 or :8080")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("the port is not a number from 0 to 65535")
	}
	if strings.ContainsAny(host, "/@ \t") {
		return errors.New("the host is neither a name nor an IP address")
	}
	*a = Address(text)
	return nil
}

// String is the address as given.
func (a Address) String() string { return string(a) }

// Reachable is the address under which this machine reaches a listener on a: an unspecified host becomes loopback.
func (a Address) Reachable() string {
	host, port, err := net.SplitHostPort(string(a))
	if err != nil {
		return string(a)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip.IsUnspecified() && ip.Is4():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port)
}

// PublicURL is an absolute http or https URL without a slash at its end, or empty.
type PublicURL string

// UnmarshalText refuses a URL that paths can't be appended to.
func (u *PublicURL) UnmarshalText(text []byte) error {
	const want = "; want an absolute URL like https://play.example.org"
	parsed, err := url.Parse(string(text))
	switch {
	case err != nil:
		return errors.New("it is not a valid URL" + want)
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return errors.New("it begins with neither http:// nor https://" + want)
	case parsed.Hostname() == "":
		return errors.New("it names no host" + want)
	case parsed.User != nil:
		return errors.New("it holds a user" + want)
	case strings.ContainsAny(string(text), "?#"):
		return errors.New("it holds a query or a fragment" + want)
	case strings.HasSuffix(string(text), "/"):
		return errors.New("it ends with a slash" + want)
	}
	*u = PublicURL(text)
	return nil
}

// String is the URL as given.
func (u PublicURL) String() string { return string(u) }

// Prefixes are networks.
type Prefixes []netip.Prefix

// UnmarshalText reads networks ("10.0.0.0/8", "fd00::/8") and single addresses with commas between them.
func (p *Prefixes) UnmarshalText(text []byte) error {
	var all Prefixes
	for item := range strings.SplitSeq(string(text), ",") {
		prefix, err := parsePrefix(strings.TrimSpace(item))
		if err != nil {
			return err
		}
		all = append(all, prefix)
	}
	*p = all
	return nil
}

func parsePrefix(text string) (netip.Prefix, error) {
	const want = "want networks like 10.0.0.0/8,fd00::/8"
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil && mayHoldPassword(text):
		return netip.Prefix{}, errors.New(want)
	case err != nil:
		return netip.Prefix{}, fmt.Errorf("%q is not a network; %s", abridged(text), want)
	case prefix.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf("%q is an IPv4 network in IPv6 form; %s", text, want)
	}
	return prefix.Masked(), nil
}

// Contain tells whether an address lies in one of the networks; an IPv4 address in IPv6 form counts as IPv4.
func (p Prefixes) Contain(address netip.Addr) bool {
	address = address.Unmap()
	for _, prefix := range p {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
