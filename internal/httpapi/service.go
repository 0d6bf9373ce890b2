package httpapi

import (
	"context"

	"github.com/fourinarow/fourinarow/api"
	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/text"
)

// ListProblems returns the error catalogue.
func (*server) ListProblems(ctx context.Context, _ api.ListProblemsRequestObject) (api.ListProblemsResponseObject, error) {
	language := languageOf(ctx)
	all := catalogueOf(language)
	list := api.ProblemKindList{Items: make([]api.ProblemKind, 0, len(all))}
	for _, p := range all {
		list.Items = append(list.Items, api.ProblemKind{
			Code: string(p.Code), Status: int32Of(p.Status), Title: p.Title, Description: p.Description,
		})
	}
	return api.ListProblems200JSONResponse(list), nil
}

// GetService says what this service is.
func (s *server) GetService(ctx context.Context, _ api.GetServiceRequestObject) (api.GetServiceResponseObject, error) {
	language := languageOf(ctx)
	about := api.ServiceInfo{
		Name: text.GameName(language), Version: s.deps.Version, Languages: nil, Limits: s.toLimits(), Operator: toOperator(s.deps.Config.Operator),
	}
	for _, l := range text.Languages() {
		about.Languages = append(about.Languages, string(l))
	}
	return api.GetService200JSONResponse(about), nil
}

// toLimits converts the limits; those that are switched off are 0.
func (s *server) toLimits() api.ServiceLimits {
	l := s.deps.Config.Limits
	if !s.deps.Config.RateLimit {
		l.TokenPerSecond, l.TokenBurst, l.MovesPerSecond, l.InsightsPerSecond = 0, 0, 0, 0
		l.ExportsPerHour, l.GamesPerHour, l.ProfilesPerNetworkPerHour, l.ProfilesPerSecond = 0, 0, 0, 0
		l.ProfilesPerHour, l.AnonymousPerSecond, l.FailuresPerMinute = 0, 0, 0
	}
	return api.ServiceLimits{
		RequestsPerSecond: int32Of(l.TokenPerSecond), RequestBurst: int32Of(l.TokenBurst),
		MovesPerSecond: int32Of(l.MovesPerSecond), InsightsPerSecond: int32Of(l.InsightsPerSecond), ExportsPerHour: int32Of(l.ExportsPerHour), GamesPerHour: int32Of(l.GamesPerHour),
		ProfilesPerNetworkPerHour: int32Of(l.ProfilesPerNetworkPerHour), ProfilesPerSecond: int32Of(l.ProfilesPerSecond),
		ProfilesPerHour:         int32Of(l.ProfilesPerHour),
		AnonymousReadsPerSecond: int32Of(l.AnonymousPerSecond), FailedSecretsPerMinute: int32Of(l.FailuresPerMinute),
		OpenTables: int32Of(l.OpenTablesPerProfile), BodyBytes: int32Of(l.BodyBytes), WaitSeconds: int32Of(l.WaitMaxSeconds),
		WaitingPerTokenAndGame: int32Of(l.WaitersPerTokenAndGame), WaitingPerAddress: int32Of(l.WaitersPerAddress),
		WaitingPerProfile: int32Of(l.WaitersPerProfile), WaitingWithTokenPerAddress: int32Of(l.WaitersWithTokenPerAddress),
	}
}

// toOperator converts who runs the service; nil when nobody has said.
func toOperator(o config.Operator) *api.ServiceOperator {
	if o.Name == "" && o.Contact == "" {
		return nil
	}
	return &api.ServiceOperator{Name: optional(o.Name), Contact: optional(o.Contact)}
}
