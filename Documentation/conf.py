# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual: "make docs". Works with the Sphinx of Debian 12 (5.3) and 13 (8.1).
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "sphinx"))

with open(os.path.join(here, "..", "Makefile"), encoding="utf-8") as f:
    version = release = re.search(r"^VERSION := (\S+)", f.read(), re.M)[1]

project = "timegraph"
author = "the timegraph authors"
copyright = author
extensions = ["kerneldoc", "manpage", "timeline"]
root_doc = "index"
# Drawings are made by the simulator; "make docs" builds it and says where it is.
timeline_tgsim = os.environ.get("TGSIM", "tgsim")

# Blocks of commands and output are no programs in Python.
highlight_language = "none"
nitpick_ignore = [("c:identifier", t) for t in (
    "__u8", "__u16", "__u32", "__s32", "__u64", "__s64", "uint32_t", "int32_t", "uint64_t")]

html_theme = "alabaster"
html_static_path = ["sphinx/static"]
html_css_files = ["manual.css"]
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "description": "GPU command scheduling for nouveau",
    "page_width": "1120px",
    "sidebar_width": "250px",
    "fixed_sidebar": False,
    "show_powered_by": False,
}
