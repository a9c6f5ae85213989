/// The memory in use compared with one of its bounds.
struct MemoryReading: Hashable, Sendable {
    /// Bytes in use.
    var used: Int
    /// Bytes above which new clients are refused.
    var bound: Int
    /// The part of the used bytes that the kernel can reclaim. No connected session is evicted
    /// because of this part.
    var reclaimable = 0
    /// Whether other processes use most of the memory. In that case evicting sessions would not
    /// help.
    var isOthers = false

    /// Connected sessions are evicted only if usage exceeds the bound by more than this share of
    /// the bound. Below this share, only detached sessions are evicted.
    private static let slack = 0.01
    /// After an eviction, usage must be below the bound by this share of the bound. Without this
    /// margin, each further byte would cause another eviction.
    private static let hysteresis = 0.03

    /// Whether more bytes are used than the bound permits.
    var isShort: Bool { used > bound }

    /// Bytes that are free below the bound.
    var room: Int { max(0, bound - used) }

    /// Bytes that connected sessions must free; 0 if no session must end.
    var excess: Int {
        let held = used - reclaimable
        guard !isOthers, Double(held) > Double(bound) * (1 + Self.slack) else { return 0 }
        return held - Int(Double(bound) * (1 - Self.hysteresis))
    }
}
