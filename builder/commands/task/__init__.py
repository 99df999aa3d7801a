"""Do one task on many rows: JSON lines in, the same rows with the answer added out.

A bad row is told with its line number, and the rest is still done; the exit code is 1 then. Each task has
help with examples of its own: `ncimp task inflect --help`.

Examples:
    ncimp task inflect --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --input - --output -
"""
