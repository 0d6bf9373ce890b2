package main

import (
	"errors"
	"io"
	"log/slog"

	"github.com/fourinarow/fourinarow/internal/config"
	"github.com/fourinarow/fourinarow/internal/sampling"
)

// newLogger returns a logger as the configuration wants it. What fails or is refused again and again is counted.
func newLogger(w io.Writer, cfg config.Log) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.Level}
	if cfg.Format == config.LogJSON {
		return slog.New(sampling.New(slog.NewJSONHandler(w, options)))
	}
	return slog.New(sampling.New(slog.NewTextHandler(w, options)))
}

// closing closes something at the end and logs it when that fails.
func closing(logger *slog.Logger, what string, closer func() error) {
	if err := closer(); err != nil {
		logger.Error("could not close", "what", what, "error", err)
	}
}

// joinClose closes c and adds its error to err.
func joinClose(err error, c io.Closer) error { return errors.Join(err, c.Close()) }
