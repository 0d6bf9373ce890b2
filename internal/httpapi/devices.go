package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// ListDevices lists the caller's devices.
func (s *server) ListDevices(ctx context.Context, _ api.ListDevicesRequestObject) (api.ListDevicesResponseObject, error) {
	c := callerOf(ctx)
	devices, err := s.devices.List(ctx, c)
	if err != nil {
		return nil, err
	}
	list := api.PlayerDeviceList{Items: make([]api.PlayerDevice, 0, len(devices))}
	for _, d := range devices {
		list.Items = append(list.Items, toDevice(d, c.Device))
	}
	return api.ListDevices200JSONResponse(list), nil
}

// toDevice converts a device as its owner sees it from one of them.
func toDevice(d profile.Device, current profile.DeviceID) api.PlayerDevice {
	return api.PlayerDevice{
		ID: idOf(d.ID), DeviceName: optional(string(d.Name)), CreatedAt: timeOf(d.Created), LastSeenAt: timeOf(d.LastSeen()),
		Current: d.ID == current,
	}
}

// CreateDeviceCode draws a code for another device.
func (s *server) CreateDeviceCode(ctx context.Context, _ api.CreateDeviceCodeRequestObject) (api.CreateDeviceCodeResponseObject, error) {
	code, expires, err := s.devices.NewCode(ctx, callerOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.CreateDeviceCode201JSONResponse{
		Body:    api.DeviceCode{Code: string(code), ExpiresAt: timeOf(expires)},
		Headers: api.CreateDeviceCode201ResponseHeaders{Location: "/v1/device-tokens"},
	}, nil
}

// CreateDeviceToken makes a device of whom a code is from. Its token is in no other answer.
func (s *server) CreateDeviceToken(ctx context.Context, r api.CreateDeviceTokenRequestObject) (api.CreateDeviceTokenResponseObject, error) {
	name, err := deviceNameOf(r.Body.DeviceName)
	if err != nil {
		return nil, err
	}
	var (
		guest  profile.Profile
		device profile.Device
		token  profile.Token
	)
	err = s.limits.lookUpCode(ctx, callerOf(ctx).Address, func() (err error) {
		guest, device, token, err = s.devices.Add(ctx, profile.DeviceCode(profile.ReadCode(r.Body.Code)), name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return api.CreateDeviceToken201JSONResponse{
		Body:    api.OpenedProfile{Profile: toOwnProfile(guest), Token: revealed(token)},
		Headers: api.CreateDeviceToken201ResponseHeaders{Location: "/v1/me/devices/" + string(device.ID)},
	}, nil
}

// deviceNameOf reads what a device wants to be called; nothing from nil. The fault is invalid_name.
func deviceNameOf(text *string) (profile.Name, error) {
	if text == nil {
		return "", nil
	}
	return profile.ParseDeviceName(*text)
}

// RevokeDevice takes a device's token away.
func (s *server) RevokeDevice(ctx context.Context, r api.RevokeDeviceRequestObject) (api.RevokeDeviceResponseObject, error) {
	if err := s.devices.Remove(ctx, callerOf(ctx), profile.DeviceID(r.DeviceID.String())); err != nil {
		return nil, err
	}
	return api.RevokeDevice204Response{}, nil
}

// RevokeDevices takes the tokens of all devices away.
func (s *server) RevokeDevices(ctx context.Context, r api.RevokeDevicesRequestObject) (api.RevokeDevicesResponseObject, error) {
	if err := s.devices.RemoveAll(ctx, callerOf(ctx), valueOf(r.Params.IncludeCurrent)); err != nil {
		return nil, err
	}
	return api.RevokeDevices204Response{}, nil
}
