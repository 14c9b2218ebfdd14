#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What README.md and CONTRIBUTING.md name exists, and the commands of CONTRIBUTING.md work:
its blocks of shell are run in a copy of the tree, but for those marked as not run, of which
programs, options, suites and tests must exist. Prints TAP.

    contributing.py TREE GUIDE [COPY]

GUIDE stands for CONTRIBUTING.md; without COPY nothing is run.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import tap  # noqa: E402

top = os.path.abspath(sys.argv[1])
copy = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
SELFTESTS = "tools/testing/selftests/timegraph"
NOT_RUN = "<!-- not run by a test: "


def report(name, wrong, seen):
    """A check that has looked at nothing has failed, too."""
    tap.check(name, not wrong and seen, f"{seen} looked at", *wrong)


def read(path):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        return f.read()


def output(*command):
    return subprocess.run([os.path.join(top, command[0]), *command[1:]], capture_output=True,
                          encoding="utf-8").stdout


def blocks(text):
    """(whether it is run, its lines) of each block of shell."""
    for m in re.finditer(r"^(.*)\n```sh\n((?:(?!```).*\n)*)```$", text, re.M):
        yield not m[1].startswith(NOT_RUN), m[2].strip().split("\n")


guide = read(os.path.abspath(sys.argv[2]))
pages = {"README.md": read("README.md"), "CONTRIBUTING.md": guide}


def prose(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def check_files():
    wrong, seen = [], 0
    folders = "|".join(sorted(d for d in os.listdir(top) if os.path.isdir(os.path.join(top, d))))
    for page, text in pages.items():
        named = re.findall(r"\]\((?!http)([^)#]+)\)", text)
        named += re.findall(rf"`((?:{folders})/[\w./*-]*)`", prose(text))
        for path in named:
            if path.startswith("build/"):
                continue
            seen += 1
            if not glob.glob(os.path.join(top, path)):
                wrong.append(f"{page}: there is no {path}")
    report("files_that_readme_and_contributing_name_exist", wrong, seen)


def sources(path):
    """The text of a C file, or of all below a folder."""
    path = path.rstrip("/")
    if os.path.isfile(os.path.join(top, path)):
        return read(path)
    found = glob.glob(os.path.join(glob.escape(os.path.join(top, path)), "**/*.[ch]"), recursive=True)
    return "\n".join(read(f) for f in found)


def check_names():
    """A function or structure stands in a file that its paragraph or row names."""
    wrong, seen = [], 0
    for part in re.split(r"\n(?=\|)|\n\n|\n(?=\d\. )", prose(guide)):
        paths = re.findall(r"`([\w-]+/[\w./-]*)`", part)
        texts = "\n".join(sources(p) for p in paths)
        for name in re.findall(r"`(?:struct )?([a-z]\w*_\w+)(?:\.\w+)?(?:\(\))?`", part):
            # A program's name, of which the core's Makefile knows.
            if name.startswith("test_"):
                continue
            seen += 1
            if not re.search(rf"\b{name}\b", texts):
                wrong.append(f"{name} does not stand in {', '.join(paths) or 'any file: none is named'}")
    report("functions_stand_in_the_files_that_are_named", wrong, seen)


def check_headings():
    """A page's section that is quoted by its heading is there."""
    wrong, seen = [], 0
    for part in re.split(r"\n(?=\|)|\n\n|\n(?=\d\. )", prose(guide)):
        for title in re.findall(r'"([A-Z][\w ]+)"', part):
            seen += 1
            rst = re.findall(r"`(Documentation/[\w-]+\.rst)`", part)
            if not any(re.search(rf"^{title}\n[=-]+$", read(p), re.M) for p in rst
                       if os.path.exists(os.path.join(top, p))):
                wrong.append(f'there is no section "{title}" in {", ".join(rst) or "a page that is named"}')
    report("sections_that_contributing_quotes_exist", wrong, seen)


def check_map():
    """Every folder of the top is in the map, and what is in the map exists."""
    shown = re.search(r"## The map\n+```\n(.*?)^```", guide, re.M | re.S)[1]
    wrong, named, base = [], set(), ""
    for line in shown.split("\n"):
        indent, paths = re.match(r"( *)((?:[\w.-]+/ ?)*)", line).groups()
        # What is indented as a path is lies below the line above; the rest are words.
        if not paths or len(indent) > 4:
            continue
        for path in paths.split():
            base = base if indent else path
            named.add(base if indent else path)
            if not os.path.isdir(os.path.join(top, base if indent else "", path)):
                wrong.append(f"there is no {path}")
    tracked = {p.split("/")[0] for p in subprocess.run(
        ["git", "-C", top, "ls-files"], capture_output=True, encoding="utf-8").stdout.split("\n") if "/" in p}
    wrong += [f"{d}/ is not in the map" for d in sorted(tracked)
              if not any(n.startswith(d + "/") for n in named)]
    if len(shown.split("\n")) > 24:
        wrong.append("the map is longer than a screen")
    report("map_shows_the_folders_that_there_are", wrong, len(named))


def check_targets():
    targets = set(re.findall(r"^([a-z_-]+):", read("Makefile"), re.M))
    wrong, seen = [], 0
    for page, text in pages.items():
        for m in re.finditer(r"(?:^ *|`)make(?: -s)? ([a-z][a-z_-]*)", text, re.M):
            seen += 1
            if m[1] not in targets:
                wrong.append(f"{page}: make has no target {m[1]}")
    report("make_targets_of_readme_and_contributing_exist", wrong, seen)


def check_core_tests():
    there = set(re.search(r"^TESTS := (.*)", read("tests/unit/core/Makefile"), re.M)[1].split())
    said = set(re.findall(r"`(test_\w+)`", guide))
    report("tests_of_the_core_are_those_that_contributing_lists",
           [f"{t} is only in {'CONTRIBUTING.md' if t in said else 'the Makefile'}" for t in said ^ there], len(said))


def check_not_run(line, suites, options):
    """What can be known of a command without running it."""
    words = re.findall(r"'[^']*'|\"[^\"]*\"|\S+", line)
    if line.startswith("make check"):
        named = " ".join(re.findall(r'SUITE="?([^"]*)"?', line)).split()
        return [f"there is no suite {s}" for s in named if s not in suites]
    if not os.access(os.path.join(top, words[0]), os.X_OK):
        return [f"there is no program {words[0]}"]
    wrong = [f"{words[0]} has no option {w}" for w in words[1:]
             if re.fullmatch(r"--[\w-]+", w) and not re.search(rf"{w}\b", options(words[0]))]
    if words[0].endswith("/run-in-vm"):
        for pattern in (w.strip("'") for w in words[1:] if not w.startswith("-")):
            if not output(f"{SELFTESTS}/tg-selftests", "--list", pattern):
                wrong.append(f"no test is called {pattern}")
    return wrong


def check_commands_that_are_not_run():
    suites = [s.split()[0] for s in output("tests/check", "--list").split("\n")[1:] if s]
    lines = [s for run, block in blocks(guide) if not run for s in block]
    wrong = [f"{s}: {w}" for s in lines
             for w in check_not_run(s, suites, lambda program: output(program, "--help"))]
    report("commands_that_are_not_run_name_what_exists", wrong, len(lines))


def make_copy():
    """The tree as git would have it, with a history of one commit."""
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(["git", "-C", top, "ls-files", "-z", "-co", "--exclude-standard"],
                            capture_output=True, encoding="utf-8", check=True).stdout
    for path in filter(None, listed.split("\0")):
        if os.path.exists(os.path.join(top, path)):
            os.makedirs(os.path.dirname(os.path.join(copy, path)), exist_ok=True)
            shutil.copy2(os.path.join(top, path), os.path.join(copy, path))
    for command in (["init", "-q"], ["add", "-A"],
                    ["-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-qm", "tree: all"]):
        subprocess.run(["git", "-C", copy, *command], check=True)


def environment():
    """As in a shell of somebody who has just cloned the tree; one place for what is built."""
    env = {k: v for k, v in os.environ.items() if k not in ("O", "BUILD", "MAKEFLAGS", "MAKELEVEL")}
    os.makedirs(os.path.join(copy, "build/tmp"))
    os.symlink("..", os.path.join(copy, "build/tmp/timegraph-build"))
    env["TMPDIR"] = os.path.join(copy, "build/tmp")
    return env


def run_commands():
    make_copy()
    env = environment()
    for run, block in blocks(guide):
        if not run:
            continue
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", "\n".join(block)], cwd=copy, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8")
        wrong = [f"status {done.returncode}", *done.stdout.split("\n")[-30:]] if done.returncode else []
        report(f"commands_work: {block[0].split('  ')[0]}, …", wrong, len(block))


for check in (check_files, check_names, check_headings, check_map, check_targets, check_core_tests,
              check_commands_that_are_not_run):
    check()
if copy:
    run_commands()
tap.end()
