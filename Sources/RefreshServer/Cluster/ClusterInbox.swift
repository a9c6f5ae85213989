internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import Synchronization

/// The mailbox of the cluster's work for everything but the events of the bus.
final class ClusterInbox: Sendable {
    enum Message: Sendable {
        case event(ClusterMachine.Event)
        case fence(SessionFence.Event)
        case claim(String, SessionHead, answer: @Sendable (ClaimVerdict) -> Void)
        /// An operator requests the description of the nodes.
        case describe(@Sendable ([UInt8]) -> Void)
        /// An operator requests the sessions of the other nodes.
        case list(after: String?, @Sendable (ClusterSessions?) -> Void)
        /// A watcher receives the events of the other nodes.
        case watch(WatchFilter, Watcher, UInt64)
        case unwatch(UInt64)
        /// Workers on the bus have reported changes of a feed that they do not serve here any more.
        case relay(feed: String)
        case stop
    }

    let mailbox: Mailbox<Message>
    /// The merged changes that wait to be relayed, by feed.
    private let relays = Mutex<[String: NewerCount]>([:])

    /// `wake` ends the waiting of the broker's thread.
    init(wake: @escaping @Sendable () -> Void) { mailbox = Mailbox(wake: wake) }

    func post(_ event: ClusterMachine.Event) { mailbox.post(.event(event)) }

    /// Posts a change that must be relayed. Changes that wait are merged, so that at most one
    /// message of each feed waits.
    func postRelay(_ change: FeedChange) {
        let isFirst = relays.withLock { relays in
            let isFirst = relays[change.feed] == nil
            if isFirst {
                relays[change.feed] = change.count
            } else {
                relays[change.feed]?.add(change.count)
            }
            return isFirst
        }
        if isFirst { mailbox.post(.relay(feed: change.feed)) }
    }

    /// Removes and returns the change of the feed that must be relayed.
    func removeRelay(of feed: String) -> FeedChange? {
        relays.withLock { $0.removeValue(forKey: feed) }.map { FeedChange(feed, count: $0) }
    }
}
