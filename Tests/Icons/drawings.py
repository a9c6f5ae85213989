"""The drawings of Font Awesome, read from the installed package."""

import dataclasses
import importlib.resources
import xml.etree.ElementTree as xml

PATH = "{http://www.w3.org/2000/svg}path"


@dataclasses.dataclass
class Drawings:
    """The distinct `d` attributes, each with the first file that contains it."""

    files: int
    paths: int
    places: dict


def read():
    """Reads all paths of all SVG files. The package repeats the icons in sprites and in an npm package."""
    drawings = Drawings(0, 0, {})
    root = importlib.resources.files("fontawesomefree") / "static"
    for file in sorted(root.rglob("*.svg")):
        drawings.files += 1
        for element in xml.parse(file).iter(PATH):
            drawings.paths += 1
            text = element.get("d")
            if "\n" in text:
                raise ValueError(f"{file}: a path of several lines")
            drawings.places.setdefault(text, str(file.relative_to(root)))
    return drawings
