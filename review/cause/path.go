package cause

import (
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// pathTree finds parameters that several hosts share under one path, as sites with the same software do. It counts
// the open URLs with an unknown parameter at each segment of their paths. The URLs of a host come one after the
// other, so a node stores only its last host. Nodes hold no pointers, for there may be millions, most of them the
// whole path of one URL.
type pathTree struct {
	ids   map[string]int32 // of parameters and segments
	texts []string         // by ID
	index map[pathStep]int32
	nodes []pathNode
	name  string // of the current host
	host  int32  // number of the current host, from 1
}

// pathStep leads from a node to a segment below it. From noNode it leads to the root for a parameter.
type pathStep struct{ from, text int32 }

const noNode = -1

// pathNode counts the URLs at and below a prefix.
type pathNode struct {
	pathStep
	host  int32 // number of the last host
	hosts int32
	tally
	leaf bool // a URL has exactly this path
}

func newPathTree() *pathTree { return &pathTree{ids: map[string]int32{}, index: map[pathStep]int32{}} }

// id returns the number of a text. It clones the text, which is a part of a longer one.
func (t *pathTree) id(text string) int32 {
	id, ok := t.ids[text]
	if !ok {
		id, text = int32(len(t.texts)), strings.Clone(text)
		t.ids[text] = id
		t.texts = append(t.texts, text)
	}
	return id
}

func (t *pathTree) step(from, text int32) int32 {
	s := pathStep{from, text}
	node, ok := t.index[s]
	if !ok {
		node = int32(len(t.nodes))
		t.index[s] = node
		t.nodes = append(t.nodes, pathNode{pathStep: s})
	}
	return node
}

// noPath is no node: there is no URL so far, or its path is not in the tree.
const noPath = noNode

// add counts a URL with that hash under one of its parameters, and returns the node of its path. It leaves out
// identifiers of advertising, which have one rule for all paths.
func (t *pathTree) add(u review.Undecided, param string, hash uint64) int32 {
	if t == nil || isAdvertising(param) {
		return noPath
	}
	if u.Host != t.name || t.host == 0 {
		t.name = u.Host
		t.host++
	}
	path := review.PathOf(u.Canonical)
	if path == "" {
		return noPath
	}
	node := t.step(noNode, t.id(param))
	for segment := range strings.SplitSeq(path[1:], "/") {
		node = t.step(node, t.id(segment))
		t.nodes[node].add(hash, u.Flags.Len() == 1, len(u.Params))
		t.countHost(node)
	}
	t.nodes[node].leaf = true
	return node
}

// common returns the last node above both of one parameter, or of these. A node has a larger number than those above
// it.
func (t *pathTree) common(a, b int32) int32 {
	if a == noPath || b == noPath {
		return max(a, b)
	}
	for a != b {
		if a < b {
			a, b = b, a
		}
		a = t.nodes[a].from
	}
	return a
}

func (t *pathTree) countHost(node int32) {
	n := &t.nodes[node]
	if n.host != t.host {
		n.host = t.host
		n.hosts++
	}
}

// shared returns the nodes of causes: for each whole path, its longest prefix on at least two hosts.
func (t *pathTree) shared() map[int32]bool {
	chosen := map[int32]bool{}
	for i := range t.nodes {
		if !t.nodes[i].leaf {
			continue
		}
		node := int32(i)
		for node != noNode && t.nodes[node].hosts < 2 {
			node = t.nodes[node].from
		}
		if node != noNode {
			chosen[node] = true
		}
	}
	return chosen
}

// place returns the parameter and the path of a node.
func (t *pathTree) place(node int32) (param, path string) {
	for n := t.nodes[node]; ; n = t.nodes[n.from] {
		if n.from == noNode {
			return t.texts[n.text], path
		}
		path = "/" + t.texts[n.text] + path
	}
}

// underPath identifies the URLs of a node.
type underPath struct {
	path string
	urls sameURLs
}

// causes appends a cause to the list for the shared nodes of each path that have the same URLs, unless these are known
// already. It returns the list, and the index of the cause of each node.
func (t *pathTree) causes(list []Cause, known map[sameURLs]bool) ([]Cause, map[int32]int32) {
	shared := t.shared()
	params := make(map[underPath][]string, len(shared))
	nodes := make(map[underPath][]int32, len(shared))
	for node := range shared {
		if known[t.nodes[node].same()] {
			continue
		}
		param, path := t.place(node)
		key := underPath{path, t.nodes[node].same()}
		params[key], nodes[key] = append(params[key], param), append(nodes[key], node)
	}
	rows := make(map[int32]int32, len(shared))
	for key, same := range nodes {
		names, n := params[key], &t.nodes[same[0]]
		slices.Sort(names)
		for _, node := range same {
			rows[node] = int32(len(list))
		}
		list = append(list, Cause{Kind: ByPath, Flag: canon.UnknownParam, Params: NamesOf(names...), Path: key.path,
			N: int(n.n), Sole: int(n.settles(len(names))), Hosts: int(n.hosts)})
	}
	return list, rows
}
