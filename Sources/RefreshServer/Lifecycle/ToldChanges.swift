/// Of which changes of feeds all sessions of a host have been told, by their numbers in
/// `FeedHistory`. They are told a piece at a time, so several may be under way.
struct ToldChanges {
    private var begun: UInt64 = 0
    private var underWay: Set<UInt64> = []

    /// Sessions begin to be told; numbers grow.
    mutating func begin(_ number: UInt64) {
        begun = number
        underWay.insert(number)
    }

    /// The last one has been told.
    mutating func end(_ number: UInt64) { underWay.remove(number) }

    /// Every session of the host knows of this change, and of all before it.
    var all: UInt64 { underWay.min().map { $0 - 1 } ?? begun }
}
