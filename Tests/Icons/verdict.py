"""Decides whether two computations of one path agree."""

import dataclasses

import reference

# The largest difference that is accepted, relative to the icon's size.
TOLERANCE = 1e-6


@dataclasses.dataclass
class Verdict:
    """How far the library's numbers are from the reference, relative to the icon's size, and the fault if any."""

    fault: str = ""
    length: float = 0
    box: float = 0
    point: float = 0

    KINDS = ("length", "box", "point")


def judge(text, own):
    """Compares a report of path-report with the result of svgpathtools."""
    if "error" in own:
        return Verdict(f"it is refused {own['error']}")
    if own["box"] is None:
        return Verdict("nothing of it is drawn")
    other = reference.of(text)
    if len(own["points"]) != len(other.points):
        return Verdict(f"{len(own['points'])} points")
    verdict = Verdict(
        length=abs(own["length"] - other.length) / other.size,
        box=max(abs(a - b) for a, b in zip(own["box"], other.box, strict=True)) / other.size,
        point=max(
            abs(complex(*a) - b) for a, b in zip(own["points"], other.points)) / other.size)
    verdict.fault = "; ".join(
        f"the {kind} is {getattr(verdict, kind):.1e} of its size off"
        for kind in Verdict.KINDS if not getattr(verdict, kind) <= TOLERANCE)
    return verdict
