package service

import (
	"time"

	"github.com/fourinarow/fourinarow/internal/profile"
)

// DeviceSeen is the hour that a device was last heard of in.
type DeviceSeen struct {
	Device profile.DeviceID
	Hour   time.Time
}

// heardDevice notes that a device was heard of, unless the hour is stored already.
func (a *Attendance) heardDevice(d profile.Device, at time.Time) {
	hour := profile.Hour(at)
	if !hour.After(d.LastSeen()) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hours[d.ID] = hour
}

// hourOf returns the hour a device was last heard of in, as far as this process knows.
func (a *Attendance) hourOf(d profile.Device) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if hour := a.hours[d.ID]; hour.After(d.LastSeen()) {
		return hour
	}
	return d.LastSeen()
}

// takeHours returns the hours that aren't stored yet.
func (a *Attendance) takeHours() []DeviceSeen {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := make([]DeviceSeen, 0, len(a.hours))
	for id, hour := range a.hours {
		seen = append(seen, DeviceSeen{Device: id, Hour: hour})
	}
	clear(a.hours)
	return seen
}

// giveHoursBack takes back what could not be stored.
func (a *Attendance) giveHoursBack(seen []DeviceSeen) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range seen {
		if s.Hour.After(a.hours[s.Device]) {
			a.hours[s.Device] = s.Hour
		}
	}
}
