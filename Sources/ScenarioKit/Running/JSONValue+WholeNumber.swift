internal import RefreshProtocol

extension JSONValue {
    /// The number without its fraction, clamped to the range of `Int`; nil if this is not a number.
    package var wholeNumber: Int? {
        guard let number, !number.isNaN else { return nil }
        return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
