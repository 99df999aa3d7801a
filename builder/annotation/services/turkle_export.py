"""A batch for Turkle, the open-source service that takes the files of the MTurk Requester UI.

tasks.csv       one task a row; the header names the placeholders of the template
template.html   the task as a piece of HTML: Turkle puts its own form around it, and values in as they are
"""

from __future__ import annotations

from collections.abc import Sequence

from ncimp.builder.annotation.services.mturk_export import form_files
from ncimp.builder.annotation.task.page import task_page
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording


def turkle_files(tasks: Sequence[Planned], wording: Wording, *, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file."""
    return form_files([planned.sheet for planned in tasks], task_page(wording, tasks[0].task.mode, contact=contact))
