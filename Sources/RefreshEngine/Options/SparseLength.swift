/// An optional length in the space of a plain one, because there are many views.
struct SparseLength: Hashable, Sendable, Codable {
    /// Points; negative for nil.
    private var points = -1.0

    init() {}

    /// Points, at least 0.
    var value: Double? {
        @inline(__always) get { points < 0 ? nil : points }
        set { points = newValue.map { max($0, 0) } ?? -1 }
    }
}
