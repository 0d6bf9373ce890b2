package text

// Language is a language people can read the service in: a tag of BCP 47.
type Language string

// The languages there are. English is the language of everything that has not been translated.
const (
	English Language = "en"
	German  Language = "de"
	Polish  Language = "pl"
	Russian Language = "ru"
)

// Languages returns the languages there are, English first.
func Languages() []Language { return []Language{English, German, Polish, Russian} }
