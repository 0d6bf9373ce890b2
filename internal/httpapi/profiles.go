package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/profile"
)

// OpenProfile opens a guest. Its token is in no other answer.
func (s *server) OpenProfile(ctx context.Context, r api.OpenProfileRequestObject) (api.OpenProfileResponseObject, error) {
	request := api.OpenProfileRequest{DisplayName: nil, DeviceName: nil, Locale: nil}
	if r.Body != nil {
		request = *r.Body
	}
	change, err := changeOf(request.DisplayName, request.Locale)
	if err != nil {
		return nil, err
	}
	device, err := deviceNameOf(request.DeviceName)
	if err != nil {
		return nil, err
	}
	guest, token, err := s.profiles.Open(ctx, change, device, exchangeOf(ctx).languageFor(valueOf(request.Locale)))
	if err != nil {
		return nil, err
	}
	return api.OpenProfile201JSONResponse{
		Body:    api.OpenedProfile{Profile: toOwnProfile(guest), Token: revealed(token)},
		Headers: api.OpenProfile201ResponseHeaders{Location: "/v1/profiles/" + string(guest.ID)},
	}, nil
}

// revealed returns a token as it is, for the one answer that shows it.
func revealed(t profile.Token) string { return string(t) }

// GetProfile returns a player as everybody may see it.
func (s *server) GetProfile(ctx context.Context, r api.GetProfileRequestObject) (api.GetProfileResponseObject, error) {
	p, err := s.profiles.Read(ctx, profile.ID(r.ProfileID.String()))
	if err != nil {
		return nil, err
	}
	return api.GetProfile200JSONResponse(toProfile(p)), nil
}
