// Package shellscan says what a shell script would do, without running it: the
// commands it names, the hosts it would talk to, the variables it reads and
// sets, the files it writes or removes, where it asks for more rights, where it
// hands downloaded or decoded text to a shell, what it leaves running and which
// package managers it calls.
//
// It reads bash and POSIX shell with a real parser and follows code in strings
// (sh -c, eval, trap, here-documents fed to a shell) as far as that code is
// written down. It is a reading aid and no sandbox: a script that builds its
// commands while it runs shows up as "dynamic", not as what it will do.
// Finding nothing is no proof of anything.
//
// All texts in the result come from the script and may hold any bytes; whoever
// shows them makes them safe first.
package shellscan

import "strconv"

// Dialect is the shell language to read.
type Dialect int

const (
	// Auto goes by the "#!" line, bash without one, and falls back to the
	// other dialect when the script does not parse.
	Auto Dialect = iota
	Bash
	POSIX
)

func (d Dialect) String() string {
	switch d {
	case Auto:
		return "auto"
	case Bash:
		return "bash"
	case POSIX:
		return "posix"
	}
	return "dialect(" + strconv.Itoa(int(d)) + ")"
}

// MarshalText makes dialects words in JSON.
func (d Dialect) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Options says how to read a script. The zero value is right for most.
type Options struct {
	Dialect Dialect
}

// Script is what was found, each list in source order.
type Script struct {
	Dialect    Dialect      `json:"dialect"`               // that the script was read as
	Unparsed   bool         `json:"unparsed,omitempty"`    // read word by word only: lists are guesses
	Partial    bool         `json:"partial,omitempty"`     // a part was not followed or a list is cut
	Problem    *SyntaxError `json:"problem,omitempty"`     // why it is unparsed
	Commands   []Command    `json:"commands,omitempty"`    // every simple command
	URLs       []URL        `json:"urls,omitempty"`        // each once
	Hosts      []Host       `json:"hosts,omitempty"`       // each once
	EnvReads   []Variable   `json:"env_reads,omitempty"`   // from outside, each once; "*" is all of them
	EnvSets    []Variable   `json:"env_sets,omitempty"`    // each once
	Writes     []Write      `json:"writes,omitempty"`      // files written, changed or removed
	Privileges []Use        `json:"privileges,omitempty"`  // requests for more rights
	ShellPipes []ShellPipe  `json:"shell_pipes,omitempty"` // made-up text that is run as code
	Background []Use        `json:"background,omitempty"`  // what outlives the script or starts by itself
	Packages   []Package    `json:"packages,omitempty"`    // package managers at work
}

// Command is one simple command.
type Command struct {
	Line     int      `json:"line"`
	Name     string   `json:"name"`               // as the shell would see it; source text where dynamic
	Dynamic  bool     `json:"dynamic,omitempty"`  // the name is made of expansions or patterns
	Function bool     `json:"function,omitempty"` // defined in the script itself
	Builtin  bool     `json:"builtin,omitempty"`  // done by the shell, starts no program
	Args     []string `json:"args,omitempty"`     // expansions as written; long ones cut
	Via      string   `json:"via,omitempty"`      // what runs it if not the script: "sudo", "bash -c"
}

// URL is an address with a scheme.
type URL struct {
	URL     string `json:"url"`
	Line    int    `json:"line"`
	Dynamic bool   `json:"dynamic,omitempty"`
}

// Host is a machine the script names.
type Host struct {
	Name    string `json:"name"` // lower case, no port
	Line    int    `json:"line"` // where it is named first
	Dynamic bool   `json:"dynamic,omitempty"`
}

// Variable is an environment variable.
type Variable struct {
	Name     string `json:"name"`
	Line     int    `json:"line"`
	Exported bool   `json:"exported,omitempty"` // only for those set: other programs see it
}

// Action is what happens to a path.
type Action string

// The actions.
const (
	Create Action = "write"
	Append Action = "append"
	Remove Action = "remove"
	Mode   Action = "mode" // rights or owner change
)

// Write is a path that would change.
type Write struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Action  Action `json:"action"`
	By      string `json:"by"` // the command, or "redirect"
	Dynamic bool   `json:"dynamic,omitempty"`
}

// Use is a command of interest.
type Use struct {
	Line int    `json:"line"`
	What string `json:"what"` // "sudo", "setuid", "crontab"
	Text string `json:"text"` // the command, cut
}

// ShellPipe is text that one command makes and a shell, or another
// interpreter, runs.
type ShellPipe struct {
	Line  int    `json:"line"`
	Shell string `json:"shell"` // "bash", "eval"
	Kind  string `json:"kind"`  // "download", "decode", "dynamic"
	From  string `json:"from"`  // what makes the text, cut
}

// Package is a call of a package manager.
type Package struct {
	Line    int      `json:"line"`
	Manager string   `json:"manager"`
	Action  string   `json:"action,omitempty"`
	Names   []string `json:"names,omitempty"`
}

// SyntaxError says why a script could not be parsed.
type SyntaxError struct {
	Line int    `json:"line"` // 1-based, 0 when unknown
	Msg  string `json:"message"`
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Msg
}

// Scan reads src. The Script is never nil: when src does not parse, it holds
// what can be guessed from the words alone, and the error is a [*SyntaxError].
func Scan(src []byte, opts Options) (*Script, error) {
	lang, problem := choose(src, opts.Dialect)
	if problem == nil && len(src) > MaxSource {
		problem = &SyntaxError{Msg: "script is larger than " + strconv.Itoa(MaxSource>>20) + " MiB"}
	}
	if problem != nil {
		return guess(src, opts.Dialect, problem), problem
	}
	stack := make([]uintptr, maxFrames)
	file, err := parse(src, lang, stack)
	if err != nil && opts.Dialect == Auto {
		second := Bash + POSIX - lang
		if f, err2 := parse(src, second, stack); err2 == nil {
			file, err, lang = f, nil, second
		}
	}
	if err != nil {
		problem = syntaxError(src, err)
		return guess(src, lang, problem), problem
	}
	s := newScanner(lang, stack)
	if err := s.run(src, file); err != nil {
		problem = &SyntaxError{Msg: err.Error()}
		return guess(src, lang, problem), problem
	}
	return s.result(), nil
}
