/// An optional length that takes no more memory than a plain length, because there are many views.
struct SparseLength: Hashable, Sendable, Codable {
    /// The length in points. A negative number stands for nil.
    private var points = -1.0

    init() {}

    /// The length in points, at least 0.
    var value: Double? {
        @inline(__always) get { points < 0 ? nil : points }
        set { points = newValue.map { max($0, 0) } ?? -1 }
    }
}

/// An optional time that takes no more memory than a plain time, because there are many views.
struct SparseTime: Hashable, Sendable, Codable {
    /// The time in milliseconds. The largest number stands for nil.
    private var milliseconds = UInt32.max

    init() {}

    /// The time in milliseconds.
    var value: UInt32? {
        @inline(__always) get { milliseconds == .max ? nil : milliseconds }
        set { milliseconds = newValue ?? .max }
    }
}
