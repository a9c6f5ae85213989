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
