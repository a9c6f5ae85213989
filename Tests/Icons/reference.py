"""What svgpathtools makes of a path: length, box and points by arc length."""

import dataclasses
import warnings

import svgpathtools

# At 0/19, 1/19, ... 19/19 of the length. 19 is prime: at these no icon's sub-path ends and the next
# begins.
POINTS = 20
# Of the icon's size: how exactly arc lengths are inverted. A thousandth of what is compared.
INVERSION = 1e-9


@dataclasses.dataclass
class Reference:
    """The numbers of one path."""

    # The longer side of its box: what differences are measured by.
    size: float
    length: float
    # Left, top, right, bottom.
    box: tuple
    # Complex, as svgpathtools has them.
    points: list


def of(text):
    """Path.ilength works out all lengths again for each point, so we look for the segment."""
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
    """Where the pen is after `way`."""
    last = path[0].start
    for segment, length in zip(path, lengths):
        if 0 < way < length:
            return segment.point(segment.ilength(way, s_tol=tolerance))
        if way <= 0:
            break
        last = segment.end
        way -= length
    return last
