package config

import (
	"log/slog"
	"time"
)

// Config is every setting of the program. A value from Load is whole and within its bounds.
type Config struct {
	// Listen is where the public API is served; port 0 takes a free one.
	Listen Address `env:"LISTEN_ADDR" envDefault:"127.0.0.1:8080" unit:"host:port" desc:"where the service listens; port 0 takes a free one"`
	// PublicURL is what links to tables begin with; empty: there are no links.
	PublicURL PublicURL `env:"PUBLIC_URL" unit:"URL" desc:"how people reach the service, for links to tables; empty: no links"`
	// Metrics is where Prometheus metrics are served; empty: nowhere.
	Metrics Address `env:"METRICS_ADDR" unit:"host:port" desc:"where Prometheus metrics are served; empty: nowhere"`
	// Admin is where the operations of admins are served, and nowhere else; empty: beside the others.
	Admin Address `env:"ADMIN_LISTEN_ADDR" unit:"host:port" desc:"where /v1/admin is served, and nowhere else; empty: at LISTEN_ADDR"`
	// TrustedProxies are the networks whose forwarding headers count; none: every peer is a client.
	TrustedProxies Prefixes `env:"TRUSTED_PROXIES" unit:"CIDRs" desc:"networks of proxies whose X-Forwarded-For counts, with commas between; empty: nobody's"`
	// RateLimit switches the limits on requests off for benches; the limits on waiting requests stay.
	RateLimit Switch `env:"RATE_LIMIT" envDefault:"on" allowed:"on|off" desc:"limits on requests; off is for benches"`

	Database Database
	CPU      CPU
	Log      Log
	Limits   Limits
	Server   Server
	Operator Operator
}

// CPU is how the CPU plays.
type CPU struct {
	// Pace makes people see two drops: the CPU's disc comes no sooner after the one before.
	Pace time.Duration `env:"CPU_PACE" envDefault:"400ms" min:"0s" max:"10s" unit:"duration" desc:"least time from the disc before to the CPU's"`
	// Thinkers is how many turns are thought about at once.
	Thinkers int `env:"CPU_THINKERS" envDefault:"2" min:"1" max:"256" unit:"turns" desc:"turns of the CPU that are thought about at once"`
}

// Database is where games are kept.
type Database struct {
	URL DatabaseURL `env:"DATABASE_URL" envDefault:"sqlite://./fourinarow.db" unit:"URL" secret:"true" desc:"sqlite://path of a file, or postgres://user:password@host:port/database"`
	// Connections is the size of the pool: on PostgreSQL all connections but the three that store what happens in games,
	// hear of other replicas and read exports, on SQLite the readers but the one that reads exports.
	Connections int `env:"DATABASE_CONNECTIONS" envDefault:"8" min:"1" max:"1000" unit:"connections" desc:"pool of this process: on PostgreSQL all but three more, which store what happens in games, hear of other replicas and read exports; on SQLite the readers but one more for exports"`
	// SQLiteSynchronous says what a commit on SQLite survives.
	SQLiteSynchronous Synchronous `env:"SQLITE_SYNCHRONOUS" envDefault:"full" allowed:"full|normal" desc:"full: an acknowledged move survives a power cut; normal: faster, may lose the last ones"`
}

// Synchronous is how far a commit on SQLite has reached when it is acknowledged.
type Synchronous string

// The values of Synchronous.
const (
	SynchronousFull   Synchronous = "full"
	SynchronousNormal Synchronous = "normal"
)

// Log is what is logged and how; it goes to standard error.
type Log struct {
	Format LogFormat  `env:"LOG_FORMAT" envDefault:"text" allowed:"text|json" desc:"one line an event, for people or for machines"`
	Level  slog.Level `env:"LOG_LEVEL" envDefault:"info" allowed:"debug|info|warn|error" desc:"the least that is logged"`
}

// LogFormat is the form of a log line.
type LogFormat string

// The values of LogFormat.
const (
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// Limits hold for one process, not for all replicas together. "Per address" is per client address, as
// TrustedProxies tells it.
type Limits struct {
	TokenPerSecond    int `env:"RATE_TOKEN_PER_SECOND" envDefault:"20" min:"1" max:"1000000" unit:"requests/s" desc:"requests of one token"`
	TokenBurst        int `env:"RATE_TOKEN_BURST" envDefault:"60" min:"1" max:"1000000" unit:"requests" desc:"requests of one token at once, after a pause"`
	MovesPerSecond    int `env:"RATE_MOVES_PER_SECOND" envDefault:"5" min:"1" max:"1000000" unit:"moves/s" desc:"moves of one token"`
	InsightsPerSecond int `env:"RATE_INSIGHTS_PER_SECOND" envDefault:"2" min:"1" max:"1000000" unit:"requests/s" desc:"scores, hints and analyses of one token"`
	ExportsPerHour    int `env:"RATE_EXPORTS_PER_HOUR" envDefault:"12" min:"1" max:"1000000" unit:"exports/h" desc:"exports of one profile, one at a time"`
	ExportsAtOnce     int `env:"EXPORTS_AT_ONCE" envDefault:"4" min:"1" max:"1000" unit:"exports" desc:"exports that this process reads at once, of different profiles"`
	ProfilesPerHour   int `env:"RATE_PROFILES_PER_HOUR" envDefault:"20" min:"1" max:"1000000" unit:"profiles/h" desc:"profiles opened from one address"`
	// ProfilesPerNetworkPerHour is of many addresses that one customer of a provider may have.
	ProfilesPerNetworkPerHour int `env:"RATE_PROFILES_PER_NETWORK_PER_HOUR" envDefault:"100" min:"1" max:"1000000" unit:"profiles/h" desc:"profiles opened from one IPv6 network, a /48"`
	// ProfilesPerSecond is what a database on a small machine carries beside its games.
	ProfilesPerSecond  int `env:"RATE_PROFILES_PER_SECOND" envDefault:"50" min:"2" max:"1000000" unit:"profiles/s" desc:"profiles opened at this process; half is kept for networks that opened none in the last hour"`
	GamesPerHour       int `env:"RATE_GAMES_PER_HOUR" envDefault:"600" min:"1" max:"1000000" unit:"games/h" desc:"tables that one profile opens, and games that it begins at others' by a seat or a rematch"`
	AnonymousPerSecond int `env:"RATE_ANONYMOUS_PER_SECOND" envDefault:"20" min:"1" max:"1000000" unit:"requests/s" desc:"requests without a token from one address"`
	// PreflightsPerSecond is apart, since a browser sends one before each request to a URL that is new to it.
	PreflightsPerSecond int `env:"RATE_PREFLIGHTS_PER_SECOND" envDefault:"200" min:"1" max:"1000000" unit:"requests/s" desc:"questions of browsers at one address whether a page may send a request"`
	FailuresPerMinute   int `env:"RATE_FAILURES_PER_MINUTE" envDefault:"60" min:"1" max:"1000000" unit:"failures/min" desc:"wrong tokens and codes from one address"`

	WaitersPerTokenAndGame int `env:"WAITERS_PER_TOKEN_AND_GAME" envDefault:"4" min:"1" max:"1000000" unit:"requests" desc:"waiting requests of one token for one game"`
	WaitersPerAddress      int `env:"WAITERS_PER_ADDRESS" envDefault:"10" min:"1" max:"1000000" unit:"requests" desc:"waiting requests without a token from one address"`
	WaitersPerProfile      int `env:"WAITERS_PER_PROFILE" envDefault:"80" min:"1" max:"1000000" unit:"requests" desc:"waiting requests of one profile, with all its tokens"`
	// WaitersWithTokenPerAddress keeps those at one address from taking all that others wait by.
	WaitersWithTokenPerAddress int `env:"WAITERS_WITH_TOKEN_PER_ADDRESS" envDefault:"2000" min:"1" max:"1000000" unit:"requests" desc:"waiting requests with a token from one address"`
	WaitersTotal               int `env:"WAITERS_TOTAL" envDefault:"20000" min:"1" max:"1000000" unit:"requests" desc:"waiting requests of this process"`
	// WaitMaxSeconds is what a longer `wait` is cut to.
	WaitMaxSeconds int `env:"WAIT_MAX_SECONDS" envDefault:"30" min:"0" max:"3600" unit:"s" desc:"longest wait of a request; a longer one is cut to it"`

	// ConnectionsTotal is cut to what the limit on open files leaves.
	ConnectionsTotal      int `env:"CONNECTIONS_TOTAL" envDefault:"0" min:"0" max:"1000000" unit:"connections" desc:"connections of clients at once; 0: four fifths of the limit on open files, less the database's and 64"`
	ConnectionsPerAddress int `env:"CONNECTIONS_PER_ADDRESS" envDefault:"256" min:"1" max:"1000000" unit:"connections" desc:"connections from one address at once, whatever it forwards; TRUSTED_PROXIES may have any number"`

	OpenTablesPerProfile int `env:"OPEN_TABLES_PER_PROFILE" envDefault:"20" min:"1" max:"1000" unit:"tables" desc:"tables that one profile may have open"`
	BodyBytes            int `env:"BODY_LIMIT_BYTES" envDefault:"16384" min:"1024" max:"1048576" unit:"bytes" desc:"largest body of a request"`
}

// Server is how long the HTTP server bears with a client, and how long with itself at the end.
type Server struct {
	ReadHeaderTimeout time.Duration `env:"READ_HEADER_TIMEOUT" envDefault:"5s" min:"100ms" max:"5m" unit:"duration" desc:"for a request's header to arrive, for the first since the client connected"`
	ReadTimeout       time.Duration `env:"READ_TIMEOUT" envDefault:"10s" min:"100ms" max:"5m" unit:"duration" desc:"for a whole request to arrive"`
	// WriteTimeout doesn't count the time that a waiting request waits.
	WriteTimeout time.Duration `env:"WRITE_TIMEOUT" envDefault:"15s" min:"100ms" max:"5m" unit:"duration" desc:"for an answer to leave; a waiting request has its wait on top"`
	// Compression is of answers of more than a kilobyte, for clients that ask for it.
	Compression Switch        `env:"COMPRESSION" envDefault:"on" allowed:"on|off" desc:"answers of more than a kilobyte are compressed for clients that ask for it; off where a proxy does"`
	IdleTimeout time.Duration `env:"IDLE_TIMEOUT" envDefault:"2m" min:"1s" max:"1h" unit:"duration" desc:"for the next request on a kept connection"`
	// ShutdownTimeout runs from the signal to stop; the program is gone within a second after it.
	ShutdownTimeout time.Duration `env:"SHUTDOWN_TIMEOUT" envDefault:"4s" min:"0s" max:"5m" unit:"duration" desc:"for running requests to finish when told to stop"`
}

// Operator is who runs the service, as GET /v1/service tells everybody. Empty: not told.
type Operator struct {
	Name    string `env:"OPERATOR_NAME" max:"200" unit:"characters" desc:"who runs the service, shown by GET /v1/service"`
	Contact string `env:"OPERATOR_CONTACT" max:"200" unit:"characters" desc:"how to reach them: an address or a URL"`
	// RulesReviewedBy is who has read the page of the rules; empty: the page says only how it was checked.
	RulesReviewedBy string `env:"RULES_REVIEWED_BY" max:"200" unit:"characters" desc:"who has read the page of the rules, shown by GET /v1/rules"`
}
