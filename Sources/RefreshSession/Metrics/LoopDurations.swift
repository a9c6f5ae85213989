/// Durations that one loop counts, with the bounds of `CallDurations`. One thread writes, and any
/// thread may read.
final class LoopDurations: Sendable {
    private let counts = (0...CallDurations.boundsMs.count).map { _ in Counter() }
    private let sum = Counter()

    /// Counts a duration. Only the loop's thread may call this.
    func add(microseconds: Int64) {
        counts[CallDurations.bucket(of: microseconds)].add(1)
        sum.add(Int(clamping: microseconds))
    }

    var snapshot: CallDurations.Snapshot {
        var snapshot = CallDurations.Snapshot()
        snapshot.counts = counts.map(\.value)
        snapshot.sumMicroseconds = sum.value
        return snapshot
    }
}
