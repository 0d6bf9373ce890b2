package httpapi

import (
	"context"
	"net/url"
	"strings"

	"github.com/fourinarow/fourinarow/internal/text"
)

const (
	headerAcceptLanguage  = "Accept-Language"
	headerContentLanguage = "Content-Language"

	// paramLang is the query parameter that stands in for Accept-Language where an answer holds texts.
	paramLang = "lang"

	// varyByReader is the Vary of answers with texts: a token stands for its owner's language. varyByCaller is that of others
	// that depend on who asks.
	varyByReader = "Authorization, Accept-Language, Accept-Encoding"
	varyByCaller = "Authorization, Accept-Encoding"
)

// languageOf returns the language of texts in the answer to a request.
func languageOf(ctx context.Context) text.Language { return exchangeOf(ctx).language() }

// language returns the language of texts in the answer: that of `?lang=`, else of Accept-Language, else the caller's
// own, else English. It is worked out when it is needed; most answers hold no texts.
func (x *exchange) language() text.Language { return x.languageFor(string(x.locale)) }

// languageFor returns the language of texts for somebody with a language of their own.
func (x *exchange) languageFor(own string) text.Language {
	query, _ := url.ParseQuery(firstParams(x.query)) // what is broken is refused elsewhere, in words of the language found here
	return text.Choose(query.Get(paramLang), strings.Join(x.asks.Values(headerAcceptLanguage), ","), own)
}
