# SPDX-License-Identifier: GPL-2.0-or-later
"""
Manual pages as pages of this manual: a file man/NAME.SECTION is a document of its
own, rendered by mandoc. Nothing is kept twice, and no page has to be listed but in
a table of contents. What mandoc finds wrong with a page is a warning.
"""
import os
import re
import subprocess

from docutils import nodes
from docutils.parsers import Parser
from sphinx.util import logging

log = logging.getLogger(__name__)
SECTIONS = (".1", ".3", ".5", ".8")


def mandoc(path, *args):
    try:
        return subprocess.run(["mandoc", *args, path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    except FileNotFoundError:
        raise SystemExit("docs: mandoc is missing: apt install mandoc") from None


class ManParser(Parser):
    supported = ("man",)

    def parse(self, inputstring, document):
        self.setup_parse(inputstring, document)
        self.config = document.settings.env.config
        path = document["source"]
        # "base" is about the style of OpenBSD's own pages; dates in the manner of
        # Debian's are no error.
        lint = mandoc(path, "-T", "lint", "-W", "warning")
        for s in lint.stdout.splitlines():
            log.warning("%s", s.partition(": ")[2], location=path)
        name = os.path.basename(path)
        title = re.sub(r"(.*)\.(\d)$", r"\1(\2)", name)
        section = nodes.section(ids=[nodes.make_id(title)], names=[title])
        section += nodes.title(text=title)
        html = mandoc(path, "-T", "html", "-O", "fragment").stdout
        section += nodes.raw("", '<div class="man">' + self.links(path, html) + "</div>",
                             format="html")
        document += section
        document.note_implicit_target(section)
        self.finish_parse()

    @staticmethod
    def links(path, html):
        """Pages that we have are linked; the tables at top and bottom say nothing new."""
        folder = os.path.dirname(path)

        def link(m):
            name, sec = m[1], m[2]
            if not os.path.exists(os.path.join(folder, f"{name}.{sec}")):
                return m[0]
            return f'<a class="Xr" href="{name}.html">{name}({sec})</a>'
        html = re.sub(r'<table class="(?:head|foot)">.*?</table>', "", html, flags=re.S)
        return re.sub(r'<(?:a class="Xr"|b)>([\w.-]+)(?:</b>)?\((\d)\)(?:</a>)?', link, html)


def setup(app):
    for s in SECTIONS:
        app.add_source_suffix(s, "man")
    app.add_source_parser(ManParser)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
