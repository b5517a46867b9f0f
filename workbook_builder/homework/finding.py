"""What a marker knows of one step of one submission."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["right", "accepted", "carried", "again", "partly", "wrong", "nowhere", "blank", "unread"]
Remark = Literal["", "rounded", "cut_off", "mixed", "coarse", "hundredfold", "several", "some_cells"]


@dataclass(frozen=True)
class Finding:
    """What is known of one step.

    status: right; accepted: right by another convention that is allowed; carried: right from earlier values that are
    not; again: the same wrong method that an earlier step already paid for; partly: some cells are right; wrong;
    nowhere: right from earlier values that are trivial or impossible; blank; unread: there is something, and no number.
    methods: the wrong methods that explain it, together; ok: per cell, whether it earns its part of the points.
    remark: rounded: what it was worked out from was rounded; cut_off: digits were cut off instead of rounded; mixed:
    worked out from two conventions, each right by itself; coarse: rounded to fewer digits than asked; hundredfold: in
    per cent, without the sign; several: more than one method gives these values, and `either` lists them; some_cells:
    the methods explain the wrong cells only.
    """

    step: str
    status: Status
    methods: tuple[str, ...] = ()
    ok: tuple[bool, ...] = ()
    remark: Remark = ""
    either: tuple[tuple[str, ...], ...] = ()

    @property
    def share(self) -> float:
        """The part of the step's points it earns, 0 to 1."""
        return sum(self.ok) / len(self.ok) if self.ok else 0.0

    @property
    def carried(self) -> bool:
        """Whether something earlier that is wrong was carried into it without costing again."""
        return self.status in ("carried", "again")
