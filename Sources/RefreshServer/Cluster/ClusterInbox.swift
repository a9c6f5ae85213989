internal import MessageBus
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import Synchronization

/// The mailbox of the cluster's thread. The bytes of the messages that wait in it have a limit,
/// because any node and any user of the bus can send messages.
final class ClusterInbox: Sendable {
    enum Message: Sendable {
        case event(ClusterMachine.Event)
        case bus(BusEvent)
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

    /// The maximum number of bytes of the received messages that wait.
    static let bytesMax = 67_108_864

    /// The memory in bytes of a message that waits, in addition to its contents.
    private static let messageBytes = 512

    let mailbox = Mailbox<Message>()
    private let waitingBytes = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    /// The merged changes that wait to be relayed, by feed.
    private let relays = Mutex<[String: NewerCount]>([:])

    func post(_ event: ClusterMachine.Event) { mailbox.post(.event(event)) }

    /// Posts an event of the bus. A message that would exceed the limit is counted and dropped. A
    /// lost change is noticed by its number, and a lost answer by the silence of the owner.
    func post(_ event: BusEvent) {
        guard case .received(let bytes, _, _) = event else {
            mailbox.post(.bus(event))
            return
        }
        let size = bytes.count + Self.messageBytes
        let waiting = waitingBytes.add(size, ordering: .relaxed).newValue
        guard waiting <= Self.bytesMax else {
            waitingBytes.subtract(size, ordering: .relaxed)
            dropped.add(1, ordering: .relaxed)
            return
        }
        mailbox.post(.bus(event))
    }

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

    /// Records that a received message with this number of bytes does not wait any more.
    func release(_ bytes: Int) {
        waitingBytes.subtract(bytes + Self.messageBytes, ordering: .relaxed)
    }

    var droppedCount: Int { dropped.load(ordering: .relaxed) }
}
