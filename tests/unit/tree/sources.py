# SPDX-License-Identifier: GPL-2.0-or-later
"""
What the files of the tree look like: how long they and their functions are, their
licence, their blanks.  Every check returns the lines that say what is wrong.
"""
import fnmatch
import os
import re
import subprocess

MODULE = "drivers/gpu/timegraph/"
MODULE_LINES, OTHER_LINES = 800, 1000
# The interface is one header, more comment than code, and only grows.
UAPI_LINES = 1200
MEDIAN, NINETIETH, LONGEST = 14, 40, 100

# Read by programs or kept as they were received: of any length, without a licence line.
DATA = ("*.patch", "*.series", "*.trace", "*.tgsim", "*.spec", "*.ac", "*.xml", "*.in", "*.symbols",
        "*.svg", "*.csv", "*/mutations", "*/errors", "debian/copyright", "debian/control", "debian/source/*",
        "debian/*.docs", "debian/*.doc-base", "COPYING", "*.md", "*.gitignore")
# Kernel code, and what is compiled into nouveau.
KERNEL = ("Kbuild", "drivers/*", "patches/nouveau/include/*", "*/rival/*")
UAPI = ("include/uapi/*",)


def is_one_of(path, patterns):
    return any(fnmatch.fnmatchcase(path, p) for p in patterns)


def files(tree):
    """The paths of the tree's own text files; a copy without git has nothing else."""
    if os.path.exists(os.path.join(tree, ".git")):
        out = subprocess.run(["git", "-C", tree, "ls-files", "-z", "-co", "--exclude-standard"],
                             capture_output=True, encoding="utf-8", check=True).stdout
        found = [p for p in out.split("\0") if p and os.path.isfile(os.path.join(tree, p))]
    else:
        found = []
        for path, dirs, names in os.walk(tree):
            dirs[:] = [d for d in dirs if d not in ("build", "__pycache__", ".git")]
            found += [os.path.relpath(os.path.join(path, n), tree) for n in names]
    return sorted(found)


def lines_of(tree, path):
    with open(os.path.join(tree, path), encoding="utf-8") as f:
        return f.read().split("\n")


def functions(lines):
    """
    (name, lines from its signature to its closing brace) of each function of a C file.
    Its braces stand at the beginning of a line, as nothing else's do.
    """
    begin = None
    for n, s in enumerate(lines):
        if s == "{":
            begin = n - 1
            while begin > 0 and re.match(r"[\t ]", lines[begin]):
                begin -= 1
        elif s.startswith("}") and begin is not None:
            name = re.search(r"(\w+)\(", lines[begin])
            yield (name[1] if name else "?"), n - begin + 1
            begin = None


def hidden_functions(lines):
    """Those whose opening brace stands elsewhere: functions() would not see them."""
    for n, s in enumerate(lines, 1):
        if re.match(r"\w[\w\s*]*\([^;=]*\)\s*\{", s):
            yield n


def quantile(values, part):
    return sorted(values)[int(len(values) * part)] if values else 0


def check_lengths(tree):
    wrong, longest = [], []
    for p in files(tree):
        if is_one_of(p, DATA):
            continue
        n = len(lines_of(tree, p)) - 1
        limit = MODULE_LINES if p.startswith(MODULE) else OTHER_LINES
        if is_one_of(p, UAPI):
            limit = UAPI_LINES
        longest.append((n, p))
        if n > limit:
            wrong.append(f"{p}: {n} lines, at most {limit} there")
    longest.sort(reverse=True)
    return wrong, [f"{p}: {n} lines" for n, p in longest[:3]]


def check_functions(tree):
    """Median and 90th percentile of the module, the model, the tools, and of all."""
    groups = {"module": [MODULE], "model": ["model/"], "tools": ["tools/", "workloads/"], "all": [""]}
    found = {g: [] for g in groups}
    wrong, said = [], []
    for p in files(tree):
        if not p.endswith((".c", ".h")):
            continue
        lines = lines_of(tree, p)
        wrong += [f"{p}:{n}: the brace of a function begins a line" for n in hidden_functions(lines)]
        for name, n in functions(lines):
            for group, folders in groups.items():
                if p.startswith(tuple(folders)):
                    found[group].append(n)
            if n > LONGEST:
                wrong.append(f"{p}: {name}() has {n} lines, at most {LONGEST}")
    for group, values in found.items():
        median, ninetieth = quantile(values, 0.5), quantile(values, 0.9)
        said.append(f"{group}: {len(values)} functions, median {median}, 90 % within {ninetieth},"
                    f" longest {max(values, default=0)} lines")
        if median > MEDIAN:
            wrong.append(f"{group}: the median function has {median} lines, at most {MEDIAN}")
        if ninetieth > NINETIETH:
            wrong.append(f"{group}: 90 % of the functions have {ninetieth} lines, at most {NINETIETH}")
    return wrong, said


def check_licences(tree):
    """One of the first two lines names the licence of its part of the tree."""
    wrong, seen = [], 0
    for p in files(tree):
        licence = "GPL-2.0-or-later"
        if is_one_of(p, UAPI):
            licence = "GPL-2.0-only WITH Linux-syscall-note"
        elif is_one_of(p, KERNEL) and not p.endswith("_user.h"):
            licence = "GPL-2.0-only"
        elif is_one_of(p, DATA):
            continue
        seen += 1
        head = "\n".join(lines_of(tree, p)[:2])
        said = re.search(r"SPDX-License-Identifier: (.*?)(?: \*/| -->)?$", head, re.M)
        if not said:
            wrong.append(f"{p}: no SPDX line")
        elif said[1] != licence:
            wrong.append(f"{p}: {said[1]}, it is {licence} there")
    return wrong, [f"{seen} files"]


def settings(tree):
    """The sections of .editorconfig: (patterns, settings), as they follow each other."""
    sections = []
    for s in lines_of(tree, ".editorconfig"):
        s = s.strip()
        if s.startswith("["):
            inner = s[1:-1]
            braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", inner)
            patterns = [braces[1] + w + braces[3] for w in braces[2].split(",")] if braces else [inner]
            sections.append((patterns, {}))
        elif "=" in s and sections and not s.startswith("#"):
            key, value = s.split("=", 1)
            sections[-1][1][key.strip()] = value.strip()
    return sections


def check_blanks(tree):
    """Every file is as .editorconfig has an editor write it."""
    wrong, seen = [], 0
    sections = settings(tree)
    for p in files(tree):
        want = {}
        for patterns, values in sections:
            # A pattern without a folder is a name's.
            if is_one_of(p, patterns) or is_one_of(os.path.basename(p), patterns):
                want.update(values)
        lines = lines_of(tree, p)
        seen += 1
        if want.get("insert_final_newline") == "true" and lines[-1]:
            wrong.append(f"{p}: no newline at its end")
        for n, s in enumerate(lines, 1):
            if want.get("trim_trailing_whitespace") == "true" and s != s.rstrip():
                wrong.append(f"{p}:{n}: blanks at the end")
            style = want.get("indent_style")
            if style == "tab" and s.startswith("    ") or style == "space" and s.startswith("\t"):
                wrong.append(f"{p}:{n}: indented by {'blanks' if style == 'tab' else 'a tab'}")
                break
    return wrong, [f"{seen} files"]
