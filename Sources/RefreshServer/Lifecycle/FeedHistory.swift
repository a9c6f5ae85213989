/// Which feeds have changed so far, in the order in which sessions are told of it.
///
/// A session on its way from one loop to another is on neither: it is told when it arrives, of what
/// has changed since all was told where it came from.
struct FeedHistory {
    private var count: UInt64 = 0
    /// The number of each feed's last change.
    private var last: [String: UInt64] = [:]

    /// The number of the change: one more than that of the one before.
    mutating func note(_ feed: String) -> UInt64 {
        count += 1
        last[feed] = count
        return count
    }

    /// The feeds that have changed after the change of that number, by name.
    func changed(after number: UInt64) -> [String] {
        last.filter { $0.value > number }.keys.sorted()
    }
}
