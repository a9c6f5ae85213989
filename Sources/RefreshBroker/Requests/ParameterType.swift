/// The type of a feed's parameter. Source: docs/configuration.md, "parameters".
package enum ParameterType: String, CaseIterable, Sendable {
    case text
    /// 64 bits, signed.
    case integer
    /// A finite double.
    case number
    case boolean
}
