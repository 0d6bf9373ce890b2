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

// onItsListener reports whether a request came to a listener that is for it; to others its operation looks like none.
func onItsListener(c echo.Context) bool {
	isAdmins := strings.HasPrefix(c.Path(), adminPaths)
	switch exchangeOf(c.Request().Context()).audience {
	case forPlayers:
		return !isAdmins
	case forAdmins:
		return isAdmins || aboutTheServer(c.Request())
	case forAll:
		return true
	default:
		return true
	}
}
