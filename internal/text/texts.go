package text

import (
	"fmt"
	"sync"

	"github.com/fourinarow/fourinarow/internal/fault"
	"github.com/fourinarow/fourinarow/internal/houserule"
)

// texts is everything that is said in one language.
type texts struct {
	gameName string
	guest    message
	seconds  message
	problems map[fault.Code]wording
	rules    map[houserule.Key]ruleWording
	pictures pictureWording
	page     pageTexts
	edits    editTexts
}

// all returns the texts of every language. They are read once; they are part of the program, so what could go wrong
// with them has gone wrong in the tests.
var all = sync.OnceValue(func() map[Language]*texts {
	bundle, err := bundleOf()
	if err != nil {
		panic(fmt.Sprintf("text: %v", err))
	}
	read := make(map[Language]*texts, len(Languages()))
	for _, l := range Languages() {
		read[l] = textsOf(newReader(bundle, l))
	}
	return read
})

// in returns the texts of a language; of English for one that is not spoken here.
func in(l Language) *texts {
	if spoken, found := all()[l]; found {
		return spoken
	}
	return all()[English]
}

func textsOf(r *reader) *texts {
	return &texts{
		gameName: r.text("game.name"),
		guest:    r.message("guest.name", "Number"),
		seconds:  r.message("unit.seconds", countPlaceholder),
		problems: problemsOf(r),
		rules:    rulesOf(r),
		pictures: picturesOf(r),
		page:     pageOf(r),
		edits:    editsOf(r),
	}
}

// GameName returns what the game is called.
func GameName(l Language) string { return in(l).gameName }

// GuestName returns the name of a player who brought none. The number tells guests apart at one table; it is no
// secret and not unique.
func GuestName(l Language, number uint32) string {
	return in(l).guest.with(map[string]string{"Number": fmt.Sprintf("%04d", number%10_000)})
}
