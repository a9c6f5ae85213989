internal import RefreshProtocol

extension JSONValue {
    /// The number that a peer or a file says, without what stands behind its point; the nearest
    /// that can be counted with where it is too large for that. Nil: it is none.
    var wholeNumber: Int? {
        guard let number, !number.isNaN else { return nil }
        return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
