/// What values of a feed's parameter are. Source: docs/configuration.md, "parameters".
package enum ParameterType: String, CaseIterable, Sendable {
    case text
    /// 64 bits, signed.
    case integer
    /// A finite double.
    case number
    case boolean
}
