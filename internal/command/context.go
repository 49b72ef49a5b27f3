package command

import (
	"crypto/rand"
	"fmt"
	"io"

	"seed/hydrate"
	"seed/internal/ui"
	"seed/internal/visible"
)

// contextJSON is the JSON form of model context.
type contextJSON struct {
	Source string          `json:"source"`
	Noun   string          `json:"noun"` // capsule or seed
	Parts  []hydrate.Piece `json:"parts"`
	hydrate.Report
	MaxTokens int `json:"max_tokens,omitempty"`
}

// PrintContext prints parts as model context: markdown, or JSON. A budget that is
// too small for what cannot be left out is refused.
func (a *App) PrintContext(source, noun, preface string, parts []hydrate.Part, maxTokens int) error {
	if least := hydrate.Tokens(preface) + hydrate.Least; maxTokens != 0 && maxTokens < least {
		return &Failure{
			Err: fmt.Errorf("--max-tokens %d is too little", maxTokens), Code: Cannot, Reason: "usage",
			Hint: fmt.Sprintf("the frame alone takes %d", least),
		}
	}
	o := hydrate.Options{MaxTokens: maxTokens, Salt: rand.Text()}
	if a.JSON {
		pieces, report := hydrate.Select(parts, o)
		return a.UI.JSON(contextJSON{Source: source, Noun: noun, Parts: pieces, Report: report, MaxTokens: maxTokens})
	}
	var w io.Writer = a.UI.Out
	var shown *visible.Writer
	if a.UI.OutTTY {
		// The exact bytes are for a model; a terminal must not act on them.
		shown = visible.NewWriter(w, visible.Show)
		w = shown
	}
	report, err := hydrate.Markdown(w, preface, parts, o)
	if err == nil && shown != nil {
		err = shown.Flush()
	}
	if err == nil && (report.Omitted > 0 || report.Cut) {
		a.UI.Note("about %d tokens; left out to stay within %d: %s", report.Tokens, maxTokens, ui.Plural(int64(report.Omitted), "part", "parts"))
	}
	return err
}
