package jcs_test

import (
	"fmt"

	"seed/jcs"
)

func Example() {
	d, err := jcs.ParseStrict([]byte(`{ "seq": 1.0, "actor": "human:\u0061", "hash": "…", "x-new": [ 1e2 ] }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	event := d.Root()
	seq, _ := event.Member("seq").Int()
	fmt.Println(seq, event.Member("actor").Str())
	fmt.Printf("%s\n", event.AppendCanonicalWithout(nil, "hash"))
	// Output:
	// 1 human:a
	// {"actor":"human:a","seq":1,"x-new":[100]}
}

func ExampleCanonical() {
	_, err := jcs.Canonical([]byte("{\"a\": 1,\n \"\\u0061\": 2}"))
	fmt.Println(err)
	// Output: line 2, column 2: member "a" stands in its object twice (CAP-JSON-02)
}
