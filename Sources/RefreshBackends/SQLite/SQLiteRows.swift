internal import Foundation
internal import RefreshBroker
internal import RefreshProtocol

/// An encoder that writes the rows of a page as JSON.
struct SQLiteRows: ~Copyable {
    private(set) var count = 0
    private let options: SQLiteOptions
    private var json = ByteBuffer(capacity: 4096)
    /// The start of each column's JSON member: the quoted name and the colon.
    private var keys: [[UInt8]] = []
    /// The indices of the `after` columns.
    private var afterColumns: [Int] = []
    private var last: [SQLiteValue] = []

    init(_ options: SQLiteOptions) {
        self.options = options
        json.append(UInt8(ascii: "["))
    }

    /// Appends the current row of `statement`.
    mutating func append(_ statement: borrowing SQLiteStatement) throws(LoadFailure) {
        // The names are read at the first row. Before the first row, SQLite may prepare the
        // statement again because the schema has changed. Then the columns can have changed.
        if count == 0 { readColumns(statement.columnNames) }
        last.removeAll(keepingCapacity: true)
        if count > 0 { json.append(UInt8(ascii: ",")) }
        for (index, key) in keys.enumerated() {
            json.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            json.append(key)
            try checkSize(adding: statement.bytesCount(at: index))
            guard let value = statement.value(at: index) else {
                throw LoadFailure(
                    .backendAnswerMalformed,
                    "Row \(count + 1) has a value that JSON cannot represent.")
            }
            append(value)
        }
        json.append(UInt8(ascii: "}"))
        try checkSize(adding: 1)
        count += 1
        for column in afterColumns {
            last.append(statement.value(at: column) ?? .null)
        }
    }

    /// Returns the page. `size` is the number of requested rows.
    consuming func page(size: Int) throws(LoadFailure) -> Page {
        json.append(UInt8(ascii: "]"))
        let more = options.paging != .none && count > 0 && count >= size
        var page = Page(items: json.bytes, count: count, more: more)
        if options.paging == .cursor, more {
            guard last.count == options.after.count else {
                throw LoadFailure(.backendFailed, "The columns of the result have changed.")
            }
            let cursor = SQLiteCursor(last).text
            guard cursor.utf8.count <= PageReader.cursorBytesMax else {
                throw LoadFailure(.backendAnswerTooLarge, "The values of `after` are too long.")
            }
            page.cursor = cursor
        }
        return page
    }

    private mutating func readColumns(_ names: [String]) {
        keys = names.map { name in
            var key = ByteBuffer(capacity: 64)
            key.appendQuoted(name)
            key.append(UInt8(ascii: ":"))
            return key.bytes
        }
        afterColumns = options.after.compactMap { names.firstIndex(of: $0) }
    }

    private func checkSize(adding bytes: Int) throws(LoadFailure) {
        guard json.count + bytes <= options.responseBytesMax else {
            throw LoadFailure(
                .backendAnswerTooLarge,
                "A page is larger than \(options.responseBytesMax) bytes.")
        }
    }

    private mutating func append(_ value: SQLiteValue) {
        switch value {
        case .null: json.append(literal: "null")
        case .integer(let integer): json.append(Int(integer))
        case .real(let real): json.append(real)
        case .text(let text): json.appendQuoted(text)
        case .blob(let bytes):
            json.append(UInt8(ascii: "\""))
            json.append(Data(bytes).base64EncodedString())
            json.append(UInt8(ascii: "\""))
        }
    }
}
