# SPDX-License-Identifier: GPL-2.0-or-later
"""The index of the figures that were drawn."""
import html

from tables import ours, said

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>timegraph: the papers' figures</title>
<style>
body { font-family: sans-serif; max-width: 80em; margin: 2em auto; padding: 0 1em }
img { max-width: 100% } table { border-collapse: collapse; margin: 1em 0 }
td, th { border: 1px solid #ccc; padding: .3em .6em; text-align: left; vertical-align: top }
</style></head><body>
<h1>The figures of the TimeGraph and LoGA papers, in virtual time</h1>
<p>Measured in the test machine, on a simulated GeForce 9800 GT; TimeGraph's under the paper's scheduler
(<code>{module}</code>), "today" is the module by its defaults, as in LoGA's. Of the papers only what
their texts say is here: no bar or curve was read off a drawing.</p>
"""


def cell(tag, text):
    return f"<{tag}>{html.escape(str(text))}</{tag}>"


def statements(rows):
    """The paper's statements with their words, and ours beside."""
    lines = []
    for row in rows:
        if row.source != "paper" or not row.note:
            continue
        values = ours(rows, row) if row.panel == "text" else []
        what = row.x if row.panel == "text" else row.panel
        lines.append("<tr>" + cell("td", what) + cell("td", said(row)) + cell("td", row.note) +
                     cell("td", "; ".join(values) or "see the drawing") + "</tr>")
    if not lines:
        return ""
    head = "".join(cell("th", t) for t in ("what", "paper", "its words", "ours"))
    return f"<table><tr>{head}</tr>\n" + "\n".join(lines) + "\n</table>\n"


def label(name):
    """Of fig7 and of loga7."""
    return name.replace("fig", "").replace("loga", "LoGA ").replace("schedgpu", "schedGPU ")


def section(name, about, rows):
    return (f'<h2 id="{name}">Figure {label(name)}</h2>\n<p>{html.escape(about)}</p>\n'
            f'<img src="{name}.svg" alt="{html.escape(about, quote=True)}">\n'
            f'<p><a href="{name}.svg">SVG</a> <a href="{name}.png">PNG</a> '
            f'<a href="{name}.csv">CSV</a></p>\n' + statements(rows))


def write(path, module, sections):
    """sections: name, about and rows of each figure."""
    links = " ".join(f'<a href="#{name}">{label(name)}</a>' for name, _, _ in sections)
    path.write_text(HEAD.replace("{module}", html.escape(module)) + f"<p>Figures {links}</p>\n" +
                    "".join(section(*s) for s in sections) + "</body></html>\n")
