package import RefreshProtocol

/// What a JSON value of the protocol may be: the one description that the JSON Schema, the AsyncAPI
/// document and the checks of messages are made from.
package indirect enum Shape: Sendable {
    case anything
    case flag
    case number(NumberBounds)
    case text(TextBounds)
    /// One of these strings.
    case word([String])
    /// This value and no other.
    case constant(JSONValue)
    /// Values of one shape, so many.
    case list(Shape, count: ClosedRange<Int>)
    /// Exactly these values, in this order.
    case tuple([Shape])
    case object([ShapeField])
    /// An object whose members are named by somebody; `names`: a regular expression, nil for any.
    case named(Shape, names: String? = nil)
    case either([Shape])
    /// No value at all: what may not stand there.
    case absent
    /// One of the definitions, by name.
    case reference(String)

    /// What a number may be.
    package struct NumberBounds: Sendable {
        var least: Double?
        var most: Double?
        /// It is larger than that.
        var above: Double?
        var isWhole = false
        /// The limit that its absolute value is bounded by, by name: an operator may choose it.
        var limit: String?
    }

    /// What a string may be; lengths are characters.
    package struct TextBounds: Sendable {
        var least: Int?
        var most: Int?
        /// A regular expression that holds for the whole text.
        var pattern: String?
    }
}

/// One member of an object.
package struct ShapeField: Sendable {
    let name: String
    let shape: Shape
    let isRequired: Bool
    let meaning: String?

    init(_ name: String, _ shape: Shape, _ meaning: String? = nil, isRequired: Bool = false) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
    }

    static func required(
        _ name: String, _ shape: Shape, _ meaning: String? = nil
    ) -> ShapeField {
        ShapeField(name, shape, meaning, isRequired: true)
    }

    /// The members of each form of an object that comes in several, so that no value fits another
    /// form than its own: what others have and it has not may not stand in it. Else a member that
    /// is wrong in its own form would pass in another, as one that nobody knows.
    static func apart(_ forms: [[ShapeField]]) -> [[ShapeField]] {
        forms.map { fields in
            var known = Set(fields.map(\.name))
            let others = forms.joined().filter { known.insert($0.name).inserted }
            return fields + others.map { ShapeField($0.name, .absent) }
        }
    }
}

extension Shape {
    static let null = Shape.constant(.null)
    static let string = Shape.text(TextBounds())
    static let real = Shape.number(NumberBounds())
    /// 0...1.
    static let part = Shape.number(NumberBounds(least: 0, most: 1))
    static let count = Shape.number(NumberBounds(least: 0, isWhole: true))
    static let whole = Shape.number(NumberBounds(isWhole: true))
    static let notNegative = Shape.number(NumberBounds(least: 0))
    static let positive = Shape.number(NumberBounds(above: 0))
    /// Points, either way.
    static let points = Shape.number(NumberBounds(limit: "geometryPointsMax"))
    /// Points, not negative.
    static let length = Shape.number(NumberBounds(least: 0, limit: "geometryPointsMax"))
    /// Milliseconds, up to an hour.
    static let time = time(least: 0)

    static func time(least: Double) -> Shape {
        .number(NumberBounds(least: least, most: Double(OptionKind.timeMax)))
    }

    static func whole(_ range: ClosedRange<Int>) -> Shape {
        .number(
            NumberBounds(
                least: Double(range.lowerBound), most: Double(range.upperBound), isWhole: true))
    }

    static func words<Word: CaseIterable & RawRepresentable<String>>(
        _: Word.Type, where isIncluded: (Word) -> Bool = { _ in true }
    ) -> Shape {
        .word(Word.allCases.filter(isIncluded).map(\.rawValue))
    }

    static func orNull(_ shape: Shape) -> Shape { .either([shape, .null]) }

    /// An object in one of these forms.
    static func forms(_ forms: [[ShapeField]]) -> Shape {
        .either(ShapeField.apart(forms).map { .object($0) })
    }

    static func list(_ shape: Shape) -> Shape { .list(shape, count: 0...Int.max) }
}
