extension SVGPath {
    /// The drawing as a `d` attribute. It consists of absolute commands, with the shortest texts
    /// from which the same numbers are parsed. So the text of a parsed path gives the same path
    /// again.
    package var text: String {
        var text = ""
        for segment in segments {
            switch segment {
            case .move(let point): text += "M" + Self.text(point)
            case .line(_, let to): text += "L" + Self.text(to)
            case .quadratic(_, let control, let to): text += "Q" + Self.text(control, to)
            case .cubic(_, let first, let second, let to):
                text += "C" + Self.text(first, second, to)
            case .arc(let arc):
                let shape = [arc.radiusX, arc.radiusY, arc.rotation].map(Self.text)
                let flags = (arc.isLarge ? "1 " : "0 ") + (arc.isClockwise ? "1 " : "0 ")
                text += "A" + shape.joined(separator: " ") + " " + flags + Self.text(arc.end)
            case .close: text += "Z"
            }
        }
        return text
    }

    private static func text(_ points: Point...) -> String {
        points.map { text($0.x) + " " + text($0.y) }.joined(separator: " ")
    }

    private static func text(_ value: Double) -> String {
        // The text of a path must not contain a negative zero.
        let digits = value == 0 ? "0" : value.description
        return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }
}
