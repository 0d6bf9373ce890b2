package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// watchedRouter passes routes on to Echo and notes how many middlewares each came with.
type watchedRouter struct {
	echo    *echo.Echo
	guarded map[string]int // by method and path
}

func (w *watchedRouter) add(method, path string, h echo.HandlerFunc, m []echo.MiddlewareFunc) *echo.Route {
	w.guarded[method+" "+path] = len(m)
	return w.echo.Add(method, path, h, m...)
}

// CONNECT registers a route.
func (w *watchedRouter) CONNECT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodConnect, path, h, m)
}

// DELETE registers a route.
func (w *watchedRouter) DELETE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodDelete, path, h, m)
}

// GET registers a route.
func (w *watchedRouter) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodGet, path, h, m)
}

// HEAD registers a route.
func (w *watchedRouter) HEAD(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodHead, path, h, m)
}

// OPTIONS registers a route.
func (w *watchedRouter) OPTIONS(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodOptions, path, h, m)
}

// PATCH registers a route.
func (w *watchedRouter) PATCH(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodPatch, path, h, m)
}

// POST registers a route.
func (w *watchedRouter) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodPost, path, h, m)
}

// PUT registers a route.
func (w *watchedRouter) PUT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodPut, path, h, m)
}

// TRACE registers a route.
func (w *watchedRouter) TRACE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return w.add(http.MethodTrace, path, h, m)
}
