import Foundation
import RefreshProtocol

/// Foundation's JSON reader, with which the project's reader is compared.
enum FoundationJSON {
    /// The value with members sorted by name; nil if Foundation refuses the text.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        object(escapingMarks(in: bytes)).map(value)
    }

    /// Whether two values are equal in every scalar and every bit. Foundation truncates a whole
    /// number beyond 64 bits to 38 digits, so such a number may differ by one unit in the last
    /// place.
    static func agree(_ ours: JSONValue, _ theirs: JSONValue) -> Bool {
        switch (ours, theirs) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)):
            a == b || (a.magnitude > 0x1p63 && (a.nextUp == b || a.nextDown == b))
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)):
            a.count == b.count && zip(a, b).allSatisfy(agree)
        case (.object(let a), .object(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy { a, b in
                    a.name.utf8.elementsEqual(b.name.utf8) && agree(a.value, b.value)
                }
        default: false
        }
    }

    private static let booleanType = object(Array("true".utf8)).map {
        ObjectIdentifier(type(of: $0))
    }

    private static func object(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    /// The text, in which an escape replaces each U+FEFF after the first byte.
    /// swift-corelibs-foundation drops this character at the beginning of a string or after an
    /// escape.
    private static func escapingMarks(in bytes: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard bytes.dropFirst().contains(mark[0]) else { return bytes }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isEscaped = !text.reversed().prefix { $0 == 0x5C }.count.isMultiple(of: 2)
            if index > 0, !isEscaped, bytes[index...].starts(with: mark) {
                text += Array(#"\uFEFF"#.utf8)
                index += mark.count
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return text
    }

    private static func value(_ object: Any) -> JSONValue {
        switch object {
        case let text as String: .string(text)
        case let values as [Any]: .array(values.map(value))
        case let members as [String: Any]:
            .object(
                members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, value($0.value)) }
            )
        case let number as NSDecimalNumber: .number(Double(number.stringValue) ?? .nan)
        case let number as NSNumber:
            ObjectIdentifier(type(of: object)) == booleanType
                ? .bool(number.boolValue) : .number(number.doubleValue)
        default: .null
        }
    }
}
