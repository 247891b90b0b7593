"""Puts a file between the marks of a section of another: section.py FILE NAME CONTENT_FILE"""

import pathlib
import sys

path, name, content = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).read_text().strip()
begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
text = path.read_text()
if text.count(begin) != 1 or text.count(end) != 1:
    sys.exit(f"section.py: `{path}` needs the marks `{begin}` and `{end}` once each")
before, rest = text.split(begin)
_, after = rest.split(end)
path.write_text(f"{before}{begin}\n\n{content}\n\n{end}{after}")
