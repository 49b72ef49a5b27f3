package shellscan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seed/internal/shellscan"
)

// facts writes what was found beside the commands and the variables set, a line
// each, so that a table can name all of it.
func facts(s *shellscan.Script) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, strings.TrimSpace(fmt.Sprintf(format, args...))) }
	for _, h := range s.Hosts {
		add("%d host %s", h.Line, h.Name)
	}
	for _, v := range s.EnvReads {
		add("%d read %s", v.Line, v.Name)
	}
	for _, w := range s.Writes {
		add("%d %s %s (%s)", w.Line, w.Action, w.Path, w.By)
	}
	for _, u := range s.Privileges {
		add("%d rights %s", u.Line, u.What)
	}
	for _, p := range s.ShellPipes {
		add("%d %s into %s: %s", p.Line, p.Kind, p.Shell, p.From)
	}
	for _, u := range s.Background {
		add("%d stays %s", u.Line, u.What)
	}
	for _, p := range s.Packages {
		add("%d package %s %s %s", p.Line, p.Manager, p.Action, strings.Join(p.Names, " "))
	}
	if s.Partial {
		add("partial")
	}
	return out
}

func TestScanOfInstallScripts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, src string
		want      []string
	}{
		{"nothing", "# only a comment with https://example.com/\n", nil},
		{"download to shell", "curl -fsSL https://get.example.com/x.sh | sh", []string{
			"1 host get.example.com", "1 download into sh: curl -fsSL https://get.example.com/x.sh",
		}},
		{"download to shell through sudo", "wget -qO- https://e.org | sudo -E bash -s -- -y\n", []string{
			"1 host e.org", "1 rights sudo", "1 download into bash: wget -qO- https://e.org",
		}},
		{"download to shell in a group", "curl e.org/i | { cd /tmp; sh; }", []string{
			"1 host e.org", "1 download into sh: curl e.org/i",
		}},
		{"process substitution", "bash <(curl -s https://e.org/i)", []string{
			"1 host e.org", "1 download into bash: <(curl -s https://e.org/i)",
		}},
		{"sourced process substitution", ". <(curl -s https://e.org/i)", []string{
			"1 host e.org", "1 download into .: <(curl -s https://e.org/i)",
		}},
		{"command substitution", `sh -c "$(curl -fsSL https://e.org/i)" "" --unattended`, []string{
			"1 host e.org", `1 download into sh -c: "$(curl -fsSL https://e.org/i)"`,
		}},
		{"eval of a download", `eval "$(wget -qO - e.org/i)"`, []string{
			"1 host e.org", `1 download into eval: "$(wget -qO - e.org/i)"`,
		}},
		{"here-string of a download", `bash <<< "$(curl e.org/i)"`, []string{
			"1 host e.org", `1 download into bash: "$(curl e.org/i)"`,
		}},
		{"input from a download", `bash < <(curl e.org/i)`, []string{
			"1 host e.org", `1 download into bash: <(curl e.org/i)`,
		}},
		{"python from a pipe", "curl -sSL https://e.org/p.py | python3 -", []string{
			"1 host e.org", "1 download into python3: curl -sSL https://e.org/p.py",
		}},
		{"download in a variable", "DL='curl -fsSL'\n$DL https://e.org/i | bash", []string{
			"2 host e.org", "2 download into bash: $DL https://e.org/i",
		}},
		{"decoded text", "base64 -d blob | sh", []string{"1 decode into sh: base64 -d blob"}},
		{"decoded text that stands here", "echo cm0gLXJmIC9ob21lCg== | base64 -d | sh", []string{
			"1 remove /home (rm)", "1 decode into sh: echo cm0gLXJmIC9ob21lCg== | base64 -d",
		}},
		{"unknown text", `eval "$cmd"`, []string{"1 read cmd", `1 dynamic into eval: "$cmd"`}},
		{"a pipe to no shell", "curl https://e.org | tar xz", []string{"1 host e.org", "1 write . (tar)"}},
		{"a shell with a script", "ls | sh ./do.sh", nil},
		{"code in a string", `bash -lc 'rm -rf /opt/a && curl https://e.org/x -o /opt/b'`, []string{
			"1 host e.org", "1 remove /opt/a (rm)", "1 write /opt/b (curl)",
		}},
		{"code in strings in strings", `sh -c "bash -c 'sh -c \"touch /deep\"'"`, []string{"1 write /deep (touch)"}},
		{"code with an expansion", `sh -c "mkdir $DEST/x"`, []string{"1 read DEST", "1 write ${DEST}/x (mkdir)"}},
		{"eval of a string", `eval 'rm -f /a;' "rm -f /b"`, []string{"1 remove /a (rm)", "1 remove /b (rm)"}},
		{"printed code", `printf '%s\n' 'touch /a' | sh`, []string{"1 write /a (touch)"}},
		{"here-document to a shell", "cat /dev/null\nsudo sh <<'EOF'\necho $A > /etc/x\n\nrm /y\nEOF\n", []string{
			"3 read A", "3 write /etc/x (redirect)", "5 remove /y (rm)", "2 rights sudo",
		}},
		{"here-document into a file", "cat > /etc/x <<EOF\nsee https://e.org/doc and $HOME\nrm -rf /\nEOF", []string{
			"2 host e.org", "2 read HOME", "1 write /etc/x (redirect)",
		}},
		{"here-document through cat", "cat <<EOF | bash\nrm /z\nEOF", []string{"2 remove /z (rm)"}},
		{"trap", `trap 'rm -rf "$t"' EXIT`, []string{"1 read t", "1 remove $t (rm)"}},
		{"network path", "exec 3<>/dev/tcp/10.1.2.3/4444; cat <&3", []string{"1 host 10.1.2.3"}},
		{"split and escaped names", "c''url http://a.example; \\wget -qO- http://b.example; $'\\x72m' /c; \"r\"m /d", []string{
			"1 host a.example", "1 host b.example", "1 remove /c (rm)", "1 remove /d (rm)",
		}},
		{"sudo in a variable", "SUDO=\n[ $EUID -eq 0 ] || SUDO=sudo\n$SUDO apt-get install -y jq", []string{
			"3 rights sudo", "3 package apt-get install jq",
		}},
		{"sudo with flags and settings", "sudo -u root -H FOO=1 env BAR=2 nice -n 5 rm /x", []string{
			"1 remove /x (rm)", "1 rights sudo",
		}},
		{"other ways up", "doas id; su -c 'touch /r'; pkexec id; setcap cap_net_raw+ep /bin/p; usermod -aG docker u", []string{
			"1 write /r (touch)", "1 rights doas", "1 rights su", "1 rights pkexec", "1 rights setcap", "1 rights group",
		}},
		{"setuid", "chmod u+s /a; chmod 4755 /b; chmod 0755 /c; chmod 1777 /d; install -m 2755 x /e; chmod +x s.sh", []string{
			"1 mode /a (chmod)", "1 mode /b (chmod)", "1 mode /c (chmod)", "1 mode /d (chmod)", "1 write /e (install)",
			"1 mode s.sh (chmod)", "1 rights setuid", "1 rights setuid", "1 rights setuid",
		}},
		{"redirections", "a > f; b >> g 2>&1; c &> h; d >| i; e 2>/dev/null >&2; f <in", []string{
			"1 write f (redirect)", "1 append g (redirect)", "1 write h (redirect)", "1 write i (redirect)",
		}},
		{"writers", "x | tee -a log; cp a b /dst; mv old new; ln -s /t/name; mkdir -p d/e; touch t; dd if=/dev/zero of=disk; rmdir q", []string{
			"1 append log (tee)", "1 write /dst (cp)", "1 write new (mv)", "1 remove old (mv)", "1 write name (ln)",
			"1 write d/e (mkdir)", "1 write t (touch)", "1 write disk (dd)", "1 remove q (rmdir)",
		}},
		{"target directory", "cp -t /dst a b; install -d /x /y; install -Dm755 a /bin/a", []string{
			"1 write /dst (cp)", "1 write /x (install)", "1 write /y (install)", "1 write /bin/a (install)",
		}},
		{"editors in place", "sed -i.bak 's/a/b/' f; sed -i '' -e s/a/b/ g; sed s/a/b/ h; perl -pi -e 's/x/y/' p", []string{
			"1 write f (sed)", "1 write g (sed)", "1 write p (perl)",
		}},
		{"modes and owners", "chmod -x f; chown -R root:root /o; chmod 644 a b", []string{
			"1 mode f (chmod)", "1 mode /o (chown)", "1 mode a (chmod)", "1 mode b (chmod)",
		}},
		{"downloads to files", "curl -fsSLo a https://e.org/1; curl -O https://e.org/d/2; wget https://e.org/3; wget -O b e.org/4; curl --output=c e.org", []string{
			"1 host e.org", "1 write a (curl)", "1 write 2 (curl)", "1 write 3 (wget)", "1 write b (wget)", "1 write c (curl)",
		}},
		{"archives", "tar -xzf a.tgz -C /opt; tar xf b; tar czf c.tgz d; unzip -q z.zip -d out; unzip -l z.zip", []string{
			"1 write /opt (tar)", "1 write . (tar)", "1 write out (unzip)",
		}},
		{"git", "git clone --depth 1 https://github.com/o/r.git; git clone git@gitlab.com:o/s dir; git commit -m 'a: b'; git config --global user.name x", []string{
			"1 host github.com", "1 host gitlab.com", "1 write r (git)", "1 write dir (git)", "1 write ~/.gitconfig (git)",
		}},
		{"remote shells", "ssh -p 22 me@box.example 'rm /remote'; scp -r x root@srv:/etc; rsync -av a/ b/; ping -c 1 8.8.8.8; nc -z db 5432", []string{
			"1 host box.example", "1 host srv", "1 host 8.8.8.8", "1 host db", "1 remove /remote (rm)", "1 write b/ (rsync)",
		}},
		{"addresses", "A=https://u:p@Host.Example:8443/x?y#z; B=git+https://b.example; C=http://[::1]:80/; D=ftp://$H/x; E=file:///etc", []string{
			"1 host host.example", "1 host b.example", "1 host ::1", "1 host $H", "1 read H",
		}},
		{"address in a default", "U=${U:-https://d.example/a}", []string{"1 host d.example", "1 read U"}},
		{"background", "nohup ./a & ./b &\ndisown; crontab -l; crontab new; systemctl enable --now x; systemctl status x; launchctl load p; docker run -d img", []string{
			"1 stays &", "1 stays nohup", "1 stays &", "2 stays disown", "2 stays crontab", "2 stays systemctl", "2 stays launchctl", "2 stays docker",
		}},
		{"start-up files", "echo x >> ~/.zshrc; cp u.service /etc/systemd/system/u.service; rm ~/.bashrc", []string{
			"1 append ~/.zshrc (redirect)", "1 write /etc/systemd/system/u.service (cp)", "1 remove ~/.bashrc (rm)",
			"1 stays startup file", "1 stays startup file",
		}},
		{"packages", "apt-get update; brew install --cask a; npm i -g b; npm test; pip3 install -r r.txt c; cargo install --git https://g.example/d; cargo build; go install e.org/f@latest; python3 -m pip install g; npx -y h; pacman -S i; uv tool install j", []string{
			"1 host g.example", "1 package apt-get update", "1 package brew install", "1 package npm i b", "1 package pip3 install c", "1 package cargo install",
			"1 package go install e.org/f@latest", "1 package pip install g", "1 package npx -y h", "1 package pacman -S i", "1 package uv tool install j",
		}},
		{"find and xargs", `find /a -name '*.o' -exec rm -f {} \; -print; ls | xargs -n 1 -I{} mv {} /dst`, []string{
			"1 remove {} (rm)", "1 write /dst (mv)", "1 remove {} (mv)",
		}},
		{"asking is not running", "command -v sudo >/dev/null; type curl; which wget", nil},
		{"reads and sets", "A=1; echo $A $B; C=${C:-x}; : ${D:=y}; for e in 1; do echo $e; done; read -r f <t; echo $f $1 $@ $? $UID", []string{
			"1 read B", "1 read C", "1 read D",
		}},
		{"reads in functions", "f() { echo $LATE $OWN $OUT; OWN=1; }\nLATE=1\nf\n", []string{"1 read OWN", "1 read OUT"}},
		{"arithmetic", "n=0; echo $((n + M)); ((k = 1, k++)); let j=k+L; for ((i=0;i<Z;i++)); do :; done", []string{
			"1 read M", "1 read L", "1 read Z",
		}},
		{"whole environment", "env | grep X; env A=1 cmd; printenv KEY", []string{"1 read *", "1 read KEY"}},
		{"nested everywhere", "if x; then (case $(rm /1) in a) while ! rm /2; do { rm /3; }; done;; esac); fi; f() { rm /4; }; a || rm /5 && `rm /6`; coproc rm /7; time rm /8; [[ -n $(rm /9) ]]", []string{
			"1 remove /1 (rm)", "1 remove /2 (rm)", "1 remove /3 (rm)", "1 remove /4 (rm)", "1 remove /5 (rm)", "1 remove /6 (rm)",
			"1 remove /7 (rm)", "1 remove /8 (rm)", "1 remove /9 (rm)", "1 stays coproc",
		}},
		{"own function of that name", "curl() { :; }\ncurl e.org", nil},
		{"code that does not parse", "sh -c 'if'", []string{"partial"}},
		{"control characters", "rm $'/a\\e[31m'", []string{"1 remove /a\x1b[31m (rm)"}},
		{"windows line ends", "curl https://e.org/a\r\nrm /x\r\n", []string{"1 host e.org", "2 remove /x (rm)"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := shellscan.Scan([]byte(c.src), shellscan.Options{})
			if err != nil {
				t.Fatalf("Scan(%q): %v", c.src, err)
			}
			if diff := cmp.Diff(c.want, facts(s)); diff != "" {
				t.Errorf("Scan(%q) (-want +got):\n%s", c.src, diff)
			}
		})
	}
}

func TestScanListsCommands(t *testing.T) {
	t.Parallel()
	src := "f() { g \"$x\"; }\nf 'a b'\nsudo -u me env A=1 \"$PWD/run\" one\n$tool go\n/bin/l? x\necho $(id -u)\n"
	s, err := shellscan.Scan([]byte(src), shellscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []shellscan.Command{
		{Line: 1, Name: "g", Args: []string{"$x"}},
		{Line: 2, Name: "f", Function: true, Args: []string{"a b"}},
		{Line: 3, Name: "sudo", Args: []string{"-u", "me", "env", "A=1", "$PWD/run", "one"}},
		{Line: 3, Name: "env", Args: []string{"A=1", "$PWD/run", "one"}, Via: "sudo"},
		{Line: 3, Name: "$PWD/run", Dynamic: true, Args: []string{"one"}, Via: "env"},
		{Line: 4, Name: "$tool", Dynamic: true, Args: []string{"go"}},
		{Line: 5, Name: "/bin/l?", Dynamic: true, Args: []string{"x"}},
		{Line: 6, Name: "id", Args: []string{"-u"}},
		{Line: 6, Name: "echo", Builtin: true, Args: []string{"$(…)"}},
	}
	if diff := cmp.Diff(want, s.Commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

func TestScanListsVariablesSet(t *testing.T) {
	t.Parallel()
	src := "A=1\nexport B=2 C\nD=3 cmd\nlocal e\ndeclare -x F=1\nA=2\nexport A\n"
	want := []shellscan.Variable{
		{Name: "A", Line: 1, Exported: true},
		{Name: "B", Line: 2, Exported: true},
		{Name: "C", Line: 2, Exported: true},
		{Name: "D", Line: 3, Exported: true},
		{Name: "e", Line: 4},
		{Name: "F", Line: 5, Exported: true},
	}
	s, err := shellscan.Scan([]byte(src), shellscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.EnvSets); diff != "" {
		t.Errorf("bash (-want +got):\n%s", diff)
	}
	s, err = shellscan.Scan([]byte("A=1\nexport B=2 C\nD=3 cmd\n"), shellscan.Options{Dialect: shellscan.POSIX})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]shellscan.Variable{{Name: "A", Line: 1}, want[1], want[2], want[3]}, s.EnvSets); diff != "" {
		t.Errorf("posix (-want +got):\n%s", diff)
	}
}

func TestScanIsDeterministicJSON(t *testing.T) {
	t.Parallel()
	src := []byte("#!/bin/sh\nA=${B:-$C} sudo curl https://e.org | sh\n")
	want := `{"dialect":"posix","commands":[{"line":2,"name":"sudo","args":["curl","https://e.org"]},` +
		`{"line":2,"name":"curl","args":["https://e.org"],"via":"sudo"},{"line":2,"name":"sh"}],` +
		`"urls":[{"url":"https://e.org","line":2}],"hosts":[{"name":"e.org","line":2}],` +
		`"env_reads":[{"name":"B","line":2},{"name":"C","line":2}],"env_sets":[{"name":"A","line":2,"exported":true}],` +
		`"privileges":[{"line":2,"what":"sudo","text":"sudo curl https://e.org"}],` +
		`"shell_pipes":[{"line":2,"shell":"sh","kind":"download","from":"A=${B:-$C} sudo curl https://e.org"}]}`
	for range 3 {
		s, err := shellscan.Scan(src, shellscan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}
