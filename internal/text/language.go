package text

// Language is a language people can read the service in: a tag of BCP 47.
type Language string

// English is the language of everything that has not been translated.
const English Language = "en"

// Languages returns the languages there are, English first.
func Languages() []Language { return []Language{English} }
