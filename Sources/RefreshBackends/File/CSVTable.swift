internal import RefreshBroker
internal import RefreshProtocol

/// A parser of comma-separated values (RFC 4180) with a header row. Rows become JSON objects with
/// string values.
///
/// Lines end with CRLF or LF. A quoted field may contain line ends, commas and doubled quotes.
/// Empty lines are skipped unless the table has one column. A byte order mark is skipped. In all
/// other respects the parser is strict. For example, a record with more or fewer fields than the
/// header is an error. An error contains the number of its line.
struct CSVTable: ~Copyable {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var json = ByteBuffer()
    private var marks = ItemMarks()

    /// The maximum number of columns. No client can display a table with more.
    static let columnsMax = 4096

    /// Parses a table. Each row becomes a JSON object, which repeats the column names. Together,
    /// the objects may have at most `itemBytesMax` bytes.
    static func items(
        in bytes: [UInt8], itemBytesMax: Int = .max,
        for cancellation: CancellationFlag = CancellationFlag()
    ) throws(LoadFailure) -> ItemList {
        var table = CSVTable(bytes: bytes)
        try table.read(itemBytesMax: itemBytesMax, for: cancellation)
        return ItemList(bytes: table.json.bytes, marks: table.marks)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read(itemBytesMax: Int, for cancellation: CancellationFlag)
        throws(LoadFailure)
    {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard position < bytes.count else { return }
        let names = try readRecord()
        // The bytes are compared, because strings with different bytes can be equal.
        guard Set(names.map { Array($0.utf8) }).count == names.count, !names.contains("") else {
            throw malformed("a column name in the header is empty or occurs twice", on: 1)
        }
        let keys = names.map { name in
            var key = ByteBuffer()
            key.appendQuoted(name)
            return key.bytes
        }
        while position < bytes.count {
            let start = line
            let values = try readRecord()
            if values == [""], keys.count > 1 { continue }
            guard values.count == keys.count else {
                throw malformed(
                    "its number of fields is \(values.count), but the header's is \(keys.count)",
                    on: start)
            }
            if marks.append(json.count) { try cancellation.checkCancellation() }
            append(keys, values)
            guard json.count <= itemBytesMax else {
                throw LoadFailure(
                    .backendAnswerTooLarge,
                    "The items of the file are larger than \(itemBytesMax) bytes.")
            }
        }
    }

    private mutating func append(_ keys: [[UInt8]], _ values: [String]) {
        for (index, value) in values.enumerated() {
            json.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            json.append(keys[index])
            json.append(UInt8(ascii: ":"))
            json.appendQuoted(value)
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Reads one record, including the end of its line.
    private mutating func readRecord() throws(LoadFailure) -> [String] {
        var fields: [String] = []
        repeat {
            guard fields.count < Self.columnsMax else {
                throw malformed("more than \(Self.columnsMax) fields", on: line)
            }
            fields.append(try readField())
        } while skip(UInt8(ascii: ","))
        _ = skip(0x0D)
        guard skip(0x0A) || position == bytes.count else {
            throw malformed("text after a quoted field", on: line)
        }
        line += 1
        return fields
    }

    private mutating func readField() throws(LoadFailure) -> String {
        let start = line
        let value = try skip(UInt8(ascii: "\"")) ? readQuotedField() : readPlainField()
        guard let text = String(validating: value, as: UTF8.self) else {
            throw malformed("not UTF-8", on: start)
        }
        return text
    }

    private mutating func readPlainField() throws(LoadFailure) -> [UInt8] {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ",") || byte == 0x0A || isLineEnd(position) { break }
            guard byte != UInt8(ascii: "\"") else {
                throw malformed("a quote inside a field that is not quoted", on: line)
            }
            position += 1
        }
        return Array(bytes[start..<position])
    }

    /// Reads a quoted field, after its opening quote.
    private mutating func readQuotedField() throws(LoadFailure) -> [UInt8] {
        let start = line
        var value: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\""), !skip(UInt8(ascii: "\"")) { return value }
            if byte == 0x0A { line += 1 }
            value.append(byte)
        }
        throw malformed("a quote that is never closed", on: start)
    }

    /// Returns whether a CRLF, or a CR at the end of the file, is at `index`.
    private func isLineEnd(_ index: Int) -> Bool {
        guard bytes[index] == 0x0D else { return false }
        return index + 1 == bytes.count || bytes[index + 1] == 0x0A
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func malformed(_ what: String, on line: Int) -> LoadFailure {
        LoadFailure(.backendAnswerMalformed, "Line \(line) of the file: \(what).")
    }
}
