#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
The include graph.  A unit is x.c and x.h of one folder together; an arrow goes from
a unit to one whose header it includes by #include "…".

    includes.py [--tree TREE]            says which cycles there are; fails on one
    includes.py [--tree TREE] --graph [AREA]...   prints Graphviz, a cluster a folder
"""
import argparse
import os
import re
import sys
from collections import defaultdict

# Each is free of cycles; one area's files may include another's.
AREAS = {
    "module": ["drivers/gpu/timegraph"],
    "model": ["model"],
    "tools": ["tools", "workloads"],
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
CORE = "drivers/gpu/timegraph/core/"
ATTACH = "drivers/gpu/timegraph/attach/"
# The seams: all that the core may know of its host, and the shell of nouveau.
PORT = CORE + "tg_port"
ATTACH_PUBLIC = ATTACH + "tg_attach"


def sources(tree, folders):
    """The C files below folders, by their paths in the tree."""
    found = []
    for folder in folders:
        for path, dirs, files in os.walk(os.path.join(tree, folder)):
            dirs[:] = sorted(d for d in dirs if not d.startswith(".") and d != "build")
            found += [os.path.relpath(os.path.join(path, f), tree) for f in sorted(files)
                      if f.endswith((".c", ".h"))]
    return found


def unit(path):
    return os.path.splitext(path)[0]


class Graph:
    """The units of one area.  edges[a][b]: the line by which a includes b."""

    def __init__(self, tree, folders):
        self.edges = defaultdict(dict)
        self.files = sources(tree, folders)
        # A file that two programs could mean.
        self.unclear = []
        # Not in the area: of another, of QEMU, made by the build.
        self.outside = []
        by_name = defaultdict(list)
        for path in self.files:
            by_name[os.path.basename(path)].append(path)
        for path in self.files:
            with open(os.path.join(tree, path), encoding="utf-8") as f:
                text = f.read()
            for found in INCLUDE.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                self.add(path, line, found[1], by_name)

    def add(self, path, line, name, by_name):
        here = os.path.normpath(os.path.join(os.path.dirname(path), name))
        candidates = [p for p in by_name[os.path.basename(name)]
                      if ("/" + p).endswith("/" + name)]
        if here in by_name[os.path.basename(name)]:
            candidates = [here]
        if not candidates:
            self.outside.append((path, line, name))
        elif len(candidates) > 1:
            self.unclear.append(f'{path}:{line}: "{name}" is one of {", ".join(candidates)}')
        elif unit(candidates[0]) != unit(path):
            self.edges[unit(path)].setdefault(unit(candidates[0]), f"{path}:{line}")

    def units(self):
        return sorted({unit(p) for p in self.files})

    def cycles(self):
        """The strongly connected parts that are larger than a unit, as Tarjan finds them."""
        index, low, stack, out = {}, {}, [], []

        def visit(u):
            index[u] = low[u] = len(index)
            stack.append(u)
            for v in sorted(self.edges[u]):
                if v not in index:
                    visit(v)
                    low[u] = min(low[u], low[v])
                elif v in stack:
                    low[u] = min(low[u], index[v])
            if low[u] == index[u]:
                part = stack[stack.index(u):]
                del stack[stack.index(u):]
                if len(part) > 1:
                    out.append(sorted(part))

        for u in self.units():
            if u not in index:
                visit(u)
        return out

    def shortest(self, part):
        """One cycle in a connected part, as short as there is, as lines to read."""
        best = None
        for start in part:
            before, queue = {start: None}, [start]
            for u in queue:
                for v in self.edges[u]:
                    if v in part and v not in before:
                        before[v] = u
                        queue.append(v)
            for u in queue:
                if start in self.edges[u]:
                    way = []
                    while u is not None:
                        way.append(u)
                        u = before[u]
                    if best is None or len(way) < len(best):
                        best = way[::-1]
                    break
        return [f"{self.edges[a][b]}: {a} -> {b}" for a, b in zip(best, best[1:] + best[:1])]


def check_cycles(tree, area):
    """(what is wrong, what was seen)"""
    g = Graph(tree, AREAS[area])
    wrong = list(g.unclear)
    for part in g.cycles():
        wrong.append(f"a cycle of {len(part)}: {', '.join(part)}")
        wrong += [f"  {line}" for line in g.shortest(part)]
    arrows = sum(len(g.edges[u]) for u in g.units())
    if not arrows:
        wrong.append("there is nothing to look at")
    return wrong, [f"{len(g.units())} units, {arrows} arrows"]


def check_layers(tree):
    """The core knows nobody, and of attach/ the rest of the module one header."""
    g = Graph(tree, AREAS["module"])
    wrong = []
    for a in g.units():
        for b, line in g.edges[a].items():
            if a.startswith(CORE) and not b.startswith(CORE):
                wrong.append(f"{line}: the core includes {b}")
            if b.startswith(ATTACH) and not a.startswith(ATTACH) and b != ATTACH_PUBLIC:
                wrong.append(f"{line}: a private header of attach")
    wrong += [f"{path}:{line}: the core includes {name}" for path, line, name in g.outside
              if path.startswith(CORE)]
    core = [p for p in g.files if p.startswith(CORE)]
    for path in core:
        with open(os.path.join(tree, path), encoding="utf-8") as f:
            if not path.startswith(PORT) and re.search(r"^[ \t]*#[ \t]*include[ \t]+<", f.read(), re.M):
                wrong.append(f"{path}: a header of the host; {PORT}.h has what there is")
    if not core:
        wrong.append("there is no core")
    return wrong, [f"{len(core)} files of the core"]


def draw(graphs, out=sys.stdout):
    """Graphviz: arrows that are in a cycle are red."""
    print("digraph includes {", file=out)
    print("\trankdir=LR; node [shape=box, fontsize=10]; compound=true;", file=out)
    folders = defaultdict(list)
    for g in graphs:
        for u in g.units():
            folders[os.path.dirname(u)].append(u)
    for n, folder in enumerate(sorted(folders)):
        print(f'\tsubgraph cluster_{n} {{\n\t\tlabel="{folder}";', file=out)
        for u in folders[folder]:
            print(f'\t\t"{u}" [label="{os.path.basename(u)}"];', file=out)
        print("\t}", file=out)
    for g in graphs:
        part_of = {u: n for n, part in enumerate(g.cycles()) for u in part}
        for a in g.units():
            for b in sorted(g.edges[a]):
                red = a in part_of and part_of[a] == part_of.get(b)
                print(f'\t"{a}" -> "{b}"{" [color=red]" if red else ""};', file=out)
    print("}", file=out)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="the include graph of the tree")
    parser.add_argument("--tree", default=os.path.join(here, "../../.."))
    parser.add_argument("--graph", action="store_true", help="print it for Graphviz")
    parser.add_argument("area", nargs="*", help=f"of {', '.join(AREAS)}; without: all")
    args = parser.parse_args()
    wrong = [a for a in args.area if a not in AREAS]
    if wrong:
        parser.error(f"there is no area {wrong[0]}: {', '.join(AREAS)}")
    areas = args.area or list(AREAS)
    if args.graph:
        draw([Graph(args.tree, AREAS[a]) for a in areas])
        return 0
    wrong = check_layers(args.tree)[0]
    for area in areas:
        wrong += [f"{area}: {line}" for line in check_cycles(args.tree, area)[0]]
    print("\n".join(wrong) or "no cycles")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
