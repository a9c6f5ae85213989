internal import RefreshBroker
internal import Synchronization

/// Where news go: the daemon's loops, by index.
final class LoopDirectory: Sendable {
    private let handlers = Mutex<[UInt16: LoopHandler]>([:])

    func enter(_ handler: LoopHandler, index: UInt16) {
        handlers.withLock { $0[index] = handler }
    }

    /// Hands the news to the loops of the sessions that wait for it. From any thread.
    func deliver(_ news: LoadNews, to tickets: [LoadTicket]) {
        if tickets.count == 1 {
            return deliver(news, to: tickets[...], ofLoop: tickets[0].session.loop)
        }
        for (loop, tickets) in Dictionary(grouping: tickets, by: \.session.loop) {
            deliver(news, to: tickets[...], ofLoop: loop)
        }
    }

    private func deliver(
        _ news: LoadNews, to tickets: ArraySlice<LoadTicket>, ofLoop loop: UInt16
    ) {
        self[loop]?.post { $0.take(news, for: tickets) }
    }

    /// A feed has newer data. From any thread; sessions are told within 100 ms.
    func gatherChange(of feed: String) { self[0]?.post { $0.gatherChange(of: feed) } }

    /// Tells all sessions that show the feed. From any thread.
    func feedChanged(_ feed: String) {
        for handler in handlers.withLock({ Array($0.values) }) {
            handler.post { $0.feedChanged(feed) }
        }
    }

    /// The handler of a loop that runs.
    subscript(index: UInt16) -> LoopHandler? { handlers.withLock { $0[index] } }
}
