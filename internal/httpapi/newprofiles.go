package httpapi

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"github.com/fourinarow/fourinarow/internal/config"
)

const (
	// ipv6Network is how much of an IPv6 address a customer holds constant who is given many networks.
	ipv6Network = 48
	// keptFor is how long a network that has opened a profile shares with all others.
	keptFor = time.Hour
	// crowdedAgain is the least time after which a profile may be asked for again that the process had no room for.
	crowdedAgain = time.Second
	// everybody is the key of a bucket of the whole process.
	everybody = ""
)

// newProfiles counts the profiles that are opened: those of an address, those of a network, and all. Half of what the
// process opens is kept for networks that opened none in the last hour, so that nobody takes it all.
type newProfiles struct {
	address *buckets
	network *buckets
	shared  *buckets // everybody's half of the process
	kept    *buckets // the other half
	opened  *lru.Cache[string, time.Time]
}

func newNewProfiles(l config.Limits) (*newProfiles, error) {
	opened, err := lru.New[string, time.Time](bucketsKept)
	if err != nil {
		return nil, fmt.Errorf("make the memory of networks: %w", err)
	}
	made := &newProfiles{address: nil, network: nil, shared: nil, kept: nil, opened: opened}
	kept := l.ProfilesPerSecond / 2
	shared := l.ProfilesPerSecond - kept
	perNetwork := l.ProfilesPerNetworkPerHour
	ofAddress := fmt.Sprintf("%d profiles an hour may be opened from this address", l.ProfilesPerHour)
	ofNetwork := fmt.Sprintf("%d profiles an hour may be opened from this network", perNetwork)
	ofAll := fmt.Sprintf("%d profiles a second may be opened by all together", l.ProfilesPerSecond)
	return made, makeBuckets(
		bucketsOf{&made.address, "profiles_per_hour", ofAddress, l.ProfilesPerHour, time.Hour, l.ProfilesPerHour},
		bucketsOf{&made.network, "profiles_per_network_per_hour", ofNetwork, perNetwork, time.Hour, perNetwork},
		bucketsOf{&made.shared, "profiles_per_second", ofAll, shared, time.Second, shared},
		bucketsOf{&made.kept, "profiles_per_second", ofAll, kept, time.Second, kept},
	)
}

// take counts a profile that is to be opened. refund gives it back when it isn't. The state is that of the address. The
// fault is rate_limited.
func (p *newProfiles) take(address string, now time.Time) (state limitState, refund func(), err error) {
	var taken []func()
	refund = func() {
		for _, back := range taken {
			back()
		}
	}
	network := networkOf(address)
	state, back, err := p.address.take(address, now)
	if err == nil {
		taken = append(taken, back)
		_, back, err = p.network.take(network, now)
	}
	if err == nil {
		taken = append(taken, back)
		back, err = p.takeOfAll(network, now)
	}
	if err != nil {
		refund()
		return state, func() {}, err
	}
	taken = append(taken, back)
	return state, refund, nil
}

// takeOfAll takes one of what the process opens: of the half that is kept for networks like this, or of everybody's.
func (p *newProfiles) takeOfAll(network string, now time.Time) (refund func(), err error) {
	last, known := p.opened.Get(network)
	recently := known && now.Sub(last) < keptFor
	halves := []*buckets{p.kept, p.shared}
	if recently {
		halves = halves[1:]
	}
	var back func()
	for _, half := range halves {
		if _, back, err = half.take(everybody, now); err == nil {
			break
		}
	}
	if crowded, found := errors.AsType[*limitError](err); found {
		crowded.after, crowded.state = max(crowded.after, crowdedAgain), limitState{}
		return nil, crowded
	}
	p.opened.Add(network, now)
	return func() {
		back()
		if !recently {
			p.opened.Remove(network)
		}
	}, nil
}

// networkOf returns the network of an address, as addressKey writes it: of an IPv6 one the /48, any other is its own.
func networkOf(address string) string {
	prefix, err := netip.ParsePrefix(address)
	if err != nil {
		return address
	}
	network, err := prefix.Addr().Prefix(ipv6Network)
	if err != nil {
		return address
	}
	return network.String()
}
