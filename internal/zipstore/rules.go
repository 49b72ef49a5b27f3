package zipstore

import "seed/finding"

var (
	ruleFields     = finding.Rule{ID: "CAP-ZIP-04", Want: "sizes and CRC-32 of the content in the local header"}
	ruleWritable   = finding.Rule{ID: "CAP-ZIP-07", Want: "no more entries than the limit, safe names, every name once"}
	ruleEnd        = finding.Rule{ID: "CAP-ZIP-10", Want: "an end record that ends with the file"}
	ruleOneEnd     = finding.Rule{ID: "CAP-ZIP-11", Want: "one end record"}
	ruleNoZIP64    = finding.Rule{ID: "CAP-ZIP-12", Want: "one disk and no ZIP64"}
	ruleDirectory  = finding.Rule{ID: "CAP-ZIP-13", Want: "a central directory that ends at the end record with the declared entries"}
	ruleName       = finding.Rule{ID: "CAP-ZIP-14", Want: "safe names"}
	ruleUnique     = finding.Rule{ID: "CAP-ZIP-15", Want: "every name once"}
	ruleStored     = finding.Rule{ID: "CAP-ZIP-16", Want: "stored entries"}
	ruleType       = finding.Rule{ID: "CAP-ZIP-17", Want: "regular files and directories"}
	ruleMarker     = finding.Rule{ID: "CAP-ZIP-18", Want: "directories that are named as such and empty"}
	ruleLocal      = finding.Rule{ID: "CAP-ZIP-19", Want: "local headers that agree with the central directory"}
	ruleCRC        = finding.Rule{ID: "CAP-ZIP-20", Want: "content with the CRC-32 of its record"}
	ruleLimits     = finding.Rule{ID: "CAP-ZIP-21", Want: "no more entries and bytes than the limits"}
	ruleEncoding   = finding.Rule{ID: "CAP-ZIP-22", Want: "names that every program decodes alike"}
	ruleCoverage   = finding.Rule{ID: "CAP-ZIP-23", Want: "every byte in one entry, the central directory or the end record"}
	ruleDescriptor = finding.Rule{ID: "CAP-ZIP-24", Want: "a data descriptor of 12 or 16 bytes, and neither it nor a comment when strict"}
)
