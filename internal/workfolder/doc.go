// Package workfolder is the folder in which a capsule is authored: plain files
// that a person edits, and a log of events that only grows.
//
//	capsule.json           label, participants, where the folder came from
//	program.md             what this is about
//	agents.md              who works on it, and how
//	skills/<id>/           one folder a skill: SKILL.md, skill.json and what belongs to it
//	payload/               the work product
//	chain/events.jsonl     what happened; written by append, never by hand
//
// Nothing else in the folder goes into the capsule, except files that
// capsule.json lists. A .seedignore file leaves files out, as when packing.
//
// The package joins disk and package build; it holds no keys and no rules of the
// format.
package workfolder
