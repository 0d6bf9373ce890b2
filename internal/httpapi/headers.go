package httpapi

import (
	"github.com/labstack/echo/v4"

	"github.com/fourinarow/fourinarow/internal/text"
)

const (
	cacheAsk   = "private, no-cache" // keep it, but ask each time whether it is still true
	cacheNever = "no-store"
)

// The headers of the generated responses have a type for each operation, all of them alike. These convert to them.
// What the guard and the entrance have set already (request id, limits) stays nil.
type (
	plainHeaders struct {
		CacheControl       *string
		RateLimitLimit     *int32
		RateLimitRemaining *int32
		RateLimitReset     *int32
		Vary               *string
		XRequestID         *string
	}
	taggedHeaders struct {
		CacheControl       *string
		ETag               string
		RateLimitLimit     *int32
		RateLimitRemaining *int32
		RateLimitReset     *int32
		Vary               *string
		XRequestID         *string
	}
	locatedHeaders struct {
		CacheControl       *string
		Location           string
		RateLimitLimit     *int32
		RateLimitRemaining *int32
		RateLimitReset     *int32
		Vary               *string
		XRequestID         *string
	}
	spokenTaggedHeaders struct {
		CacheControl       *string
		ContentLanguage    *string
		ETag               string
		RateLimitLimit     *int32
		RateLimitRemaining *int32
		RateLimitReset     *int32
		Vary               *string
		XRequestID         *string
	}
	spokenHeaders struct {
		CacheControl       *string
		ContentLanguage    *string
		RateLimitLimit     *int32
		RateLimitRemaining *int32
		RateLimitReset     *int32
		Vary               *string
		XRequestID         *string
	}
)

// spoken are the headers of an answer with texts.
func spoken(l text.Language) spokenHeaders {
	return spokenHeaders{CacheControl: new(cacheAsk), ContentLanguage: new(string(l)), Vary: new(varyByReader)}
}

// spokenTagged are the headers of an answer with texts that names its version.
func spokenTagged(tag string, l text.Language) spokenTaggedHeaders {
	return spokenTaggedHeaders{
		CacheControl: new(cacheAsk), ContentLanguage: new(string(l)), ETag: etag(tag), Vary: new(varyByReader),
	}
}

// same are the headers of an answer that is the same for everybody.
func same() plainHeaders { return plainHeaders{CacheControl: new(cacheAsk)} }

// personal are the headers of an answer that depends on who asks.
func personal() plainHeaders {
	return plainHeaders{CacheControl: new(cacheAsk), Vary: new(echo.HeaderAuthorization)}
}

// tagged are the headers of an answer that depends on who asks and names its version.
func tagged(tag string) taggedHeaders {
	return taggedHeaders{CacheControl: new(cacheAsk), ETag: etag(tag), Vary: new(echo.HeaderAuthorization)}
}

// located are the headers of an answer about something new.
func located(at, cache string) locatedHeaders {
	return locatedHeaders{CacheControl: new(cache), Location: at, Vary: new(echo.HeaderAuthorization)}
}

// uncached are the headers of an answer that is about this moment only.
func uncached() plainHeaders { return plainHeaders{CacheControl: new(cacheNever)} }

// unkept are the headers of an answer for one admin that nobody keeps.
func unkept() plainHeaders {
	return plainHeaders{CacheControl: new(cacheNever), Vary: new(echo.HeaderAuthorization)}
}
