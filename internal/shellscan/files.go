package shellscan

import (
	"path"
	"strings"
)

// touch notes a path that changes.
func (s *scanner) touch(w word, action Action, by string) {
	if host, ok := socketHost(w.text); ok {
		s.host(host, w.line, w.dynamic)
		return
	}
	switch p := w.text; {
	case p == "", p == "-", p == "/dev/null", p == "/dev/stdout", p == "/dev/stderr", p == "/dev/tty", p == "/dev/zero",
		strings.HasPrefix(p, "/dev/fd/"), strings.HasPrefix(p, ">("), strings.HasPrefix(p, "<("):
		return
	}
	p := cut(w.text, maxArg)
	single(s, &s.out.Writes, Write{Path: p, Line: w.line, Action: action, By: by, Dynamic: w.dynamic}, [3]string{p, string(action), by})
	if action != Remove && startsByItself(p) {
		s.background("startup file", w.line, p)
	}
}

// startsByItself reports whether something runs what is written to p.
func startsByItself(p string) bool {
	for _, part := range []string{
		"/etc/cron", "/var/spool/cron", "/systemd/", "/LaunchAgents/", "/LaunchDaemons/", "/autostart/",
		"/etc/init.d/", "/etc/rc", "/etc/profile", "/.ssh/authorized_keys", "/.git/hooks/", "/etc/ld.so.preload",
	} {
		if strings.Contains(p, part) {
			return true
		}
	}
	switch path.Base(p) {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		"config.fish", ".xinitrc", ".xprofile", ".envrc":
		return true
	}
	return false
}

func (s *scanner) touchAll(words []word, action Action, by string) {
	for _, w := range words {
		s.touch(w, action, by)
	}
}

// touchesFiles knows what the usual commands write.
func (s *scanner) touchesFiles(c invocation) {
	switch c.name {
	case "tee":
		action := Create
		if hasFlag(c.args, 'a', "append") {
			action = Append
		}
		s.touchAll(positionals(c.args, "", ""), action, c.name)
	case "mkdir", "mkfifo", "mknod":
		s.touchAll(positionals(c.args, "m", "mode"), Create, c.name)
	case "touch":
		s.touchAll(positionals(c.args, "drt", "date reference"), Create, c.name)
	case "truncate":
		s.touchAll(positionals(c.args, "sr", "size reference"), Create, c.name)
	case "rm", "rmdir", "unlink", "shred":
		s.touchAll(positionals(c.args, "", ""), Remove, c.name)
	case "chmod", "chown", "chgrp":
		s.touchAll(changed(c.args), Mode, c.name)
	case "cp", "mv", "ln", "install", "rsync", "scp":
		s.copies(c)
	case "sed", "perl":
		s.edits(c)
	case "dd":
		for _, w := range c.args {
			if p, ok := strings.CutPrefix(w.text, "of="); ok {
				w.text = p
				s.touch(w, Create, c.name)
			}
		}
	case "sort", "gpg", "gcc", "cc", "clang":
		if w, ok := flagValue(c.args, 'o', "output"); ok {
			s.touch(w, Create, c.name)
		}
	case "curl", "wget":
		s.fetches(c)
	case "tar", "bsdtar", "unzip":
		s.unpacks(c)
	case "git":
		s.gitWrites(c)
	}
}

// changed returns the files of chmod and chown: all but the mode or owner,
// which may look like a flag ("-x").
func changed(args []word) []word {
	for _, w := range args {
		if isCluster(w.text) && strings.Trim(w.text, "-rwxstX") == "" {
			return positionals(args, "", "")
		}
	}
	files := positionals(args, "", "")
	if len(files) == 0 || hasFlag(args, 0, "reference") {
		return files
	}
	return files[1:]
}

func (s *scanner) copies(c invocation) {
	valued, long := "S", "suffix"
	switch c.name {
	case "install":
		valued, long = "mogtS", "mode owner group target-directory"
	case "cp", "mv", "ln":
		valued, long = "tS", "target-directory suffix"
	case "rsync":
		valued, long = "efT", "rsh exclude include filter exclude-from include-from files-from"
	case "scp":
		valued, long = "cFiJloPS", ""
	}
	names := positionals(c.args, valued, long)
	if c.name == "install" && hasFlag(c.args, 'd', "directory") {
		s.touchAll(names, Create, c.name)
		return
	}
	sources := names
	if dir, ok := flagValue(c.args, 't', "target-directory"); ok && strings.Contains(valued, "t") {
		s.touch(dir, Create, c.name)
	} else if len(names) > 1 {
		last := names[len(names)-1]
		sources = names[:len(names)-1]
		if _, remote := remoteHost(last.text); !remote || c.name != "rsync" && c.name != "scp" {
			s.touch(last, Create, c.name)
		}
	} else if c.name == "ln" && len(names) == 1 {
		names[0].text = path.Base(names[0].text)
		s.touch(names[0], Create, c.name)
	}
	if c.name == "mv" {
		s.touchAll(sources, Remove, c.name)
	}
}

// edits handles the stream editors that can write their input back.
func (s *scanner) edits(c invocation) {
	if !hasFlag(c.args, 'i', "in-place") {
		return
	}
	files := positionals(c.args, "efEl", "expression file")
	for len(files) > 0 && files[0].text == "" { // BSD: -i ''
		files = files[1:]
	}
	program := hasFlag(c.args, 'e', "expression") || hasFlag(c.args, 'f', "file")
	if !program && len(files) > 0 {
		files = files[1:]
	}
	s.touchAll(files, Create, c.name)
}

// fetches handles the files that downloads end in.
func (s *scanner) fetches(c invocation) {
	letter, long := byte('o'), "output"
	if c.name == "wget" {
		letter, long = 'O', "output-document"
	}
	if w, ok := flagValue(c.args, letter, long); ok {
		s.touch(w, Create, c.name)
		return
	}
	if c.name == "wget" {
		if w, ok := flagValue(c.args, 'P', "directory-prefix"); ok {
			s.touch(w, Create, c.name)
			return
		}
	} else if !hasFlag(c.args, 'O', "remote-name") {
		return
	}
	for _, w := range c.args {
		if _, rest, ok := strings.Cut(w.text, "://"); ok {
			if _, name, _ := strings.Cut(rest, "/"); name != "" {
				w.text = path.Base(name)
			} else {
				w.text = "index.html"
			}
			s.touch(w, Create, c.name)
		}
	}
}

func (s *scanner) unpacks(c invocation) {
	letter, long := byte('C'), "directory"
	if c.name == "unzip" {
		letter, long = 'd', ""
		if hasFlag(c.args, 'l', "") || hasFlag(c.args, 'p', "") || hasFlag(c.args, 't', "") {
			return
		}
	} else {
		old := len(c.args) > 0 && !strings.HasPrefix(c.args[0].text, "-") && strings.Contains(c.args[0].text, "x")
		if !old && !hasFlag(c.args, 'x', "extract") || hasFlag(c.args, 'O', "to-stdout") {
			return
		}
	}
	dir, ok := flagValue(c.args, letter, long)
	if !ok {
		dir = word{text: ".", line: c.line}
	}
	s.touch(dir, Create, c.name)
}

func (s *scanner) gitWrites(c invocation) {
	rest := skipFlags(c.args, "Cc", "git-dir work-tree")
	if len(rest) == 0 {
		return
	}
	switch rest[0].text {
	case "clone":
		names := positionals(rest[1:], "bcjo", "branch depth origin config jobs")
		switch {
		case len(names) > 1:
			s.touch(names[1], Create, "git")
		case len(names) == 1:
			names[0].text = strings.TrimSuffix(path.Base(strings.TrimRight(names[0].text, "/")), ".git")
			s.touch(names[0], Create, "git")
		}
	case "config":
		if hasFlag(rest, 0, "global") && len(positionals(rest[1:], "", "")) > 1 {
			s.touch(word{text: "~/.gitconfig", line: c.line}, Create, "git")
		}
	}
}
