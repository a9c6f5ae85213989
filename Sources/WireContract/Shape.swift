package import RefreshProtocol

/// The shape of a JSON value of the protocol. The JSON Schema, the AsyncAPI document and the
/// message checks are generated from shapes.
package indirect enum Shape: Sendable {
    case anything
    case flag
    case number(NumberBounds)
    case text(TextBounds)
    /// One of these strings.
    case word([String])
    /// Exactly this value.
    case constant(JSONValue)
    /// An array of values with the same shape. `count` is the range of its length.
    case list(Shape, count: ClosedRange<Int>)
    /// Exactly these values, in this order.
    case tuple([Shape])
    case object([ShapeField])
    /// An object with any member names. If `names` is not nil, it is a regular expression that all
    /// names must match.
    case named(Shape, names: String? = nil)
    case either([Shape])
    /// No value: the member must be absent.
    case absent
    /// One of the definitions, by name.
    case reference(String)

    /// The constraints of a number.
    package struct NumberBounds: Sendable {
        var least: Double?
        var most: Double?
        /// The value must be greater than this bound.
        var above: Double?
        var isWhole = false
        /// The name of the configurable limit that bounds the absolute value.
        var limit: String?
        /// The unit of the number; nil if it has none. The schema does not contain it.
        var unit: Unit?
    }

    /// The units of the protocol's numbers. Source: docs/protocol.md, "Units and signs".
    package enum Unit: String, Sendable {
        case bytes
        case milliseconds = "ms"
        case points
        case pointsPerSecond = "points/s"
        case radians
        case radiansPerSecond = "radians/s"
    }

    /// The constraints of a string. Lengths are in characters.
    package struct TextBounds: Sendable {
        var least: Int?
        var most: Int?
        /// A regular expression that must match the whole text.
        var pattern: String?
    }
}

/// One member of an object.
package struct ShapeField: Sendable {
    let name: String
    let shape: Shape
    let isRequired: Bool
    let meaning: String?
    /// What the client must have requested, so that it may use the member or receives it; nil if
    /// the member belongs to every session.
    let need: FeatureNeed?

    init(
        _ name: String, _ shape: Shape, _ meaning: String? = nil, isRequired: Bool = false,
        need: FeatureNeed? = nil
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
        self.need = need
    }

    static func required(
        _ name: String, _ shape: Shape, _ meaning: String? = nil
    ) -> ShapeField {
        ShapeField(name, shape, meaning, isRequired: true)
    }

    /// Returns the members of each form of an object. In each form, the members of the other forms
    /// must be absent, so that a value fits only its own form. Without this rule, a member that is
    /// invalid in its own form would be accepted as an unknown member of another form.
    static func exclusive(_ forms: [[ShapeField]]) -> [[ShapeField]] {
        forms.map { fields in
            var known = Set(fields.map(\.name))
            let others = forms.joined().filter { known.insert($0.name).inserted }
            return fields + others.map { ShapeField($0.name, .absent) }
        }
    }
}

/// The features that a client must have requested for a message or a member. Source:
/// docs/protocol.md, "Features".
package enum FeatureNeed: Hashable, Sendable {
    /// The `features` of `hello` must be present, and may be empty.
    case features
    /// The feature of this name must be in use.
    case named(Feature)

    /// The need in a table of docs/messages.md.
    var text: String {
        switch self {
        case .features: "[features](protocol.md#features)"
        case .named(let feature): "[`\(feature.wireName)`](protocol.md#features)"
        }
    }
}

extension Shape {
    static let null = Shape.constant(.null)
    static let string = Shape.text(TextBounds())
    static let real = Shape.number(NumberBounds())
    /// A number from 0 to 1.
    static let part = Shape.number(NumberBounds(least: 0, most: 1))
    /// A number by which another value is multiplied.
    static let factor = Shape.number(
        NumberBounds(
            least: OptionKind.factors.lowerBound, most: OptionKind.factors.upperBound))
    static let count = Shape.number(NumberBounds(least: 0, isWhole: true))
    static let whole = Shape.number(NumberBounds(isWhole: true))
    static let notNegative = Shape.number(NumberBounds(least: 0))
    static let positive = Shape.number(NumberBounds(above: 0))
    /// A number of points that can be negative.
    static let points = Shape.number(NumberBounds(limit: "geometryPointsMax", unit: .points))
    /// A number of points that is not negative.
    static let length = Shape.number(
        NumberBounds(least: 0, limit: "geometryPointsMax", unit: .points))
    /// A time in milliseconds, up to an hour.
    static let time = time(least: 0)
    /// A time of a clock, in milliseconds.
    static let clock = Shape.number(NumberBounds(unit: .milliseconds))
    /// A duration in milliseconds.
    static let duration = Shape.number(NumberBounds(least: 0, unit: .milliseconds))
    /// A duration in whole milliseconds.
    static let wholeDuration = Shape.number(
        NumberBounds(least: 0, isWhole: true, unit: .milliseconds))
    /// A velocity of a list.
    static let velocity = Shape.number(
        NumberBounds(limit: "velocityMax", unit: .pointsPerSecond))

    static func time(least: Double) -> Shape {
        .number(
            NumberBounds(least: least, most: Double(OptionKind.timeMax), unit: .milliseconds))
    }

    /// A number without bounds, in this unit.
    static func real(in unit: Unit) -> Shape { .number(NumberBounds(unit: unit)) }

    static func whole(_ range: ClosedRange<Int>, in unit: Unit? = nil) -> Shape {
        .number(
            NumberBounds(
                least: Double(range.lowerBound), most: Double(range.upperBound), isWhole: true,
                unit: unit))
    }

    static func words<Word: CaseIterable & RawRepresentable<String>>(
        _: Word.Type, where isIncluded: (Word) -> Bool = { _ in true }
    ) -> Shape {
        .word(Word.allCases.filter(isIncluded).map(\.rawValue))
    }

    static func orNull(_ shape: Shape) -> Shape { .either([shape, .null]) }

    /// Returns the shape of an object with several forms.
    static func forms(_ forms: [[ShapeField]]) -> Shape {
        .either(ShapeField.exclusive(forms).map { .object($0) })
    }

    static func list(_ shape: Shape) -> Shape { .list(shape, count: 0...Int.max) }
}
