package live

// Kind is what sort of thing a topic is about. The kinds are the caller's to number, from 1.
type Kind uint8

// Topic is one thing that requests wait for.
type Topic struct {
	Kind Kind
	ID   string
}

// Party is those whose waiters are counted together: a device for one topic, or everybody at an address.
type Party struct {
	Device  string // empty: nobody is signed in
	Topic   Topic  // of a device; zero without one
	Address string // of those who aren't signed in
}
