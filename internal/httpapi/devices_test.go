package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fourinarow/fourinarow/api"
)

// code draws a code for another device.
func (p player) code(t *testing.T) api.DeviceCode {
	t.Helper()
	return decode[api.DeviceCode](t, p.post(t, "/v1/me/device-codes", ""), http.StatusCreated)
}

// comesIn exchanges a code for a token.
func (w *world) comesIn(t *testing.T, code string) answer {
	t.Helper()
	return w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+code+`","device_name":"phone"}`)
}

// another lets another device of the player in.
func (p player) another(t *testing.T) player {
	t.Helper()
	opened := decode[api.OpenedProfile](t, p.world.comesIn(t, p.code(t).Code), http.StatusCreated)
	return player{world: p.world, id: opened.Profile.ID, token: opened.Token}
}

func (p player) devices(t *testing.T) []api.PlayerDevice {
	t.Helper()
	return decode[api.PlayerDeviceList](t, p.get(t, "/v1/me/devices"), http.StatusOK).Items
}

// device returns the one that asks, or another one.
func (p player) device(t *testing.T, current bool) api.PlayerDevice {
	t.Helper()
	for _, d := range p.devices(t) {
		if d.Current == current {
			return d
		}
	}
	require.Fail(t, "there is no such device")
	return api.PlayerDevice{}
}

func (p player) revokes(t *testing.T, id uuid.UUID) answer {
	t.Helper()
	return p.send(t, http.MethodDelete, "/v1/me/devices/"+id.String(), "")
}

func TestACodeLetsAnotherDeviceIn(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		opened := decode[api.OpenedProfile](t, w.send(t, http.MethodPost, "/v1/profiles", `{"display_name":"Ola","device_name":"Laptop"}`), http.StatusCreated)
		laptop := player{world: w, id: opened.Profile.ID, token: opened.Token}
		code := laptop.code(t)
		assert.WithinDuration(t, w.db.Clock.Now().Add(10*time.Minute), code.ExpiresAt, time.Second)
		added := w.comesIn(t, strings.ToLower(code.Code))
		second := decode[api.OpenedProfile](t, added, http.StatusCreated)
		assert.Equal(t, opened.Profile, second.Profile)
		assert.Equal(t, "no-store", added.header.Get("Cache-Control"))
		phone := player{world: w, id: laptop.id, token: second.Token}
		assert.Equal(t, opened.Profile, decode[api.OwnProfile](t, phone.get(t, "/v1/me"), http.StatusOK))
		devices := phone.devices(t)
		require.Len(t, devices, 2)
		assert.Equal(t, []string{"Laptop", "phone"}, []string{*devices[0].DeviceName, *devices[1].DeviceName})
		assert.Equal(t, []bool{false, true}, []bool{devices[0].Current, devices[1].Current})
		assert.Equal(t, "/v1/me/devices/"+devices[1].ID.String(), added.header.Get("Location"))
		assert.NotContains(t, string(phone.get(t, "/v1/me/devices").body), "fir_")
	})
}

func TestAWrongAUsedAndAnExpiredCodeAreAlike(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		used, expired := p.code(t), p.code(t)
		require.Equal(t, http.StatusCreated, w.comesIn(t, used.Code).status)
		w.db.Clock.Advance(10 * time.Minute)
		want := w.comesIn(t, "0000000000").problem(t)
		assert.Equal(t, "code_expired", want.Code)
		for _, code := range []string{used.Code, expired.Code} {
			got := w.comesIn(t, code)
			assert.Equal(t, http.StatusNotFound, got.status)
			problem := got.problem(t)
			problem.RequestID = want.RequestID
			assert.Equal(t, want, problem)
		}
		for _, body := range []string{`{"code":"short"}`, `{}`, `{"code":"0000000000","x":1}`, ``} {
			assert.Equal(t, "invalid_request", w.send(t, http.MethodPost, "/v1/device-tokens", body).problem(t).Code, body)
		}
		refused := w.send(t, http.MethodPost, "/v1/device-tokens", `{"code":"`+p.code(t).Code+`","device_name":"\u3164"}`).problem(t)
		assert.Equal(t, "invalid_name", refused.Code)
		assert.Equal(t, "/device_name", refused.Errors[0].Pointer)
		assert.Len(t, p.devices(t), 2)
	})
}

func TestTheNewestFiveCodesAreGood(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		codes := make([]string, 0, 7)
		for range 7 {
			codes = append(codes, p.code(t).Code)
		}
		for i, code := range codes {
			assert.Equal(t, i >= 2, w.comesIn(t, code).status == http.StatusCreated, i)
		}
	})
}

func TestAProfileHasAtMostTwentyDevices(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		for range 18 {
			p.another(t)
		}
		first, second := p.code(t), p.code(t)
		require.Equal(t, http.StatusCreated, w.comesIn(t, first.Code).status)
		assert.Equal(t, "too_many_devices", w.comesIn(t, second.Code).problem(t).Code)
		assert.Equal(t, "too_many_devices", p.post(t, "/v1/me/device-codes", "").problem(t).Code)
		require.Equal(t, http.StatusNoContent, p.revokes(t, p.devices(t)[5].ID).status)
		assert.Equal(t, "code_expired", w.comesIn(t, second.Code).problem(t).Code, "the removed device may have drawn it")
		assert.Equal(t, http.StatusCreated, w.comesIn(t, p.code(t).Code).status)
	})
}

// wrongCodes sends so many.
func (w *world) wrongCodes(t *testing.T, many int) (last answer) {
	t.Helper()
	for range many {
		last = w.comesIn(t, "0000000000")
	}
	return last
}

func TestARightDeviceCodeIsNotRefusedForTheFailuresOfOthers(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		code := w.guest(t, "Ola").code(t)
		require.Equal(t, http.StatusNotFound, w.wrongCodes(t, 60).status)
		assert.Equal(t, "rate_limited", w.wrongCodes(t, 1).problem(t).Code)
		assert.Equal(t, http.StatusCreated, w.comesIn(t, code.Code).status)
	}, standingStill)
}

func TestARevokedTokenIsRefusedAndItsWaitsEnd(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		other := serve(t, w.db, standingStill)
		m := w.match(t, public)
		phone := m.red.another(t)
		path := gamePath(m.game) + "?wait=30&after_version=1"
		here := later(t, w, func() answer { return phone.get(t, path) })
		there := later(t, other, func() answer { return phone.at(other).get(t, path) })
		stays := later(t, other, func() answer { return m.yellow.at(other).get(t, path) })
		require.Equal(t, http.StatusOK, phone.at(other).get(t, "/v1/me").status)

		require.Equal(t, http.StatusNoContent, m.red.revokes(t, phone.device(t, true).ID).status)

		assert.Equal(t, "unauthenticated", within(t, here).problem(t).Code)
		assert.Equal(t, "unauthenticated", phone.get(t, "/v1/me").problem(t).Code, "here at once")
		require.NoError(t, other.Devices.DismissRevoked(t.Context(), other.Hub))
		assert.Equal(t, "unauthenticated", within(t, there).problem(t).Code)
		w.db.Clock.Advance(2 * time.Second)
		assert.Equal(t, "unauthenticated", phone.at(other).get(t, "/v1/me").problem(t).Code, "everywhere soon")
		assert.Equal(t, 1, other.Hub.Waiting())
		m.red.plays(t, m.game, 1, 1)
		require.NoError(t, other.Changes.Compare(t.Context(), other.Hub, other.Hub.Watched()))
		assert.Equal(t, http.StatusOK, within(t, stays).status)
	}, standingStill)
}

func TestARevokedDeviceLeavesNoCodeBehind(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		for what, revoke := range map[string]func(p, thief player) answer{
			"one":    func(p, _ player) answer { return p.revokes(t, p.device(t, false).ID) },
			"itself": func(_, thief player) answer { return thief.revokes(t, thief.device(t, true).ID) },
			"others": func(p, _ player) answer { return p.send(t, http.MethodDelete, "/v1/me/devices", "") },
			"all": func(p, _ player) answer {
				return p.send(t, http.MethodDelete, "/v1/me/devices?include_current=true", "")
			},
		} {
			p, bystander := w.guest(t, "Ola"), w.guest(t, "Иван")
			thief := p.another(t)
			code, others := thief.code(t), bystander.code(t)
			assert.Equal(t, http.StatusNotFound, bystander.revokes(t, p.device(t, true).ID).status, what)
			require.Equal(t, http.StatusNoContent, revoke(p, thief).status, what)
			assert.Equal(t, "code_expired", w.comesIn(t, code.Code).problem(t).Code, what)
			assert.Equal(t, http.StatusCreated, w.comesIn(t, others.Code).status, what)
		}
	}, configured("RATE_LIMIT=off"))
}

func TestADeviceOfSomebodyElseIsNotThere(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p, stranger := w.guest(t, "Ola"), w.guest(t, "Ola")
		id := p.devices(t)[0].ID
		assert.Equal(t, "not_found", stranger.revokes(t, id).problem(t).Code)
		assert.Equal(t, "not_found", stranger.revokes(t, uuid.New()).problem(t).Code)
		assert.Equal(t, "invalid_request", p.send(t, http.MethodDelete, "/v1/me/devices/mine", "").problem(t).Code)
		assert.Len(t, p.devices(t), 1)
		assert.Equal(t, http.StatusNoContent, p.revokes(t, id).status, "one's own last")
		assert.Equal(t, http.StatusUnauthorized, p.get(t, "/v1/me").status)
	})
}

func TestAllDevicesAreRevokedAtOnce(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p, stranger := w.guest(t, "Ola"), w.guest(t, "Ola")
		phone, tablet := p.another(t), p.another(t)
		require.Equal(t, http.StatusNoContent, phone.send(t, http.MethodDelete, "/v1/me/devices", "").status)
		for _, gone := range []player{p, tablet} {
			assert.Equal(t, http.StatusUnauthorized, gone.get(t, "/v1/me").status)
		}
		require.Len(t, phone.devices(t), 1)
		require.Equal(t, http.StatusNoContent, phone.send(t, http.MethodDelete, "/v1/me/devices?include_current=true", "").status)
		assert.Equal(t, http.StatusUnauthorized, phone.get(t, "/v1/me").status)
		assert.Len(t, stranger.devices(t), 1)
	})
}

func TestADeviceIsShownWithTheHourItWasSeenIn(t *testing.T) {
	t.Parallel()
	onEither(t, func(t *testing.T, w *world) {
		p := w.guest(t, "Ola")
		phone := p.another(t)
		w.db.Clock.Advance(90 * time.Minute)
		hour := w.db.Clock.Now().Truncate(time.Hour)
		require.Equal(t, hour, p.device(t, true).LastSeenAt)
		assert.True(t, p.device(t, false).LastSeenAt.Before(hour))
		require.NoError(t, w.Presence.Keep(context.Background()))
		assert.Equal(t, hour, phone.at(serve(t, w.db)).device(t, false).LastSeenAt, "written")
		w.db.Statements.Reset()
		w.db.Clock.Advance(3 * time.Second)
		p.devices(t)
		require.NoError(t, w.Presence.Keep(context.Background()))
		assert.Zero(t, w.db.Statements.Reset().Writes, "once an hour")
	}, standingStill)
}
