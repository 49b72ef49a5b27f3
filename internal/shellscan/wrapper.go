package shellscan

import "strings"

// wrapper describes a command that runs the command in its arguments.
type wrapper struct {
	valued string // one-letter flags that take a value
	long   string // long flags that take one as the next argument
	skip   int    // arguments of its own before the command
	sets   bool   // NAME=value may come before the command
}

func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{valued: "ugpChrtTUDR", long: "user group prompt host chdir role type", sets: true}, true
	case "doas":
		return wrapper{valued: "uC", sets: true}, true
	case "pkexec", "run0":
		return wrapper{valued: "u", long: "user"}, true
	case "gosu", "su-exec", "setpriv", "chroot":
		return wrapper{skip: 1, long: "userspec groups"}, true
	case "env":
		return wrapper{valued: "uC", long: "unset chdir", sets: true}, true
	case "nohup", "setsid", "builtin", "exec", "command", "busybox", "toybox", "caffeinate", "unbuffer",
		"torsocks", "proxychains", "proxychains4", "daemonize":
		return wrapper{valued: "a"}, true
	case "time":
		return wrapper{valued: "of", long: "output format"}, true
	case "timeout":
		return wrapper{valued: "ks", long: "kill-after signal", skip: 1}, true
	case "flock":
		return wrapper{valued: "wE", long: "timeout", skip: 1}, true
	case "nice":
		return wrapper{valued: "n", long: "adjustment"}, true
	case "ionice":
		return wrapper{valued: "cnp", long: "class classdata"}, true
	case "stdbuf":
		return wrapper{valued: "ioe"}, true
	case "watch":
		return wrapper{valued: "n", long: "interval"}, true
	case "strace", "ltrace":
		return wrapper{valued: "eopsuP"}, true
	case "xargs":
		return wrapper{valued: "aEILnPsd", long: "arg-file delimiter max-args max-procs replace max-lines"}, true
	}
	return wrapper{}, false
}

// inner returns the command that c runs, nil if it runs none.
func inner(c invocation) []word {
	if c.name == "find" {
		return found(c.args)
	}
	w, ok := wrapperOf(c.name)
	if !ok {
		return nil
	}
	if c.name == "command" && len(c.args) > 0 && strings.HasPrefix(c.args[0].text, "-") && c.args[0].text != "-p" && c.args[0].text != "--" {
		return nil // command -v: only asks where it is
	}
	rest := skipFlags(c.args, w.valued, w.long)
	for w.sets && len(rest) > 0 && isSetting(rest[0].text) {
		rest = rest[1:]
	}
	if len(rest) <= w.skip {
		return nil
	}
	return rest[w.skip:]
}

// found returns the command that find runs on what it finds.
func found(args []word) []word {
	for i, w := range args {
		if !hasWord("-exec -execdir -ok -okdir", w.text) {
			continue
		}
		rest := args[i+1:]
		for j, w := range rest {
			if w.text == ";" || w.text == "+" {
				return rest[:j]
			}
		}
		return rest
	}
	return nil
}

func isSetting(text string) bool {
	i := strings.IndexByte(text, '=')
	return i > 0 && !strings.ContainsAny(text[:i], "/ $")
}

// skipFlags returns args from the first one that is neither flag nor the value
// of a flag. valued lists the one-letter flags with values, long the long ones.
func skipFlags(args []word, valued, long string) []word {
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "--":
			return args[i+1:]
		case len(t) < 2 || t[0] != '-':
			return args[i:]
		case takesNext(t, valued, long):
			i++
		}
	}
	return nil
}

// positionals returns the arguments that are neither flags nor their values.
func positionals(args []word, valued, long string) []word {
	var out []word
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "--":
			return append(out, args[i+1:]...)
		case len(t) < 2 || t[0] != '-':
			out = append(out, args[i])
		case takesNext(t, valued, long):
			i++
		}
	}
	return out
}

// takesNext reports whether the flag t has its value in the next argument.
func takesNext(t, valued, long string) bool {
	if name, ok := strings.CutPrefix(t, "--"); ok {
		return hasWord(long, name)
	}
	i := strings.IndexAny(t[1:], valued)
	return valued != "" && i >= 0 && i == len(t)-2
}

// flagValue returns the value of a flag, given as its own argument, behind "="
// or directly behind the letter.
func flagValue(args []word, letter byte, long string) (word, bool) {
	for i, w := range args {
		at := -1
		if isCluster(w.text) {
			at = strings.IndexByte(w.text, letter)
		}
		switch {
		case w.text == "--":
			return word{}, false
		case long != "" && w.text == "--"+long, at > 0 && at == len(w.text)-1:
			if i+1 < len(args) {
				return args[i+1], true
			}
		case long != "" && strings.HasPrefix(w.text, "--"+long+"="):
			w.text = w.text[len(long)+3:]
			return w, true
		case at > 0:
			w.text = w.text[at+1:]
			return w, true
		}
	}
	return word{}, false
}

func isCluster(t string) bool { return len(t) > 1 && t[0] == '-' && t[1] != '-' }

// hasFlag reports whether a letter stands in a cluster of flags or the long
// flag is given.
func hasFlag(args []word, letter byte, long string) bool {
	for _, w := range args {
		if w.text == "--" {
			return false
		}
		if isCluster(w.text) && strings.IndexByte(w.text, letter) > 0 ||
			long != "" && (w.text == "--"+long || strings.HasPrefix(w.text, "--"+long+"=")) {
			return true
		}
	}
	return false
}

// hasWord reports whether name is one of the words of list.
func hasWord(list, name string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == name {
			return true
		}
	}
	return false
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
