/// The numbers of the feed changes (see `FeedHistory`) of which all sessions of a `SessionHost`
/// have been notified. Sessions are notified in batches, so several changes may be in progress.
struct FeedChangeWatermark {
    private var begun: UInt64 = 0
    private var inProgress: Set<UInt64> = []

    /// Begins to notify sessions of a change. Its number is larger than that of the previous
    /// change.
    mutating func beginNotifying(_ number: UInt64) {
        begun = number
        inProgress.insert(number)
    }

    /// Records that all sessions were notified of the change.
    mutating func endNotifying(_ number: UInt64) { inProgress.remove(number) }

    /// Every session of the host was notified of all changes up to this number.
    var lastCompleted: UInt64 { inProgress.min().map { $0 - 1 } ?? begun }
}
