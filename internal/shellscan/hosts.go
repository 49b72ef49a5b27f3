package shellscan

import "strings"

// maxURL is how much of an address is kept.
const maxURL = 400

// addresses notes every URL in w.
func (s *scanner) addresses(w word) {
	line := w.line
	for text := w.text; ; {
		i := strings.Index(text, "://")
		if i < 0 {
			break
		}
		start := i
		for start > 0 && i-start < 24 && isSchemeByte(text[start-1]) {
			start--
		}
		end := i + 3 + urlLen(text[i+3:])
		line += strings.Count(text[:i], "\n")
		s.url(text[start:i], text[i+3:end], line)
		text = text[end:]
	}
	if host, ok := socketHost(w.text); ok {
		s.host(host, w.line, w.dynamic)
	}
}

func isSchemeByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '.' || c == '-'
}

// urlLen returns how much of text belongs to a URL; it keeps ${…} and $(…)
// together.
func urlLen(text string) int {
	brace, paren := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$' && strings.HasPrefix(text[i:], "${"):
			brace++
			i++
		case c == '$' && strings.HasPrefix(text[i:], "$("):
			paren++
			i++
		case c == '}':
			if brace--; brace < 0 {
				return i
			}
		case c == ')':
			if paren--; paren < 0 {
				return i
			}
		case c <= ' ', c == 0x7f, strings.IndexByte("\"'`<>|;\\^", c) >= 0:
			return i
		}
	}
	return len(text)
}

func (s *scanner) url(scheme, rest string, line int) {
	scheme = strings.ToLower(strings.TrimLeft(scheme, "0123456789+.-"))
	if scheme == "" || scheme == "file" || rest == "" {
		return
	}
	rest = strings.TrimRight(rest, ".,:")
	dyn := strings.Contains(rest, "$")
	u := cut(scheme+"://"+rest, maxURL)
	single(s, &s.out.URLs, URL{URL: u, Line: line, Dynamic: dyn}, "url "+u)
	host := rest
	if i := hostEnd(rest); i >= 0 {
		host = rest[:i]
	}
	s.host(host, line, strings.Contains(host, "$"))
}

// hostEnd finds the end of the host part outside of ${…}, where a slash may be
// part of a pattern.
func hostEnd(rest string) int {
	brace := 0
	for i := range len(rest) {
		switch rest[i] {
		case '{', '(':
			brace++
		case '}', ')':
			brace--
		case '/', '?', '#':
			if brace <= 0 {
				return i
			}
		}
	}
	return -1
}

// host notes a host, given with or without user and port.
func (s *scanner) host(name string, line int, dyn bool) {
	if i := strings.LastIndexByte(name, '@'); i >= 0 && !dyn {
		name = name[i+1:]
	}
	if !dyn {
		if inner, ok := strings.CutPrefix(name, "["); ok {
			name, _, _ = strings.Cut(inner, "]")
		} else if h, port, ok := strings.Cut(name, ":"); ok && strings.Trim(port, "0123456789") == "" {
			name = h
		}
		name = strings.ToLower(strings.TrimRight(name, "."))
	}
	if name == "" || strings.ContainsAny(name, " \n\t,=*") && !dyn {
		return
	}
	name = cut(name, maxArg)
	single(s, &s.out.Hosts, Host{Name: name, Line: line, Dynamic: dyn}, "host "+name)
}

// socketHost reads bash's network paths, /dev/tcp/HOST/PORT.
func socketHost(p string) (string, bool) {
	for _, dir := range []string{"/dev/tcp/", "/dev/udp/"} {
		if _, rest, ok := strings.Cut(p, dir); ok {
			host, _, _ := strings.Cut(rest, "/")
			return host, host != ""
		}
	}
	return "", false
}

// talksTo notes hosts that are written without a scheme.
func (s *scanner) talksTo(c invocation) {
	switch c.name {
	case "curl":
		s.hostLike(positionals(c.args, "oHdXuAebTFKmyYzCEPQrtUwxcD",
			"output header data data-raw data-binary request user user-agent proxy cookie cookie-jar form cacert cert key "+
				"max-time connect-timeout retry retry-delay write-out range upload-file resolve proto tlsv1"), false)
	case "wget", "fetch", "aria2c", "http", "https":
		s.hostLike(positionals(c.args, "OPoUeaAtTQ", "output-document directory-prefix header user-agent tries timeout output-file"), false)
	case "ssh", "ssh-copy-id", "sftp", "mosh":
		if rest := skipFlags(c.args, sshValued, ""); len(rest) > 0 {
			s.hostLike(rest[:1], true)
		}
	case "nc", "ncat", "netcat", "telnet":
		if rest := positionals(c.args, "ipswXxeq", ""); len(rest) > 0 {
			s.hostLike(rest[:1], true)
		}
	case "ping", "ping6", "traceroute", "dig", "nslookup", "host", "ssh-keyscan", "whois", "ftp":
		s.hostLike(positionals(c.args, "cWiItswpT", ""), c.name == "ping" || c.name == "ssh-keyscan")
	case "scp", "rsync", "git":
		for _, w := range c.args {
			if host, ok := remoteHost(w.text); ok && (c.name != "git" || strings.ContainsAny(host, "@.")) {
				s.host(host, w.line, strings.Contains(host, "$"))
			}
		}
	}
}

// hostLike notes those words that look like a host; any of them if sure.
func (s *scanner) hostLike(words []word, sure bool) {
	for _, w := range words {
		if w.text == "" || strings.Contains(w.text, "://") || strings.HasPrefix(w.text, "-") {
			continue
		}
		host, _, _ := strings.Cut(w.text, "/")
		if w.dynamic {
			// Only a name with something written down tells anything.
			if strings.ContainsAny(host, "@.") || sure {
				s.host(host, w.line, strings.Contains(host, "$"))
			}
			continue
		}
		name, _, _ := strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
		if sure || name == "localhost" || strings.Contains(strings.Trim(name, "."), ".") {
			s.host(host, w.line, false)
		}
	}
}

// remoteHost reads [user@]host:path, as scp, rsync and git write it.
func remoteHost(text string) (string, bool) {
	host, rest, ok := strings.Cut(text, ":")
	if !ok || host == "" || strings.HasPrefix(rest, "//") || strings.ContainsAny(host, "/= ") || strings.HasPrefix(host, "-") {
		return "", false
	}
	return host, true
}
