"""The results of svgpathtools for a path: length, box and points by arc length."""

import dataclasses
import warnings

import svgpathtools

# The points are at 0/19, 1/19, ... 19/19 of the length. Because 19 is prime, no icon has a point exactly where one
# sub-path ends and the next begins.
POINTS = 20
# The tolerance for finding the point at an arc length, as a fraction of the icon's size. It is a thousandth of the
# tolerance for comparisons.
INVERSION = 1e-9


@dataclasses.dataclass
class Reference:
    """The results for one path."""

    # The longer side of the box. Differences are relative to it.
    size: float
    length: float
    # The left, top, right and bottom coordinates.
    box: tuple
    # Complex numbers, as in svgpathtools.
    points: list


def of(text):
    """Computes the results. `place` finds the segment of each point, because `Path.ilength` would compute all lengths
    anew for each point.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = svgpathtools.parse_path(text)
    left, right, top, bottom = path.bbox()
    size = max(right - left, bottom - top)
    lengths = [segment.length() for segment in path]
    total = sum(lengths)
    points = [
        place(path, lengths, total * index / (POINTS - 1), size * INVERSION)
        for index in range(POINTS)]
    return Reference(size, total, (left, top, right, bottom), points)


def place(path, lengths, way, tolerance):
    """Returns the point at the arc length `way`."""
    last = path[0].start
    for segment, length in zip(path, lengths):
        if 0 < way < length:
            return segment.point(segment.ilength(way, s_tol=tolerance))
        if way <= 0:
            break
        last = segment.end
        way -= length
    return last
