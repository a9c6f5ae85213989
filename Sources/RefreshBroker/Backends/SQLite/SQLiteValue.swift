/// A value as SQLite has it.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// Finite.
    case real(Double)
    /// UTF-8; may hold NUL.
    case text(String)
    case blob([UInt8])

    /// What a client gave for a parameter: SQLite has no booleans but 1 and 0.
    init(_ value: ParameterValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .real(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        }
    }
}
