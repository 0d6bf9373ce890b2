package service

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// DeviceSeen is the hour that a device was last seen in.
type DeviceSeen struct {
	Device profile.DeviceID
	Hour   time.Time
}

// heardDevice notes that a device was seen, unless the hour is stored already.
func (l *PresenceLog) heardDevice(d profile.Device, at time.Time) {
	hour := profile.Hour(at)
	if !hour.After(d.LastSeen()) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hours[d.ID] = hour
}

// hourOf returns the hour a device was last seen in, as far as this process knows.
func (l *PresenceLog) hourOf(d profile.Device) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if hour := l.hours[d.ID]; hour.After(d.LastSeen()) {
		return hour
	}
	return d.LastSeen()
}

// takeHours returns the hours that aren't stored yet.
func (l *PresenceLog) takeHours() []DeviceSeen {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := make([]DeviceSeen, 0, len(l.hours))
	for id, hour := range l.hours {
		seen = append(seen, DeviceSeen{Device: id, Hour: hour})
	}
	clear(l.hours)
	return seen
}

// giveHoursBack takes back what could not be stored.
func (l *PresenceLog) giveHoursBack(seen []DeviceSeen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seen {
		if s.Hour.After(l.hours[s.Device]) {
			l.hours[s.Device] = s.Hour
		}
	}
}
