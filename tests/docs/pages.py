#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the manual says and a build cannot see: files, commands, options, parameters and
messages that the pages name must exist. Prints TAP.

    pages.py TREE
"""
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import tap  # noqa: E402

top = os.path.abspath(sys.argv[1])
docs = os.path.join(top, "Documentation")

# Names of files that belong to others: what they are, not that they exist, is said.
FOREIGN = re.compile(
    r"(build|pins|apt|debs|logs|my-files|images|drivers/gpu/drm|kernel|mm|nvkm|scripts|updates|"
    r"engine|fifo|fdinfo|share|lib/modules|man|var|usr|boot|share/timegraph|order|nouveau|\w+-KEY|\w+-tests|"
    r"linux|rnndb|hw|docs|src|include/(linux|drm|nvkm|nvhw|net|nvif))/|"
    r".*(\.ko|…)|debian/changelog$|.*=")
# Folders whose names begin a path of ours in a block of commands.
OURS = ("tools", "Documentation", "drivers", "include", "patches", "packaging", "debian",
        "machine", "model", "workloads", "bench", "tests")
# Where a page's relative names may be meant.
ROOTS = ("", "Documentation", "drivers/gpu/timegraph", "machine",
         "tools/testing/selftests/timegraph", "model/nvsim", "tools/tgsim",
         "bench/reserves", "tools", "packaging", "debian", "patches/nouveau")


def read(path):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        return f.read()


class Page:
    """A page's inline literals, and the lines of its literal blocks."""

    def __init__(self, path):
        self.name = os.path.relpath(path, top)
        self.text = read(path)
        self.inline, self.block, self.messages = [], [], []
        inside, source = None, None
        for n, s in enumerate(self.text.split("\n"), 1):
            indent = len(s.expandtabs()) - len(s.expandtabs().lstrip())
            if inside is not None and s.strip() and indent <= inside:
                inside, source = None, None
            found = re.match(r"\s*\.\. message: (.*)", s)
            if found and inside is None:
                source = found[1]
            if inside is not None and s.strip():
                self.block.append((n, s.strip()))
                if source:
                    self.messages.append((n, source, s.strip()))
            elif s.rstrip().endswith("::") and (not s.strip().startswith(".. ") or
                                                "code-block" in s):
                inside = indent
        body = re.sub(r"\s+", " ", self.text)
        self.inline = re.findall(r"``(.+?)``", body)

    def at(self, n):
        return f"{self.name}:{n}"


pages = [Page(p) for p in sorted(glob.glob(os.path.join(docs, "*.rst")))]
pages.append(Page(os.path.join(top, "README.md")))


def report(name, wrong, seen):
    """A check that has looked at nothing has failed, too."""
    tap.check(name, not wrong and seen, f"{seen} looked at", *wrong)


def exists(path):
    path = path.rstrip(".,:;)").replace("\\", "")
    return any(glob.glob(os.path.join(top, r, path)) or glob.glob(os.path.join(top, r, path + ".[ch]"))
               for r in ROOTS)


def is_selftest(word):
    """FILE/TEST of the selftests."""
    found = re.fullmatch(r"([\w-]+)/(\w+)", word)
    path = found and f"tools/testing/selftests/timegraph/tests/{found[1]}.sh"
    return bool(found) and os.path.exists(os.path.join(top, path)) and f"test_{found[2]}()" in read(path)


def check_files():
    wrong, seen = [], 0
    for p in pages:
        words = [(0, w) for s in p.inline for w in s.split()]
        words += [(n, w) for n, s in p.block for w in re.split(r"[\s'\"()`]+", s)]
        for n, w in words:
            # One path, relative, of two parts at least.
            if not re.fullmatch(r"(\./)?[A-Za-z_.][\w.*-]*(/[\w.*-]+)+/?", w) or FOREIGN.match(w):
                continue
            if n and w.split("/")[0] not in OURS or is_selftest(w):
                continue
            seen += 1
            if not exists(w):
                wrong.append(f"{p.at(n)}: there is no {w}")
    report("files_that_the_pages_name_exist", wrong, seen)


def check_targets():
    targets = set(re.findall(r"^([a-z_-]+):", read("Makefile"), re.M))
    wrong, seen = [], 0
    for p in pages:
        lines = [(0, s) for s in p.inline] + p.block
        for n, s in lines:
            for m in re.finditer(r"(?:^|sudo |&& )make((?: [a-z][a-z-]*)+)(?= *(?:#|$|&&|[A-Z]\w*=))", s):
                for t in m[1].split():
                    seen += 1
                    if t not in targets:
                        wrong.append(f"{p.at(n)}: make has no target {t}")
    report("make_targets_that_the_pages_name_exist", wrong, seen)


def manual(tool):
    path = os.path.join(docs, "man", f"{tool}.1")
    if not os.path.exists(path):
        return None
    text = subprocess.run(["mandoc", "-T", "ascii", path], capture_output=True,
                          encoding="utf-8", check=True).stdout
    return re.sub(r".\x08", "", text)


def check_commands():
    """Each option and first word of a command of ours stands in the tool's manual page."""
    helps = {t: manual(t) for t in ("tgctl", "tgspec", "tgtop", "tgsim", "tgfocus", "tgrun", "tgpolicy")}
    helps["run"] = subprocess.run([os.path.join(top, "machine/run"), "--help"],
                                  capture_output=True, encoding="utf-8", check=True).stdout
    wrong, seen = [], 0
    for p in pages:
        for n, s in [(0, s) for s in p.inline] + p.block:
            # Not what others print or say: a command begins a line, or follows one.
            for m in re.finditer(r"(?:^|sudo |\$ |; |\| )(?:machine/)?"
                                 r"(tgctl|tgspec|tgtop|tgsim|tgfocus|tgrun|tgpolicy|(?<=machine/)run) ([^|;#&]*)", s):
                tool, text = m[1], helps[m[1]]
                # What follows is another program's.
                rest = re.split(r"(?:^|\s)-- |['\"]", m[2])[0]
                if ":" in rest.split(" ")[0]:
                    continue
                for o in re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest):
                    seen += 1
                    if not re.search(rf"{o}\b", text):
                        wrong.append(f"{p.at(n)}: {tool} has no option {o}")
                word = re.match(r"[a-z]+\b(?![./:])", rest)
                if word and tool in ("tgctl", "tgspec"):
                    seen += 1
                    if not re.search(rf"\b{tool} (?:\w+ \| )*{word[0]}\b", text):
                        wrong.append(f"{p.at(n)}: {tool} has no command {word[0]}")
    report("commands_and_options_are_those_of_the_manual_pages", wrong, seen)


def check_parameters():
    """name, range and default in tuning.rst are those of the module."""
    source = read("drivers/gpu/timegraph/tg_main.c")
    real = dict(re.findall(r'MODULE_PARM_DESC\((\w+), "(.*?)"\)', source))
    text = read("Documentation/tuning.rst")
    table = {m[0]: m[1] for m in re.findall(r"^``(\w+)`` (.*)$", text, re.M)}
    wrong = [f"{n} is not in tuning.rst" for n in real if n not in table]
    wrong += [f"tuning.rst: the module has no {n}" for n in table if n not in real]
    for n in set(real) & set(table):
        default = re.search(r"\(([^()]*)\)$", real[n])[1]
        if not re.search(rf"(``)?{re.escape(default)}(``)?$", table[n].strip()):
            wrong.append(f"tuning.rst: the default of {n} is {default}")
        limits = re.search(r"(\d+)-(\d+)", real[n])
        if limits and f"{limits[1]}–{limits[2]}" not in table[n]:
            wrong.append(f"tuning.rst: the range of {n} is {limits[0]}")
        if text.count(f"``{n}``") < 2:
            wrong.append(f"tuning.rst does not say what {n} does")
    report("parameters_are_those_of_the_module", wrong, len(table))


def strings(path):
    """Its string literals, those that follow each other joined, as regular expressions."""
    source = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S).replace("TIMEGRAPH_DEVICE", '"/dev/timegraph"')
    out = []
    for m in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', source):
        text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', m[0]))
        for s in map(str.lstrip, text.split("\\n")):
            parts = re.split(r"%[-+ 0#.\d*]*(?:ll|l|h|z)?[a-zA-Z]", s)
            if sum(len(q) for q in parts) >= 8:
                out.append(".*".join(re.escape(q.replace("%%", "%").replace('\\"', '"'))
                                     for q in parts))
    return out


def covers(regex, piece):
    """Most of what is quoted is what this literal prints."""
    m = re.search(regex, piece)
    return bool(m) and len(m[0]) > 0.6 * len(piece) or piece in re.sub(r"\\(.)", r"\1", regex)


def check_messages():
    """A quoted message is what the sources named above it print."""
    wrong, seen = [], 0
    for p in pages:
        for n, source, line in p.messages:
            if source == "kernel":
                continue
            seen += 1
            line = re.sub(r"^(tgctl|tgspec|timegraph): ", "", line)
            pieces = [q for q in line.split("…") if len(q.strip(" ;")) > 3]
            known = [r for f in source.split() for r in strings(f)]
            for q in pieces:
                q = q.lstrip(" ")
                if not any(covers(r.replace(r"timegraph:\ ", ""), q) for r in known):
                    wrong.append(f"{p.at(n)}: nothing in {source} prints: {q}")
    report("quoted_messages_are_those_of_the_sources", wrong, seen)


def check_manuals():
    """Every program that is installed has a page, and every page is in the contents."""
    contents = read("Documentation/index.rst")
    wrong, seen = [], 0
    for makefile in glob.glob(os.path.join(top, "tools/tg*/Makefile")):
        tool = os.path.basename(os.path.dirname(makefile))
        seen += 1
        if not manual(tool):
            wrong.append(f"{tool} has no manual page")
    for p in glob.glob(os.path.join(docs, "man", "*")):
        seen += 1
        if "man/" + os.path.basename(p).rsplit(".", 1)[0] not in contents:
            wrong.append(f"{p} is not in index.rst")
    report("programs_have_manual_pages", wrong, seen)


def check_example():
    """The specification that is shown, run and simulated is one."""
    shown = re.findall(r"^<.*", read("Documentation/example/workstation.spec"), re.M)
    run = re.findall(r"^<[a-z].*>$", read("Documentation/example/workstation"), re.M)
    wrong = [] if shown == run else [f"workstation.spec has {shown}, workstation {run}"]
    report("example_runs_the_specification_that_it_shows", wrong, len(shown))


def check_glossary():
    """Each structure stands in the folder of its column."""
    folders = {1: "drivers/gpu/timegraph/core", 2: "drivers/gpu/timegraph",
               3: "drivers/gpu/timegraph/attach", 4: "include/uapi/drm"}
    text = read("Documentation/glossary.rst")
    wrong, seen = [], 0
    for row in re.findall(r"^   \* - (.*\n(?:     - ?.*\n)+)", text, re.M):
        for n, cell in enumerate(re.split(r"\n     - ?", row.rstrip("\n"))):
            for name in re.findall(r"``((?:tg|timegraph)_\w+)``", cell):
                seen += 1
                headers = glob.glob(os.path.join(top, folders[n], "*.h"))
                if not any(re.search(rf"^(?:struct|enum) {name} {{", read(h), re.M) for h in headers):
                    wrong.append(f"glossary.rst: {folders[n]} has no {name}")
    report("structures_of_the_glossary_exist", wrong, seen)


def check_security():
    """Each line of security.rst names what holds it, and that exists."""
    suites = {os.path.basename(os.path.dirname(p))
              for p in glob.glob(os.path.join(top, "tests/**/check"), recursive=True)}
    wrong, seen = [], 0
    for row in re.findall(r"^   \* - (.*\n(?:     +.*\n)+)", read("Documentation/security.rst"), re.M):
        what, held = re.split(r"\n     - ", row, maxsplit=1)
        if what == "that":
            continue
        seen += 1
        names = re.findall(r"``(.+?)``", held)
        wrong += [] if names else [f"nothing holds: {what}"]
        wrong += [f"there is no test {n}" for n in names if n not in suites and not is_selftest(n)]
    report("what_holds_the_lines_of_security_exists", wrong, seen)


for check in (check_files, check_targets, check_commands, check_parameters, check_messages,
              check_manuals, check_example, check_glossary, check_security):
    check()
tap.end()
