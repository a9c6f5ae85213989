/// An optional length that takes no more memory than a plain length, because there are many views.
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

/// An optional time that takes no more memory than a plain time, because there are many views.
struct SparseTime: Hashable, Sendable, Codable {
    /// Milliseconds; the maximum for nil.
    private var milliseconds = UInt32.max

    init() {}

    /// Milliseconds.
    var value: UInt32? {
        @inline(__always) get { milliseconds == .max ? nil : milliseconds }
        set { milliseconds = newValue ?? .max }
    }
}
