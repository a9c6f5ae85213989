internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import Synchronization

/// The mailbox of the cluster's work for everything but the events of the bus.
final class ClusterInbox: Sendable {
    enum Message: Sendable {
        case event(ClusterMachine.Event)
        case fence(SessionFence.Event)
        case claim(
            String, SessionHead, askedAt: Instant, answer: @Sendable (ClaimVerdict) -> Void)
        /// An operator requests the description of the nodes.
        case describe(@Sendable ([UInt8]?) -> Void)
        /// An operator requests the sessions of the other nodes.
        case list(after: String?, @Sendable (ClusterSessions?) -> Void)
        /// A watcher receives the events of the other nodes.
        case watch(WatchFilter, Watcher, UInt64)
        case unwatch(UInt64)
        /// Workers on the bus have reported changes of a feed that they do not serve here any more.
        case relay(feed: String)
        case stop
    }

    private let mailbox: Mailbox<Message>
    /// The merged changes that wait to be relayed, by feed.
    private let relays = Mutex<[String: NewerCount]>([:])

    /// `wake` ends the waiting of the broker's thread.
    init(wake: @escaping @Sendable () -> Void) { mailbox = Mailbox(wake: wake) }

    /// Posts a message. After `close`, a request is refused at once, and others are dropped.
    func post(_ message: Message) {
        if !mailbox.post(message) { message.refuse() }
    }

    func post(_ event: ClusterMachine.Event) { post(.event(event)) }

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
        if isFirst { post(.relay(feed: change.feed)) }
    }

    /// Replaces the contents of `messages` with all messages, without waiting.
    func remove(into messages: inout [Message]) { mailbox.remove(into: &messages) }

    /// Refuses the requests that wait, and all later ones, because this node leaves the cluster.
    func close() {
        for message in mailbox.close() { message.refuse() }
    }

    /// Removes and returns the change of the feed that must be relayed.
    func removeRelay(of feed: String) -> FeedChange? {
        relays.withLock { $0.removeValue(forKey: feed) }.map { FeedChange(feed, count: $0) }
    }
}

extension ClusterInbox.Message {
    /// Answers a request, because this node has left the cluster. Such a node serves its sessions
    /// until its end.
    fileprivate func refuse() {
        switch self {
        case .claim(_, _, _, let answer): answer(.unfenced)
        case .describe(let reply): reply(nil)
        case .list(_, let reply): reply(nil)
        case .event, .fence, .watch, .unwatch, .relay, .stop: break
        }
    }
}
