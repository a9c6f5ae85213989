/// The counters of one feed's asks. An ask is the request of this node that another node, the owner
/// of the request, performs a load. Every ask ends with exactly one `AskResult`.
package struct AskTally: Hashable, Sendable {
    /// The number of asks.
    package var started = 0
    // The counts are separate integers for the reason that `FeedTally` states.
    private var page = 0
    private var failed = 0
    private var refused = 0
    private var silent = 0
    private var gone = 0
    private var contended = 0
    private var unneeded = 0

    package init() {}

    /// The number of ended asks by result. The sum is `started` minus the asks that have not ended.
    package var ended: [AskResult: Int] {
        let all: [AskResult: Int] = [
            .page: page, .failed: failed, .refused: refused, .silent: silent,
            .gone: gone, .contended: contended, .unneeded: unneeded,
        ]
        return all.filter { $0.value > 0 }
    }

    /// Counts the end of an ask.
    mutating func recordEnd(_ result: AskResult) {
        switch result {
        case .page: page += 1
        case .failed: failed += 1
        case .refused: refused += 1
        case .silent: silent += 1
        case .gone: gone += 1
        case .contended: contended += 1
        case .unneeded: unneeded += 1
        }
    }
}

/// The result of an ask.
package enum AskResult: String, CaseIterable, Sendable {
    /// The owner has answered with a page.
    case page
    /// The owner has answered with the failure of its load.
    case failed
    /// The owner did not perform the load. This node performs it.
    case refused
    /// No event came for too long (`OwnerAsk.timeout`). This node performs the load.
    case silent
    /// The owner is not live any more. The next owner is asked, or this node performs the load.
    case gone
    /// Another node has asked this node for the same load. This node performs the load.
    case contended
    /// No waiter needs the load any more.
    case unneeded
}
