import RefreshProtocol

/// The permitted values of a field of a message, according to docs/protocol.md.
indirect enum FieldKind: Sendable {
    case view
    case text
    case load
    /// A list of identifiers of loads.
    case loads
    case flag
    case word([String])
    /// `frames`: a mode or an object. An unknown mode has its own fault.
    case frames
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// Milliseconds, which are rounded to whole ones. The view refuses values below 0.
    case time
    case intents
    /// A value of this kind, or `null` with its own meaning.
    case nullable(FieldKind)
    case object([FieldRule])
    /// The options of an edge, or `null` for no edge.
    case setting([FieldRule])
    case list([FieldRule])
    case parameters
    /// HTTP headers: tokens as names, and visible ASCII with spaces as values.
    case headers
    /// The name of an edit.
    case editName
    /// An operation on an item.
    case operation

    /// Returns a valid value of the field.
    func sample(_ random: inout SeededGenerator) -> JSONValue {
        switch self {
        case .view: .string(random.element(of: ["list", "a", "日本語", "it's \"quoted\" \\"]))
        case .text: .string(random.element(of: ["libs", "", "web/1.0", "naïve 😀", "a\nb"]))
        case .load: .string("\(random.below(5)).\(random.below(1000))")
        case .loads:
            .array((0..<random.below(4)).map { _ in Self.load.sample(&random) })
        case .flag: .bool(random.once(in: 2))
        case .word(let words): .string(random.element(of: words))
        case .frames: .string("stream")
        case .number(let range): .number(Self.number(in: range, &random))
        case .whole(let range):
            .number(Double(range.lowerBound + random.below(min(range.count, 1_000_000))))
        case .time: .number(Self.number(in: 0...3_600_000, &random))
        case .intents:
            .array(
                (0..<random.below(4)).map { _ in
                    .string(random.element(of: Self.intentNames))
                })
        case .nullable(let kind): kind.sample(&random)
        case .editName: .string(random.element(of: ["6f0c8a52-91d4", "aaaa_AAA"]))
        case .operation:
            .object([JSONValue.Member("remove", .number(Double(random.below(100))))])
        case .object(let rules), .setting(let rules): rules.sample(&random)
        case .list(let rules):
            .array((0..<random.below(3)).map { _ in rules.sample(&random) })
        case .parameters:
            .object(
                (0..<random.below(4)).map { index in
                    JSONValue.Member("p\(index)", Self.text.sample(&random))
                })
        case .headers:
            .object(
                (0..<random.below(4)).map { index in
                    JSONValue.Member(
                        "X-\(index)", .string(random.element(of: ["", "de, en", "Bearer a~!"])))
                })
        }
    }

    /// Invalid values of the field, with the fault of each.
    var wrong: [(JSONValue, FaultCode)] {
        wrongTypes.map { ($0, FaultCode.invalidField) } + wrongValues
    }

    /// The values at the bounds of the field.
    var edges: [JSONValue] {
        switch self {
        case .number(let range): [.number(range.lowerBound), .number(range.upperBound)]
        case .time: [-3_600_000.4, 0, 0.5, 1234.56, 3_600_000.4].map(JSONValue.number)
        case .intents: [.array([]), .array(Self.intentNames.map(JSONValue.string))]
        case .nullable(let kind): kind.edges + [.null]
        case .whole(let range):
            [.number(Double(range.lowerBound)), .number(Double(range.upperBound))]
        case .word(let words): words.map(JSONValue.string)
        case .flag: [.bool(false), .bool(true)]
        case .object(let rules), .setting(let rules):
            rules.contains { $0.isRequired } ? [] : [.object([])]
        case .list: [.array([])]
        case .loads: [.array([]), .array(Array(repeating: .string("1.1"), count: 32))]
        default: []
        }
    }

    private static let intentNames = [
        "finger", "fling", "wheel", "key", "accessibility", "code", "retry",
    ]

    private var wrongTypes: [JSONValue] {
        if case .nullable(let kind) = self { return kind.wrongTypes }
        let all: [JSONValue] = [
            .bool(true), .number(0.5), .string("no such word"), .array([]), .object([]),
        ]
        return all.filter { value in
            switch (self, value) {
            case (.flag, .bool), (.number, .number), (.whole, .number), (.text, .string),
                (.view, .string), (.frames, .string), (.frames, .object), (.object, .object),
                (.setting, .object),
                (.parameters, .object), (.headers, .object), (.list, .array), (.intents, .array),
                (.loads, .array),
                (.time, .number):
                false
            default: true
            }
        }
    }

    private var wrongValues: [(JSONValue, FaultCode)] {
        switch self {
        case .view:
            ["", "a\u{0}", "a\nb", "\u{7F}", "\u{85}", String(repeating: "x", count: 33)].map {
                (.string($0), .invalidField)
            }
        case .load:
            ["", "1", "1.", ".1", "1.2.3", "01.2", "1.02", "+1.2", "-1.2", "4294967296.1", "1.1 "]
                .map { (.string($0), .invalidField) }
        case .loads:
            [.string("1"), .string(""), .number(1.1), .null, .array([])].map {
                (.array([.string("1.1"), $0]), .invalidField)
            } + [(.array(Array(repeating: .string("1.1"), count: 33)), .valueOutOfRange)]
        case .frames: [(.string("vector"), .unsupportedFrames), (.string(""), .unsupportedFrames)]
        case .word(let words):
            [words[0] + "x", String(words[0].dropLast()), words[0].uppercased(), ""].map {
                (.string($0), .invalidField)
            }
        case .number(let range):
            [range.lowerBound.nextDown, range.upperBound.nextUp, 1e300, -1e300]
                .filter { $0.isFinite && !range.contains($0) }
                .map { (.number($0), .valueOutOfRange) }
        case .whole(let range):
            [Double(range.lowerBound) - 1, Double(range.upperBound) + 1, 1e300, -1e300].map {
                (.number($0), .valueOutOfRange)
            } + [(.number(Double(range.lowerBound) + 0.5), .invalidField)]
        case .time:
            [3_600_001, -3_600_001, 1e300].map { (.number($0), .valueOutOfRange) }
        case .intents:
            [.string("touch"), .string("Finger"), .string(""), .number(1), .null, .object([])].map {
                (.array([.string("wheel"), $0]), .invalidField)
            }
        case .nullable(let kind): kind.wrongValues
        case .editName:
            ["", "aaaaaaa", "aaaaaaa.", String(repeating: "a", count: 65)].map {
                (.string($0), .invalidField)
            }
        case .list: [(.array([.number(1)]), .invalidField), (.array([.array([])]), .invalidField)]
        case .parameters:
            [JSONValue.null, .number(1), .bool(true), .array([]), .object([])].map {
                (.object([JSONValue.Member("p", $0)]), .invalidField)
            }
        case .headers:
            [JSONValue.null, .number(1), .string("é"), .string("a\n"), .string("\u{7F}")].map {
                (.object([JSONValue.Member("h", $0)]), .invalidField)
            }
                + ["", "a b", "a:", "é", "a\r", "(a)"].map {
                    (.object([JSONValue.Member($0, .string(""))]), .invalidField)
                }
        case .text, .flag, .object, .setting, .operation: []
        }
    }

    private static func number(
        in range: ClosedRange<Double>, _ random: inout SeededGenerator
    ) -> Double {
        let steps = Double(random.below(1_000_001)) / 1_000_000
        let whole = max(range.lowerBound, -1e4) + steps * 1e4
        return min(max((whole * 64).rounded() / 64, range.lowerBound), range.upperBound)
    }
}
