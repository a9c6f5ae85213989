/// An optional time in the space of a plain one, because there are many views.
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
