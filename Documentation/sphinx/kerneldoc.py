# SPDX-License-Identifier: GPL-2.0-or-later
"""
The interface's pages from the kernel-doc comments of its headers.

    .. kernel-doc:: ../include/uapi/drm/timegraph.h
       :part: overview | calls | types | functions

The kernel's own scripts/kernel-doc is not used. It is in no Debian package but the
kernel's source (150 MB for one script), it changed its language and its output
between 6.12 and 7.2, and it knows nothing of ioctl numbers. What these headers use
of kernel-doc is little: one comment before each thing, "@member:" lines, free text.

What is not documented is a warning: a member of a structure, an ioctl, a function;
so is what is documented and does not exist. Names of the headers in the text become
links, and a link that leads nowhere is a warning of Sphinx' nitpicky mode.
"""
import re

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

log = logging.getLogger(__name__)

COMMENT = re.compile(r"/\*(\*?)(.*?)\*/", re.S)
MEMBER = re.compile(r"([\w\s]+?[\s*]+)(\w+)((?:\[\w+\])?)\s*;")
IOCTL = re.compile(r"#define (\w+_IOC_\w+)\s*(?:\\\n\s*)?(_IO[WR]*)\(\w+, (\w+)(?:,\s*([\w ]+))?\)")
CONSTANT = re.compile(r"^#define (\w+)[ \t]+([^\s/][^/\n]*?)[ \t]*(?:/\* (.*?) \*/)?$", re.M)
FUNCTION = re.compile(r"^([a-z][\w ]+?[ *]+)(\w+)\(([^;{}]*)\);", re.M)


class Comment:
    """A kernel-doc comment: name, summary, members, free text."""

    def __init__(self, text, line):
        self.line, self.members, self.text = line, {}, []
        lines = [re.sub(r"^\s*\* ?", "", s) for s in text.strip("\n").split("\n")]
        lines = [s.rstrip() for s in lines]
        while lines and not lines[0].strip():
            lines.pop(0)
        head = []
        while lines and lines[0] and not lines[0].startswith("@"):
            head.append(lines.pop(0).strip())
        self.key, _, self.summary = " ".join(head).partition(" - ")
        self.name = self.key.split(" ")[-1]
        into = None
        for s in lines:
            found = re.match(r"@(\w+): *(.*)", s)
            if found:
                into = self.members.setdefault(found[1], [found[2]])
            elif into is not None and s[:1] in ("\t", " ") and s.strip():
                into.append(s.strip())
            else:
                into = None
                self.text.append(s)


class Header:
    """What a header declares, in its order, and what is said about it."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as f:
            self.source = f.read()
        # Comments end where they end: the text after one is what it is about.
        self.docs, self.plain = {}, {}
        for m in COMMENT.finditer(self.source):
            line = self.line(m.start())
            after = self.source[m.end():].lstrip("\n")
            if m[1]:
                c = Comment(m[2], line)
                self.docs[c.key] = c
            else:
                self.plain[after.split("(")[0].split("\n")[0].strip()] = m[2]
        self.overview = [m for m in COMMENT.finditer(self.source)][1]
        bare = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), self.source)
        self.structs = {m[1]: (m[2], self.line(m.start()))
                        for m in re.finditer(r"^struct (\w+) \{(.*?)^\};", bare, re.M | re.S)}
        self.enums = {m[1]: (re.findall(r"(\w+)(?: = (\w+))?,", m[2]), self.line(m.start()))
                      for m in re.finditer(r"^enum (\w+) \{(.*?)^\};", bare, re.M | re.S)}
        self.ioctls = {m[1]: (m[2], m[3], m[4], self.line(m.start()))
                       for m in IOCTL.finditer(bare)}
        self.constants = {m[1]: (m[2], m[3], self.line(m.start()))
                          for m in CONSTANT.finditer(self.source)
                          if m[1] not in self.ioctls}
        self.functions = {m[2]: (m[1], " ".join(m[3].split()), self.line(m.start()))
                          for m in FUNCTION.finditer(bare)}
        self.order = sorted([(line, "struct", n) for n, (_, line) in self.structs.items()] +
                            [(line, "enum", n) for n, (_, line) in self.enums.items()] +
                            [(line, "constant", n) for n, (_, _, line) in self.constants.items()])

    def line(self, at):
        return self.source.count("\n", 0, at) + 1

    def saying(self, name):
        """The comments that speak of it: TIMEGRAPH_IOC_SET_TASK and _CLEAR_TASK."""
        return [c for c in self.docs.values()
                if re.search(rf"\b{name}\b", " ".join([c.summary] + c.text))]

    def links(self, text):
        """Names become links; @member a literal."""
        def link(m):
            kind, n = m[1], m[2]
            if n in self.structs:
                return f":c:struct:`{n}`"
            if n in self.enums:
                return f":c:enum:`{n}`"
            if n in self.functions:
                return f"``{n}()``"     # in a name space of its own, see abi.rst
            if n in self.ioctls or n in self.constants:
                return f":c:macro:`{n}`"
            if any(n == e for names, _ in self.enums.values() for e, _ in names):
                return f":c:enumerator:`{n}`"
            if n.startswith("TIMEGRAPH_") or kind:
                log.warning("%s: the text names %s, which the header does not have",
                            self.path, m[0])
            return m[0]
        text = re.sub(r"@(\w+)", r"``\1``", text.replace("|", r"\|"))
        text = re.sub(r"\b(TIMEGRAPH_\w*_)\*", r"``\1*``", text)
        return re.sub(r"(?<![`\w])(struct |enum )?(timegraph_\w+|TIMEGRAPH_\w+)\b(?:\(\))?(?![`*])",
                      link, text)


class KernelDoc(SphinxDirective):
    required_arguments = 1
    option_spec = {"part": directives.unchanged_required,
                   "external": directives.unchanged}

    def run(self):
        rel, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(rel)
        self.h, self.out = Header(path), StringList()
        # A library's header speaks of what the interface's header declares.
        for other in self.options.get("external", "").split():
            self.borrow(Header(self.env.relfn2path(other)[1]))
        getattr(self, "part_" + self.options["part"])()
        section = nodes.section()
        section.document = self.state.document
        nested_parse_with_titles(self.state, self.out, section)
        return section.children

    def borrow(self, other):
        links, mine = other.links, self.h.links
        names = set(other.structs) | set(other.ioctls) | set(other.constants)
        known = "|".join(sorted(names, key=len, reverse=True))

        def both(text):
            parts = re.split(rf"((?:struct )?\b(?:{known})\b(?!\w))", text)
            return "".join(links(p) if i % 2 else mine(p) for i, p in enumerate(parts))
        self.h.links = both

    def put(self, depth, text="", line=0):
        self.out.append("   " * depth + text if text else "", self.h.path, line)

    def warn(self, line, text):
        log.warning(text, location=f"{self.h.path}:{line}")

    def prose(self, depth, lines, line):
        for s in lines:
            self.put(depth, self.h.links(s.strip("\t")), line)
        self.put(0)

    def part_overview(self):
        """The comment at the head of the file; a lone line before a list is a heading."""
        lines = [re.sub(r"^\s*\* ?", "", s) for s in self.h.overview[2].split("\n")][3:]
        for i, s in enumerate(lines):
            alone = not lines[i - 1].strip() and i + 1 < len(lines) and not lines[i + 1].strip()
            if alone and re.match(r"[A-Z][\w ]+$", s):
                self.put(0, f".. rubric:: {s}")
            else:
                self.put(0, self.h.links(s.rstrip()))

    def part_calls(self):
        for name, (how, number, arg, line) in self.h.ioctls.items():
            about = self.h.saying(name)
            short = "_" + name.split("_IOC_")[1]
            if not about and arg:
                own = self.h.docs.get(arg)
                about = [own] if own and re.search(rf"{short}\b", own.summary) else []
            comment = self.h.plain.get("#define " + name + " " + how)
            if not about and not comment:
                self.warn(line, f"ioctl {name} is not documented")
            self.put(0, f".. c:macro:: {name}", line)
            self.put(0)
            if arg:
                arg = arg.split(" ")[-1]
                way = {"_IOR": "filled in", "_IOW": "read", "_IOWR": "read and filled in"}[how]
                self.put(1, f"Number {number}. The argument is a :c:struct:`{arg}`, which is {way}.")
            else:
                self.put(1, f"Number {number}. No argument.")
            self.put(0)
            for c in about:
                if c.name != arg:
                    continue
                what = c.summary.split(": ", 1)[1:]
                self.prose(1, [what[0][:1].upper() + what[0][1:] + "."] if what else [], line)
            if comment:
                self.prose(1, [" ".join(re.sub(r"\n \*", "", comment).split())], line)

    def part_types(self):
        for _, kind, name in self.h.order:
            getattr(self, "put_" + kind)(name)

    def put_enum(self, name):
        self.put(0, f".. c:enum:: {name}")
        self.put(0)
        for n, value in self.h.enums[name][0]:
            self.put(1, f".. c:enumerator:: {n}")
            self.put(0)
            self.put(2, f"``{value}``")
            self.put(0)

    def put_constant(self, name):
        value, about, line = self.h.constants[name]
        self.put(0, f".. c:macro:: {name}", line)
        self.put(0)
        self.put(1, f"``{value}``" + (f": {self.h.links(about)}" if about else ""))
        self.put(0)

    def put_struct(self, name):
        body, line = self.h.structs[name]
        doc = self.h.docs.get("struct " + name)
        if not doc:
            self.warn(line, f"struct {name} is not documented")
            doc = Comment(f"struct {name} - ", line)
        self.put(0, f".. c:struct:: {name}", doc.line)
        self.put(0)
        self.prose(1, [doc.summary[:1].upper() + doc.summary[1:] + "."], doc.line)
        members = [(t.strip(), n, a) for t, n, a in MEMBER.findall(body)]
        said = " ".join(sum(doc.members.values(), doc.text))
        for t, n, array in members:
            text = doc.members.get(n)
            # "@count of them" in the text of another member documents it, too.
            if not text and n != "reserved" and f"@{n}" not in said:
                if self.options["part"] == "types" and "external" not in self.options:
                    self.warn(line, f"struct {name}: member {n} is not documented")
            self.put(1, f".. c:member:: {t} {n}{array}", doc.line)
            self.put(0)
            if text:
                self.prose(2, [" ".join(text)], doc.line)
        for n in doc.members:
            if n not in [m[1] for m in members]:
                self.warn(doc.line, f"struct {name} has no member {n}, which is documented")
        self.prose(1, doc.text, doc.line)

    def part_functions(self):
        for name, (result, args, line) in self.h.functions.items():
            doc = self.h.docs.get(name)
            if not doc and not self.h.saying(name) and not name.endswith("_free"):
                self.warn(line, f"{name}() is not documented")
            self.put(0, f".. c:function:: {result.strip()} {name}({args})", line)
            self.put(0)
            if not doc:
                continue
            self.prose(1, [doc.summary + "."], doc.line)
            for n, text in doc.members.items():
                if not re.search(rf"\b{n}\b", args):
                    self.warn(doc.line, f"{name}() has no parameter {n}, which is documented")
                self.put(1, f":param {n}: " + self.h.links(" ".join(text)), doc.line)
            self.put(0)
            self.prose(1, doc.text, doc.line)


def setup(app):
    app.add_directive("kernel-doc", KernelDoc)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
