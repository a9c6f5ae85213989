/// The memory in use compared with one of its bounds.
struct MemoryReading: Hashable, Sendable {
    /// Bytes in use.
    var used: Int
    /// Bytes above which new clients are refused.
    var bound: Int
    /// The part of the used bytes that the kernel can reclaim although it is in use. No connected
    /// session is evicted for it.
    var reclaimable = 0
    /// Whether other processes use most of it. Evicting sessions would not help then.
    var isOthers = false

    /// By what share of the bound it may be exceeded before connected sessions are evicted.
    /// Detached sessions go first, and are given time.
    private static let slack = 0.01
    /// By what share of the bound usage must be below it after an eviction, so that not every
    /// further byte costs a session.
    private static let relief = 0.03

    /// Whether more is used than the bound.
    var isShort: Bool { used > bound }

    /// Bytes that are free below the bound.
    var room: Int { max(0, bound - used) }

    /// Bytes that connected sessions must free; 0 if none of them must go.
    var excess: Int {
        let held = used - reclaimable
        guard !isOthers, Double(held) > Double(bound) * (1 + Self.slack) else { return 0 }
        return held - Int(Double(bound) * (1 - Self.relief))
    }
}
