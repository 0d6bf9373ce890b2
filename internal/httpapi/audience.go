package httpapi

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// audience says whom a listener is for.
type audience uint8

const (
	forAll     audience = iota // it has every operation
	forPlayers                 // it has every operation but those of admins
	forAdmins                  // it has the operations of admins and no other
)

// adminPaths is how the paths of the operations of admins begin.
const adminPaths = "/v1/admin/"

// adminsApart reports whether the operations of admins have a listener of their own.
func (s *server) adminsApart() bool {
	return s.deps.Config.Admin != "" && s.deps.Config.Admin != s.deps.Config.Listen
}

// keepApart makes operations that a listener isn't for look like none.
func keepApart(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		isAdmins := strings.HasPrefix(c.Path(), adminPaths)
		switch exchangeOf(c.Request().Context()).audience {
		case forPlayers:
			if isAdmins {
				return echo.ErrNotFound
			}
		case forAdmins:
			if !isAdmins && !aboutTheServer(c.Request()) {
				return echo.ErrNotFound
			}
		case forAll:
		}
		return next(c)
	}
}
