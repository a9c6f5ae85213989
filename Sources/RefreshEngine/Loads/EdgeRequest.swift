import RefreshProtocol

/// The latest request of an edge for a load. Both edges have a value of this type.
struct EdgeRequest: Hashable, Sendable {
    // The members are ordered to avoid padding.
    /// The attempt number of the running load. It is 0 after a load that did not fail.
    var attempt: UInt16 = 0
    /// The cause of the latest request. A load that runs or waits keeps the cause of its own
    /// request.
    var cause = Cause.finger
    /// The control that requested the running load.
    var trigger = LoadTrigger.manual
    /// Whether a gesture fired the load that waits.
    var isQueuedByGesture = false
    /// Whether the gesture may request again as soon as the list has gone back from the threshold.
    /// This is true after an accepted load, if an option permits it. The option is `rearm` with the
    /// value `gesture`, or, at a refresh edge, `firesAgain`.
    var isRenewed = false

    /// Records that the load has ended, and returns whether it has failed. The count of attempts
    /// continues until a load does not fail.
    mutating func recordEnd(_ result: LoadResult) -> Bool {
        switch result {
        case .failed, .timedOut: return true
        case .success, .empty, .noMore, .cancelled, .refused:
            attempt = 0
            return false
        }
    }
}
