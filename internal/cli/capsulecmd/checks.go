package capsulecmd

import (
	"slices"
	"strings"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/ui"
)

// check is one line of the report. The names are those of CAP-RES-05.
type check struct {
	name  string
	state state
	note  string
}

type state string

const (
	checkOK     state = "ok"
	checkFailed state = "failed"
	deferred    state = "deferred"
	unbound     state = "not bound"
	notRun      state = "not run"
)

func (s state) style() ui.Style {
	switch s {
	case checkOK:
		return ui.Good
	case checkFailed:
		return ui.Bad
	case notRun:
		return ui.Dim
	}
	return ui.Warn
}

func (c *cmds) printChecks(out *command.Lines, res *capsule.Result) {
	t := ui.Table{Indent: 2}
	for _, k := range checks(res) {
		t.Add(ui.Cell{Text: k.name}, ui.Cell{Text: string(k.state), Style: k.state.style()}, ui.Cell{Text: k.note, Style: ui.Dim})
	}
	if out.Err == nil {
		out.Err = t.Print(out.W, c.UI.Color)
	}
}

// checks lists what was looked at. An L3 result has the checks of the outer
// capsule first, then those of its content.
func checks(res *capsule.Result) []check {
	if res.Outer == nil {
		return layerChecks(res, "")
	}
	list := slices.DeleteFunc(layerChecks(res.Outer, ""), func(k check) bool {
		return k.name == "chain" || k.name == "actor_set" // answered by the content
	})
	return append(list, layerChecks(res, "inner_")...)
}

func layerChecks(res *capsule.Result, prefix string) []check {
	failing := res.Failing()
	failed := func(areas ...capsule.Area) bool {
		return slices.ContainsFunc(failing, func(a capsule.Area) bool { return slices.Contains(areas, a) })
	}
	versions := failed(capsule.AreaVersion, capsule.AreaProfile)
	opened := res.Stage != "open"
	if res.Decryption != nil && !res.Decryption.OK && res.Level == "L3" {
		return []check{{"inner / decryption", checkFailed, ""}}
	}
	row := func(name string, ran bool, areas ...capsule.Area) check {
		switch {
		case !ran:
			return check{name: name, state: notRun}
		case failed(areas...):
			return check{name: name, state: checkFailed}
		}
		return check{name: name, state: checkOK}
	}
	ran := opened && !versions
	container := row(prefix+"container / parse", true, capsule.AreaContainer)
	if !opened && !versions {
		container.state = checkFailed
	}
	version := row("format / version", opened || versions, capsule.AreaVersion, capsule.AreaProfile)
	version.note = res.FormatVersion.Observed
	index := row(prefix+"content_index", ran, capsule.AreaContentIndex)
	chain := row("chain", ran, capsule.AreaChain, capsule.AreaChainAnchor)
	switch {
	case chain.state == checkOK && strings.HasPrefix(res.Chain.Note, "deferred"):
		chain.state, chain.note = deferred, res.Chain.Note
	case chain.state != notRun:
		chain.note = ui.Plural(int64(res.Chain.Events), "event", "events")
	}
	set := row(prefix+"signer_set", ran, capsule.AreaSignerSet)
	if set.state == checkOK && !res.SignerSet.Bound {
		set.state = unbound
	}
	actors := row("actor_set", ran, capsule.AreaParticipants)
	if actors.state == checkOK && !res.ActorSet.Bound {
		actors.state = unbound
	}
	list := []check{container}
	if prefix == "" {
		list = append(list, version)
	}
	list = append(list,
		row(prefix+"capsule_id / manifest_hash", ran, capsule.AreaCapsuleID, capsule.AreaManifestHash, capsule.AreaFirstEventBinding),
		index,
		row(prefix+"encryption_state", ran, capsule.AreaEncryptedBlob, capsule.AreaEncryptionShape, capsule.AreaEncryptionMetadata),
		chain,
		row(prefix+"envelope_signature", ran, capsule.AreaEnvelope, capsule.AreaOriginatorBinding),
		set, actors)
	if res.Lineage.Declared || failed(capsule.AreaLineage) {
		list = append(list, row(prefix+"lineage", ran, capsule.AreaLineage))
	}
	if prefix != "" {
		list = append(list, row("inner / outer", ran, capsule.AreaL3))
	}
	return list
}
