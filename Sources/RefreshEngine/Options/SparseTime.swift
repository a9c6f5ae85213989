/// A time that may be left out, in the space of one that may not: views are many.
struct SparseTime: Hashable, Sendable, Codable {
    /// Milliseconds; the largest for none.
    private var milliseconds = UInt32.max

    init() {}

    /// Milliseconds.
    var value: UInt32? {
        @inline(__always) get { milliseconds == .max ? nil : milliseconds }
        set { milliseconds = newValue ?? .max }
    }
}
