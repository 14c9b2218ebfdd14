#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""changes.py CLEAN UPPER ROOT: what of the system ROOT differs from CLEAN.

ROOT is an overlay of UPPER on CLEAN, so only what is in UPPER can differ in content.
Prints a line a path and ends with 1 if there is any. What every installation of a
package writes (logs, apt's and dpkg's own books) does not count.
"""
import filecmp
import os
import stat
import sys

IGNORED = ("proc", "sys", "dev", "run", "tmp", "var/tmp", "var/log", "var/cache",
           "var/lib/apt", "var/lib/dpkg/status", "var/lib/dpkg/status-old",
           "var/lib/dpkg/available", "var/lib/dpkg/lock", "var/lib/dpkg/lock-frontend",
           "var/lib/dpkg/triggers",
           # Made by dkms when it first builds anything.
           "var/lib/dkms/mok.key", "var/lib/dkms/mok.pub",
           "root/.cache", "build")


def tree(top):
    """Relative path -> lstat of everything below top that counts."""
    found = {}
    for folder, subs, names in os.walk(top):
        rel = os.path.relpath(folder, top)
        rel = "" if rel == "." else rel + "/"
        subs[:] = [s for s in subs if rel + s not in IGNORED]
        for name in subs + [n for n in names if rel + n not in IGNORED]:
            found[rel + name] = os.lstat(os.path.join(folder, name))
    return found


def facts(path, st):
    kind = stat.S_IFMT(st.st_mode)
    link = os.readlink(path) if stat.S_ISLNK(st.st_mode) else ""
    size = st.st_size if stat.S_ISREG(st.st_mode) else 0
    return (kind, stat.S_IMODE(st.st_mode), st.st_uid, st.st_gid, link, size)


def main():
    clean, upper, root = sys.argv[1:]
    before, after = tree(clean), tree(root)
    bad = []
    for path in sorted(before.keys() | after.keys()):
        if path not in after:
            bad.append("missing: /" + path)
            continue
        if path not in before:
            bad.append("left over: /" + path)
            continue
        a, b = os.path.join(clean, path), os.path.join(root, path)
        if facts(a, before[path]) != facts(b, after[path]):
            bad.append("changed: /%s %s -> %s" % (path, facts(a, before[path])[1:],
                                                  facts(b, after[path])[1:]))
        elif (stat.S_ISREG(before[path].st_mode)
              and os.path.lexists(os.path.join(upper, path))
              and not filecmp.cmp(a, b, shallow=False)):
            bad.append("changed: /" + path)
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


main()
