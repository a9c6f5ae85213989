import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// Compares two ways to find values by pointers: in one pass over the text, and in the decoded
/// value.
@Suite("Answer mappings with pointers")
struct AnswerMappingTests {
    private static let names = ["a", "b", "items", "0", "1", "x/y", "~", "é", ""]
    private static let seed: UInt64 = 11

    @Test("In 2,000 random answers, a mapping finds the values to which its pointers lead")
    func generated() async throws {
        var generator = SeededGenerator(seed: Self.seed)
        var pages = 0
        var refusals = 0
        for number in 0..<2_000 {
            if number % 100 == 0 { await Task.yield() }
            let value = Self.value(depth: 0, &generator)
            let pointers = try (0..<4).map { try Self.pointer(to: $0, in: value, &generator) }
            let mapping = AnswerMapping(
                items: pointers[0], more: pointers[1], next: pointers[2], total: pointers[3],
                takingNumbers: true)
            let bytes = Array(Self.text(value, &generator).utf8)
            let expected = Self.expected(value, pointers)
            let read = Self.read(bytes, mapping)
            if expected == nil { refusals += 1 } else { pages += 1 }
            guard read != expected else { continue }
            Issue.record(
                """
                seed \(Self.seed), number \(number): \(String(decoding: bytes, as: UTF8.self)) \
                \(pointers.map(\.tokens)) read as \(String(describing: read)), \
                not \(String(describing: expected))
                """)
            return
        }
        // Both results must be frequent, or the test proves nothing.
        #expect(pages > 200 && refusals > 200, "\(pages) pages, \(refusals) refusals")
    }

    /// The contents of an accepted answer.
    private struct ParsedAnswer: Equatable {
        var items: JSONValue
        var count: Int
        var more: Bool?
        var next: PageReader.Next
        var total: Int?
    }

    private static func read(_ bytes: [UInt8], _ mapping: AnswerMapping) -> ParsedAnswer? {
        guard let answer = try? PageReader.read(bytes, by: mapping),
            let items = try? JSONValue(parsing: Array(bytes[answer.items]))
        else { return nil }
        return ParsedAnswer(
            items: items, count: answer.count, more: answer.more, next: answer.next,
            total: answer.total)
    }

    private static func expected(_ value: JSONValue, _ pointers: [JSONPointer]) -> ParsedAnswer? {
        let places = pointers.map { follow($0.tokens[...], in: value) }
        guard let items = places[0], case .array(let elements) = items else { return nil }
        var answer = ParsedAnswer(items: items, count: elements.count, next: .absent)
        switch places[1] {
        case nil, .null: break
        case .bool(let more): answer.more = more
        default: return nil
        }
        switch places[2] {
        case nil: break
        case .null, .string(""): answer.next = .none
        case .string(let cursor): answer.next = .cursor(cursor)
        case .number(let number): answer.next = .cursor(JSONValue.number(number).text)
        default: return nil
        }
        switch places[3] {
        case nil, .null: break
        case .number(let number) where number >= 0: answer.total = Int(number)
        default: return nil
        }
        return answer
    }

    private static func follow(_ tokens: ArraySlice<String>, in value: JSONValue) -> JSONValue? {
        guard let token = tokens.first else { return value }
        switch value {
        case .object:
            return value[token].flatMap { follow(tokens.dropFirst(), in: $0) }
        case .array(let elements):
            guard let index = Int(token), String(index) == token, elements.indices.contains(index)
            else { return nil }
            return follow(tokens.dropFirst(), in: elements[index])
        default:
            return nil
        }
    }

    /// Returns a pointer for the field 0 (`items`), 1 (`more`), 2 (`next`) or 3 (`total`). Four of
    /// five pointers lead to a value of a suitable type, if there is one.
    private static func pointer(
        to field: Int, in value: JSONValue, _ generator: inout SeededGenerator
    ) throws -> JSONPointer {
        let fitting = places(in: value).filter { place in
            switch (field, place.value) {
            case (0, .array), (1, .bool), (2, .string), (2, .number), (3, .number): true
            default: false
            }
        }
        let count = Int.random(in: 0...3, using: &generator)
        var tokens = (0..<count).map { _ in names.randomElement(using: &generator) ?? "a" }
        if Int.random(in: 0..<5, using: &generator) > 0 {
            tokens = fitting.randomElement(using: &generator)?.tokens ?? tokens
        }
        let escaped = tokens.map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }
        return try #require(JSONPointer(escaped.map { "/" + $0 }.joined()))
    }

    private static func places(in value: JSONValue) -> [(tokens: [String], value: JSONValue)] {
        var children: [(String, JSONValue)] = []
        switch value {
        case .object(let members): children = members.map { ($0.name, $0.value) }
        case .array(let elements): children = elements.enumerated().map { (String($0), $1) }
        default: break
        }
        let below = children.flatMap { name, child in
            places(in: child).map { ([name] + $0.tokens, $0.value) }
        }
        return [([], value)] + below
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: depth > 2 ? 4...9 : 0...9, using: &generator) {
        case 0, 1:
            let chosen = names.shuffled(using: &generator).prefix(5)
            return .object(chosen.map { .init($0, value(depth: depth + 1, &generator)) })
        case 2, 3:
            let count = Int.random(in: 0...3, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth + 1, &generator) })
        case 4: return .null
        case 5: return .bool(Bool.random(using: &generator))
        case 6: return .string("")
        case 7: return .string("c\"é")
        case 8: return .array([])
        default: return .number(Double(Int.random(in: -2...9, using: &generator)))
        }
    }

    /// Returns JSON. Spaces and escapes in names occur at random.
    private static func text(_ value: JSONValue, _ generator: inout SeededGenerator) -> String {
        let space = Bool.random(using: &generator) ? " " : ""
        switch value {
        case .array(let elements):
            let texts = elements.map { text($0, &generator) }
            return "[" + space + texts.joined(separator: "," + space) + "]" + space
        case .object(let members):
            let texts = members.map { member in
                var name = JSONValue.string(member.name).text
                if Bool.random(using: &generator) {
                    name = name.replacing("a", with: "\\u0061").replacing("/", with: "\\/")
                }
                return name + space + ":" + space + text(member.value, &generator)
            }
            return "{" + texts.joined(separator: space + ",") + space + "}"
        default:
            return value.text
        }
    }
}
