internal import GRDB
internal import GRDBSQLite

/// A prepared statement while one call runs it: values in, rows out, text as bytes.
///
/// GRDB makes the statement and serializes what is done with its connection; binding and reading go
/// past it, because its strings end at a NUL and repair what is not UTF-8.
@safe struct SQLiteStatement: ~Copyable {
    private let statement: OpaquePointer
    /// Finalizes it when the last that uses it is gone.
    private let owner: Statement

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
    }

    deinit {
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
    }

    /// The statement's parameters as they are written, as `:size`; nil for one without a name.
    var parameterNames: [String?] {
        (0..<(unsafe sqlite3_bind_parameter_count(statement))).map { index in
            unsafe sqlite3_bind_parameter_name(statement, index + 1).map {
                unsafe String(cString: $0)
            }
        }
    }

    var columnNames: [String] {
        (0..<(unsafe sqlite3_column_count(statement))).map { index in
            unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// Gives each parameter its value.
    func bind(_ bindings: SQLiteBindings) throws(DatabaseError) {
        for (index, name) in parameterNames.enumerated() {
            let value = name.map { bindings[String($0.dropFirst())] } ?? .null
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }

    /// Goes to the next row; false at the end.
    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// Bytes of a text or BLOB of the row; of other values none.
    func bytesCount(at column: Int) -> Int {
        let index = Int32(column)
        // To ask for the bytes of a number makes it a text (sqlite.org/c3ref/column_blob.html), and
        // leaves its type undefined.
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_TEXT, SQLITE_BLOB: return Int(unsafe sqlite3_column_bytes(statement, index))
        default: return 0
        }
    }

    /// A value of the row; nil for a real that is not finite, and for text that is not UTF-8.
    func value(at column: Int) -> SQLiteValue? {
        let index = Int32(column)
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER:
            return .integer(unsafe sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT:
            let real = unsafe sqlite3_column_double(statement, index)
            return real.isFinite ? .real(real) : nil
        case SQLITE_TEXT:
            let bytes = unsafe UnsafeBufferPointer(
                start: unsafe sqlite3_column_text(statement, index), count: bytesCount(at: column))
            return unsafe String(validating: bytes, as: UTF8.self).map { .text($0) }
        case SQLITE_BLOB:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: unsafe sqlite3_column_blob(statement, index), count: bytesCount(at: column))
            return unsafe .blob(Array(bytes))
        default:
            return .null
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, which the header makes of a number: SQLite takes a copy.
        let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(statement, index)
        case .integer(let integer):
            return unsafe sqlite3_bind_int64(statement, index, integer)
        case .real(let real):
            return unsafe sqlite3_bind_double(statement, index, real)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe sqlite3_bind_text64(
                        statement, index, characters.baseAddress, UInt64(characters.count), copies,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else {
                    return unsafe sqlite3_bind_zeroblob(statement, index, 0)
                }
                return unsafe sqlite3_bind_blob64(
                    statement, index, start, UInt64(bytes.count), copies)
            }
        }
    }
}
