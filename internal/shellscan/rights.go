package shellscan

import "strings"

func (s *scanner) use(list *[]Use, what string, line int, text string) {
	if len(*list) >= maxItems {
		s.out.Partial = true
		return
	}
	*list = append(*list, Use{Line: line, What: what, Text: cut(text, maxText)})
}

// asksRights notes commands that run with, or give away, more rights.
func (s *scanner) asksRights(c invocation) {
	what := ""
	switch c.name {
	case "sudo", "sudoedit", "doas", "su", "pkexec", "run0", "gosu", "su-exec", "setcap", "visudo":
		what = c.name
	case "chmod":
		for _, w := range c.args {
			if setsID(w.text) {
				what = "setuid"
			}
		}
	case "install":
		if w, ok := flagValue(c.args, 'm', "mode"); ok && setsID(w.text) {
			what = "setuid"
		}
	case "usermod", "gpasswd", "adduser", "addgroup":
		for _, w := range c.args {
			if hasWord(strings.ReplaceAll(w.text, ",", " "), "sudo") || w.text == "wheel" || w.text == "docker" || w.text == "admin" {
				what = "group"
			}
		}
	}
	if what != "" {
		s.use(&s.out.Privileges, what, c.line, c.text())
	}
}

// setsID reports whether a file mode holds the setuid or setgid bit.
func setsID(mode string) bool {
	octal := strings.TrimLeft(mode, "0")
	if len(octal) == 4 && strings.Trim(octal, "01234567") == "" {
		return strings.ContainsRune("234567", rune(octal[0]))
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i >= 0 && strings.Trim(clause[:i], "ugoa") == "" && strings.Trim(clause[i+1:], "rwxXst") == "" &&
			strings.Contains(clause[i+1:], "s") {
			return true
		}
	}
	return false
}

func (s *scanner) background(what string, line int, text string) {
	s.use(&s.out.Background, what, line, text)
}

// staysBehind notes commands that leave something running or start it later.
func (s *scanner) staysBehind(c invocation) {
	verb := func(verbs string) bool {
		for _, w := range c.args {
			if hasWord(verbs, w.text) {
				return true
			}
		}
		return false
	}
	stays := false
	switch c.name {
	case "nohup", "setsid", "disown", "daemonize", "start-stop-daemon", "at", "batch", "update-rc.d", "chkconfig", "systemd-run":
		stays = true
	case "crontab":
		stays = !hasFlag(c.args, 'l', "")
	case "systemctl":
		stays = verb("enable reenable start restart reload-or-restart link")
	case "service", "rc-service":
		stays = verb("start restart")
	case "rc-update":
		stays = verb("add")
	case "launchctl":
		stays = verb("load bootstrap enable start submit kickstart")
	case "loginctl":
		stays = verb("enable-linger")
	case "screen":
		stays = hasFlag(c.args, 'd', "")
	case "tmux":
		stays = verb("new new-session")
	case "docker", "podman", "nerdctl":
		stays = verb("run up") && hasFlag(c.args, 'd', "detach")
	case "pm2", "supervisorctl":
		stays = verb("start restart")
	}
	if stays {
		s.background(c.name, c.line, c.text())
	}
}
