import RefreshIndicator
import RefreshProtocol

/// A number in a picture, rounded to a thousandth.
struct SVGNumber: CustomStringConvertible {
    let text: String

    /// The maximum absolute value. Larger values are clamped.
    private static let magnitudeMax = 1e9

    /// Returns the nearest number that can be drawn. NaN becomes 0.
    static func clamped(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(value, -magnitudeMax), magnitudeMax)
    }

    init(_ value: Double) {
        let rounded = (Self.clamped(value) * 1000).rounded() / 1000
        // Negative zero is written as 0.
        text = JSONValue.number(rounded == 0 ? 0 : rounded).text
    }

    var description: String { text }
}

/// An escaped text in a picture.
struct SVGText: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML does not allow most of these control characters, and it does not allow U+FFFE and
            // U+FFFF.
            case "\u{0}"..<"\u{20}", "\u{FFFE}"..."\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(character)
            }
        }
        description = escaped
    }
}

extension SVGPath {
    /// The path as a `d` attribute, rounded to a thousandth of a point.
    var shortText: String {
        segments.map { segment in
            switch segment {
            case .move(let point): "M\(point.shortText)"
            case .line(_, let to): "L\(to.shortText)"
            case .quadratic(_, let control, let to): "Q\(control.shortText) \(to.shortText)"
            case .cubic(_, let first, let second, let to):
                "C\(first.shortText) \(second.shortText) \(to.shortText)"
            case .arc(let arc):
                "A\(SVGNumber(arc.radiusX)) \(SVGNumber(arc.radiusY)) \(SVGNumber(arc.rotation)) "
                    + "\(arc.isLarge ? 1 : 0) \(arc.isClockwise ? 1 : 0) \(arc.end.shortText)"
            case .close: "Z"
            }
        }.joined()
    }
}

extension Point {
    fileprivate var shortText: String { "\(SVGNumber(x)) \(SVGNumber(y))" }
}
