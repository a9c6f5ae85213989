internal import GRDB
internal import GRDBSQLite
internal import RefreshBroker

/// A prepared statement during one call. It binds values and returns rows.
///
/// GRDB creates the statement and serializes access to its connection. Binding and reading bypass
/// GRDB, because GRDB's strings end at a NUL, and GRDB repairs invalid UTF-8.
@safe struct SQLiteStatement: ~Copyable {
    private let statement: OpaquePointer
    /// This reference keeps the statement alive. GRDB finalizes the statement when its last
    /// reference is released.
    private let owner: Statement

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
    }

    deinit {
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
    }

    /// The names of the parameters as written, such as `:size`. The entry of a parameter without a
    /// name is nil.
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

    /// Binds a value to each parameter.
    func bind(_ bindings: SQLiteBindings) throws(DatabaseError) {
        for (index, name) in parameterNames.enumerated() {
            let value = name.map { bindings[String($0.dropFirst())] } ?? .null
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }

    /// Advances to the next row. Returns false at the end.
    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    /// Returns the size in bytes of a text or BLOB in the row, and 0 for other values.
    func bytesCount(at column: Int) -> Int {
        let index = Int32(column)
        // If the size of a number is requested, SQLite converts the number to text, and the type of
        // the value is then undefined (sqlite.org/c3ref/column_blob.html).
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_TEXT, SQLITE_BLOB: return Int(unsafe sqlite3_column_bytes(statement, index))
        default: return 0
        }
    }

    /// Returns a value of the row. Returns nil for a real that is not finite, and for invalid
    /// UTF-8.
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
        // The value of SQLITE_TRANSIENT, which the header defines as a number that is cast to a
        // function pointer. With this value, SQLite copies the bytes that are bound.
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

/// A SQLite value.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// A finite number.
    case real(Double)
    /// Valid UTF-8, possibly with NULs.
    case text(String)
    case blob([UInt8])

    /// Converts a client's parameter value. SQLite represents booleans as 1 and 0.
    init(_ value: ParameterValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .real(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        }
    }
}
