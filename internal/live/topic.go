package live

// Kind is what sort of thing a topic is about. The kinds are the caller's to number, from 1.
type Kind uint8

// Topic is one thing that requests wait for.
type Topic struct {
	Kind Kind
	ID   string
}

// Party is who waits.
type Party struct {
	Device  string // empty: nobody is signed in
	Profile string // whose device it is; empty without one
	Address string // the request came from
}

// Limits are how many waiters those may have who are counted together. A party with a device is counted with its device,
// its profile and its address, one without with its address alone.
type Limits struct {
	Device    int // one device for one topic
	Profile   int // one profile with all its devices
	Address   int // all with a device at one address
	Strangers int // all without one at one address
}

// share is those who are counted together. The zero share is nobody.
type share struct {
	kind  shareKind
	id    string
	topic Topic // of a device
}

type shareKind uint8

const (
	ofDevice shareKind = iota + 1
	ofProfile
	ofAddress
	ofStrangers
)

// sharesAtMost is how many shares a waiter has.
const sharesAtMost = 3

// shares returns what a waiter is counted with, and the limit of each.
func (l Limits) shares(p Party, topic Topic) (all [sharesAtMost]share, limits [sharesAtMost]int) {
	if p.Device == "" {
		all[0], limits[0] = share{kind: ofStrangers, id: p.Address, topic: Topic{}}, l.Strangers
		return all, limits
	}
	all[0], limits[0] = share{kind: ofDevice, id: p.Device, topic: topic}, l.Device
	all[1], limits[1] = share{kind: ofProfile, id: p.Profile, topic: Topic{}}, l.Profile
	all[2], limits[2] = share{kind: ofAddress, id: p.Address, topic: Topic{}}, l.Address
	return all, limits
}
