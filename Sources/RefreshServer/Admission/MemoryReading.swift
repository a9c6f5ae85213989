/// How much memory is used of what may be, by one of its bounds.
struct MemoryReading: Hashable, Sendable {
    /// Bytes.
    var used: Int
    /// Bytes above which nobody new is let in.
    var bound: Int
    /// Of those that are used, what the kernel can take back when it has to, though it is in use:
    /// nobody who is connected goes for that.
    var reclaimable = 0
    /// Whether others use most of it: then it would not help if sessions went.
    var isOthers = false

    /// Of the bound, what may be used beyond it before sessions that have a connection go: what
    /// waits goes first, and is given time.
    private static let slack = 0.01
    /// Of the bound, how far below it is to be used when they have gone: not each byte more shall
    /// cost a session.
    private static let relief = 0.03

    /// Whether more is used than should be.
    var isShort: Bool { used > bound }

    /// Bytes that are free below the bound.
    var room: Int { max(0, bound - used) }

    /// Bytes that are to be free again; 0 where nobody who is connected has to go for them.
    var excess: Int {
        let held = used - reclaimable
        guard !isOthers, Double(held) > Double(bound) * (1 + Self.slack) else { return 0 }
        return held - Int(Double(bound) * (1 - Self.relief))
    }
}
