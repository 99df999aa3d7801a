"""Do one task on many rows: JSON lines in, the same rows with the answer added out.

A bad row is reported with its line number, and the others are still answered; the exit code is 1 then. Each task has
help with examples of its own: `ncimp task inflect --help`.

Examples:
    ncimp task inflect --input rows.jsonl --out inflected.jsonl
    ncimp task inflect --lang pt --input - --out -
"""
