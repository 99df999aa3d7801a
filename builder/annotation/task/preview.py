"""The task as a page of one's own machine, filled in: it shows what it would send, and sends nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ncimp.builder.annotation.task.cells import cell
from ncimp.builder.annotation.task.page import document, resource
from ncimp.builder.annotation.task.wording import Wording

PLACEHOLDER = re.compile(r"\$\{(\w+)\}")
"""A value of the task, as in the templates of the services."""


def fill_template(template: str, cells: Mapping[str, str]) -> str:
    """Return *template* with its placeholders filled from *cells*, which are written as in `tasks.csv`."""
    return PLACEHOLDER.sub(lambda match: cells[match[1]], template)


def preview_page(template: str, fields: Mapping[str, str], wording: Wording) -> str:
    """Return a document that shows *template* with the plain values *fields*, and its answers after they are sent."""
    shown = (
        f'<section class="ncimp" id="answers" tabindex="-1" hidden><p></p><pre></pre></section>\n'
        f"<script>\n{resource('preview.js')}</script>\n"
    )
    filled = fill_template(template, {name: cell(value) for name, value in fields.items()})
    return document(filled, wording, extra=shown)
