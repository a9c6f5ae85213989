internal import RefreshProtocol

/// The start of the next page of an SQL query: the values of the `after` columns in the last row of
/// the previous page.
///
/// On the wire, a cursor is the base64url form of a JSON array. Integers and reals are numbers, and
/// a real always has a point or an exponent. Text is a string, NULL is `null`, and a BLOB is an
/// object whose only member `blob` is its base64url form. The cursor is opaque to clients. A forged
/// cursor can only change the values that are bound to the query's parameters.
struct SQLiteCursor: Hashable, Sendable {
    var values: [SQLiteValue]

    init(_ values: [SQLiteValue]) { self.values = values }

    var text: String {
        var json = ByteBuffer()
        for (index, value) in values.enumerated() {
            json.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
            Self.append(value, to: &json)
        }
        json.append(UInt8(ascii: "]"))
        return Base64URL.text(of: json.bytes)
    }

    /// Parses the text form. Returns nil if the text is not a cursor with `count` values.
    init?(_ text: String, count: Int) {
        guard text.utf8.count <= PageReader.cursorBytesMax,
            let bytes = Base64URL.bytes(of: text[...]),
            let answer = try? PageReader.read(bytes, keepingElements: true),
            answer.items == bytes.indices, answer.count == count
        else { return nil }
        values = []
        for element in answer.elements {
            guard let value = Self.value(Array(bytes[element])) else { return nil }
            values.append(value)
        }
    }

    private static func append(_ value: SQLiteValue, to json: inout ByteBuffer) {
        switch value {
        case .null: json.append(literal: "null")
        case .integer(let integer): json.append(String(integer))
        case .real(let real):
            var number = ByteBuffer(capacity: 32)
            number.append(real)
            let isWhole = !number.bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 }
            json.append(number.bytes)
            if isWhole { json.append(literal: ".0") }
        case .text(let text): json.appendQuoted(text)
        case .blob(let bytes):
            json.append(literal: #"{"blob":""#)
            json.append(Base64URL.text(of: bytes))
            json.append(literal: #""}"#)
        }
    }

    /// Returns the SQLite value that a JSON text represents; nil if the text represents none.
    private static func value(_ json: [UInt8]) -> SQLiteValue? {
        guard let value = try? JSONValue(parsing: json) else { return nil }
        switch value {
        case .null: return .null
        case .string(let text): return .text(text)
        case .number(let number):
            let isReal = json.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 }
            if isReal { return .real(number) }
            return Int64(String(decoding: json, as: UTF8.self)).map { .integer($0) }
        case .object(let members):
            guard members.count == 1, let text = value["blob"]?.string else { return nil }
            return Base64URL.bytes(of: text[...]).map { .blob($0) }
        case .bool, .array: return nil
        }
    }
}
