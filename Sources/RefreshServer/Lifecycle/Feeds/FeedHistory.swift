/// The feeds that have changed so far. Changes are numbered in the order in which sessions are
/// notified of them.
///
/// While a session moves from one loop to another, it receives no notifications. After the move, it
/// is notified of the changes that it may have missed.
struct FeedHistory {
    private var count: UInt64 = 0
    /// The number of each feed's last change.
    private var last: [String: UInt64] = [:]

    /// Records a change. Returns its number, one more than that of the previous change.
    mutating func recordChange(of feed: String) -> UInt64 {
        count += 1
        last[feed] = count
        return count
    }

    /// The feeds that have changed after the change with that number, sorted by name.
    func changed(after number: UInt64) -> [String] {
        last.filter { $0.value > number }.keys.sorted()
    }
}
