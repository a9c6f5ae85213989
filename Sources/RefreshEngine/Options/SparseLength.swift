/// A length that may be left out, in the space of one that may not: views are many.
struct SparseLength: Hashable, Sendable, Codable {
    /// Points; below 0 for none.
    private var points = -1.0

    init() {}

    /// Points, at least 0.
    var value: Double? {
        @inline(__always) get { points < 0 ? nil : points }
        set { points = newValue.map { max($0, 0) } ?? -1 }
    }
}
