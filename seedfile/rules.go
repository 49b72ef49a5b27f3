package seedfile

import "seed/finding"

// The rules of the format, each named once.
var (
	ruleEncoding  = finding.Rule{ID: "SP-FMT-01", Want: "UTF-8 text without byte-order mark, NUL bytes or CR line ends"}
	ruleUsage     = finding.Rule{ID: "SP-FMT-02", Want: "the usage comment on line 1"}
	ruleURL       = finding.Rule{ID: "SP-FMT-03", Want: "an https URL of safe characters in the usage comment"}
	ruleBootstrap = finding.Rule{ID: "SP-FMT-05", Want: "a bootstrap before the here-document"}
	ruleHeredoc   = finding.Rule{ID: "SP-FMT-06", Want: "a here-document that begins and ends"}
	ruleFilename  = finding.Rule{ID: "SP-FMT-07", Want: "a plain file name in the here-document line"}
	ruleSentinel  = finding.Rule{ID: "SP-FMT-08", Want: "a sentinel of SEED_ and eight upper-case hex digits"}
	ruleCollision = finding.Rule{ID: "SP-FMT-09", Want: "the sentinel nowhere in the document"}
	ruleSize      = finding.Rule{ID: "SP-FMT-12", Want: "a seed within the size limit"}

	ruleFields   = finding.Rule{ID: "SP-META-01", Want: "metadata with the fields seed and grow"}
	ruleLines    = finding.Rule{ID: "SP-META-02", Want: "metadata lines of the restricted profile"}
	ruleOnce     = finding.Rule{ID: "SP-META-03", Want: "each known field once and in its plain form"}
	ruleVersion  = finding.Rule{ID: "SP-META-04", Want: `the version written as seed: "1.0"`}
	ruleGrow     = finding.Rule{ID: "SP-META-05", Want: "grow as one directive or a sequence of directives"}
	ruleType     = finding.Rule{ID: "SP-META-08", Want: "a type of skill, tool, context, data or archive"}
	ruleControls = finding.Rule{ID: "SP-PAY-04", Want: "no control or invisible characters in the payload"}

	ruleArchive  = finding.Rule{ID: "SP-ARC-01", Want: "an archive payload with its own frontmatter"}
	ruleMode     = finding.Rule{ID: "SP-ARC-06", Want: "a mode of three octal digits"}
	ruleCarry    = finding.Rule{ID: "SP-ARC-08", Want: "only what the format can carry"}
	ruleEncoded  = finding.Rule{ID: "SP-ARC-09", Want: `a body of canonical base64 after enc="base64"`}
	ruleSections = finding.Rule{ID: "SP-ARC-10", Want: "well-formed, unique file sections and one end mark"}
	rulePath     = finding.Rule{ID: "SP-PATH-01", Want: "paths that stay below the destination"}
	rulePathText = finding.Rule{ID: "SP-PATH-02", Want: "paths without characters that end their own header"}

	ruleDirective = finding.Rule{ID: "SP-GROW-01", Want: "only known directives"}
	ruleUnfold    = finding.Rule{ID: "SP-DIR-02", Want: "type: archive for unfold"}
	ruleCopy      = finding.Rule{ID: "SP-DIR-03", Want: "type: archive for copy"}
	ruleExec      = finding.Rule{ID: "SP-DIR-04", Want: "exec only for a document"}
	ruleInstall   = finding.Rule{ID: "SP-DIR-05", Want: "a plain name for install"}
	ruleRemote    = finding.Rule{ID: "SP-DIR-06", Want: "an https URL of safe characters for a URL directive"}

	ruleSum       = finding.Rule{ID: "SP-TPL-05", Want: "a document with the checksum that its transport names"}
	ruleCarries   = finding.Rule{ID: "SP-TPL-08", Want: "a transport that can do what grow asks"}
	ruleTransport = finding.Rule{ID: "SP-TPL-09", Want: "the canonical transport, byte for byte"}

	ruleConflict = finding.Rule{ID: "SP-PACK-02", Want: "frontmatter that can be merged with the seed's fields"}
	ruleTwoPass  = finding.Rule{ID: "SP-PACK-05", Want: "files that do not change while they are packed"}
)
