"""Result files as pages to read: self-contained HTML with pictures, made from the files alone.

`reading` opens a folder of results, `report_page` and `compare_page` put the sections together, `layout` makes the
document around them, `markup` and `drawing` make HTML and SVG; style and script are the two files beside them.
"""
