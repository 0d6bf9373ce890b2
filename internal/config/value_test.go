package config_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/internal/config"
)

func TestAnAddressIsReachableFromTheSameMachine(t *testing.T) {
	t.Parallel()

	for listen, want := range map[config.Address]string{
		":8080":           "127.0.0.1:8080",
		"0.0.0.0:8080":    "127.0.0.1:8080",
		"[::]:8080":       "[::1]:8080",
		"127.0.0.1:8080":  "127.0.0.1:8080",
		"[fd00::1]:80":    "[fd00::1]:80",
		"play.internal:1": "play.internal:1",
	} {
		assert.Equal(t, want, listen.Reachable(), listen)
	}
}

func TestPrefixesContain(t *testing.T) {
	t.Parallel()

	cfg, err := config.Load([]string{"TRUSTED_PROXIES=10.9.9.9/8,192.0.2.7,fd00::/8,::ffff:198.51.100.1"})
	require.NoError(t, err)

	for address, want := range map[string]bool{
		"10.1.2.3":          true,
		"::ffff:10.1.2.3":   true,
		"192.0.2.7":         true,
		"198.51.100.1":      true,
		"fd12::1":           true,
		"192.0.2.8":         false,
		"11.0.0.1":          false,
		"fe80::1":           false,
		"::ffff:192.0.2.70": false,
	} {
		assert.Equal(t, want, cfg.TrustedProxies.Contain(netip.MustParseAddr(address)), address)
	}
	assert.False(t, config.Prefixes(nil).Contain(netip.MustParseAddr("127.0.0.1")))
}
