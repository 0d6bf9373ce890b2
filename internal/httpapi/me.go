package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
)

// GetMe returns the caller's profile.
func (s *server) GetMe(ctx context.Context, _ api.GetMeRequestObject) (api.GetMeResponseObject, error) {
	p, err := s.profiles.Me(ctx, callerOf(ctx))
	if err != nil {
		return nil, err
	}
	return api.GetMe200JSONResponse(toOwnProfile(p)), nil
}

// UpdateMe changes the caller's name or language.
func (s *server) UpdateMe(ctx context.Context, r api.UpdateMeRequestObject) (api.UpdateMeResponseObject, error) {
	change, err := changeOf(r.Body.DisplayName, r.Body.Locale)
	if err != nil {
		return nil, err
	}
	p, err := s.profiles.ChangeMe(ctx, callerOf(ctx), change)
	if err != nil {
		return nil, err
	}
	return api.UpdateMe200JSONResponse(toOwnProfile(p)), nil
}
