internal import RefreshProtocol
internal import Synchronization

/// The broker as the daemon uses it: a `LoadBroker`, which is a state machine, on a thread of its
/// own.
///
/// A waiter is a session's load that waits for an answer. Loads may be started and cancelled from
/// any thread. The broker calls `deliver` on its thread with an event and all waiters that receive
/// this event. After `start` for a waiter that is not already waiting, the waiter receives exactly
/// one `.ended`. `deliver` must not block, so it puts the event into a mailbox. After `stop`,
/// `start` delivers `cancelled` on the caller's thread.
package final class Broker<Waiter: Hashable & Sendable>: Sendable {
    private let mailbox: Mailbox<BrokerLoop<Waiter>.Message>
    private let published = PublishedCounters()
    private let pages = PublishedPages()
    private let deliver: @Sendable ([Waiter], LoadEvent) -> Void
    /// The cluster, for loads of other nodes that start after `stop`.
    private let link = Mutex(WeakLink())
    /// The broker's thread; nil after `stop`.
    private let thread: Mutex<ServiceThread?>

    /// The maximum time that a waiter can wait: one day, in milliseconds.
    package static var deadlineMsMax: Int { 86_400_000 }

    /// Creates the broker and starts its thread. `seed` determines the pauses before retries.
    /// `itemHash` hashes item keys. Changes that edits have made are reported to `notices`, on the
    /// broker's thread. `breakerChanged` is called on the broker's thread and must not
    /// block.
    package init(
        plan: BrokerPlan, seed: UInt64, itemHash: SipHash, notices: FeedNotices? = nil,
        breakerChanged: @escaping @Sendable (BreakerChange) -> Void = { _ in },
        deliver: @escaping @Sendable ([Waiter], LoadEvent) -> Void
    ) {
        let mailbox = Mailbox<BrokerLoop<Waiter>.Message>()
        let published = published
        let pages = pages
        self.mailbox = mailbox
        self.deliver = deliver
        let thread = ServiceThread(isBatch: true) {
            var loop = BrokerLoop(
                plan: plan, seed: seed, itemHash: itemHash, mailbox: mailbox, published: published,
                pages: pages, notices: notices, deliver: deliver,
                breakerChanged: breakerChanged)
            loop.run()
        }
        // This code runs at startup, before any client connects. A system that cannot create a
        // thread cannot run a daemon.
        precondition(thread != nil, "the system could not create a thread for the broker")
        self.thread = Mutex(thread)
    }

    deinit {
        mailbox.post(.stop)
        thread.withLock { $0?.detach() }
    }

    /// Requests a page for `waiter`. The page must arrive within `deadlineMs` milliseconds from
    /// now. `deadlineMs` is clamped to 0...`deadlineMsMax`.
    @specialized(where Waiter == LoadTicket)
    package func start(_ brokerRequest: BrokerRequest, for waiter: Waiter, deadlineMs: Int) {
        let deadline = Self.deadline(after: deadlineMs)
        if !mailbox.post(.start(brokerRequest, waiter, deadline: deadline)) {
            deliver([waiter], .ended(.cancelled))
        }
    }

    /// Performs an edit within `deadlineMs` milliseconds from now, and within the configured
    /// `loadDeadlineMs`. `deliver` is called exactly once, on the broker's thread, and must not
    /// block. If the backend has performed the edit, the broker reports the change of the feed
    /// afterwards. After `stop`, `deliver` is called on the caller's thread.
    package func edit(
        _ request: EditRequest, deadlineMs: Int,
        deliver: @escaping @Sendable (EditOutcome) -> Void
    ) {
        let deadline = Self.deadline(after: deadlineMs)
        if !mailbox.post(.startEdit(request, deadline: deadline, deliver)) { deliver(.cancelled) }
    }

    /// Returns the cached page for a request, whether it is fresh or stale; nil if there is none.
    /// The look-up takes place on the caller's thread. It finds nothing while a change of the feed
    /// or a plan is still posted to the broker's thread.
    package func lookUp(_ request: LoadRequest) -> FoundPage? {
        pages.lookUp(request) { MonotonicTime.now }
    }

    private static func deadline(after deadlineMs: Int) -> Instant {
        let duration = Double(min(max(0, deadlineMs), deadlineMsMax))
        return MonotonicTime.now.advanced(byMilliseconds: duration)
    }

    /// Reports that the named feed has newer data than the cached answers.
    ///
    /// `announce` is called on the broker's thread. Each load that starts afterwards, at this node
    /// or at one to which `announce` reports the change, finds the cached answers outdated.
    package func reportFeedChange(_ feed: String, announce: @escaping @Sendable () -> Void = {}) {
        pages.beginChange(of: feed)
        if !mailbox.post(.changed(feed, announce)) { announce() }
    }

    /// Switches the broker to `plan`. The limits of calls in flight and of cached bytes stay those
    /// of the first plan. If the new plan has another backend object or another policy for a feed,
    /// the feed's cached answers are dropped, and new loads do not join its running calls. If a
    /// backend is absent from the new plan, it is stopped when its last call has returned.
    package func apply(_ plan: BrokerPlan) {
        pages.beginPlan()
        mailbox.post(.plan(plan))
    }

    /// Makes the broker's thread call `answer` after it has handled all messages posted earlier.
    /// After `stop`, `answer` is never called.
    package func enqueueBarrier(_ answer: @escaping @Sendable () -> Void) {
        mailbox.post(.barrier(answer))
    }

    /// Ends `waiter`'s load as cancelled or timed out, according to `reason`. If the outcome of the
    /// load is already being delivered, this call has no effect.
    package func cancel(_ waiter: Waiter, because reason: LeaveReason = .unwanted) {
        mailbox.post(.cancel(waiter, because: reason))
    }

    // MARK: - Cluster

    /// Connects the broker to a cluster. Until `apply(_: RequestOwners?)` is called, every load is
    /// performed by this node. The broker keeps `link` until it has stopped.
    ///
    /// `makeWork` is called on the broker's thread. From then on, the thread waits in this work,
    /// until the work has ended.
    package func connect(
        to link: any ClusterLink,
        _ makeWork: @escaping @Sendable () -> (any ClusterWork)? = { nil }
    ) {
        self.link.withLock { $0.link = link }
        mailbox.post(.connected(link, makeWork))
    }

    /// Applies the owners of requests. A load whose request has another node as its owner asks this
    /// node. If `owners` is nil, no other node is live.
    package func apply(_ owners: RequestOwners?) { mailbox.post(.owners(owners)) }

    /// Handles an event of a node that the broker has asked for the load `id`. If no such ask is
    /// running, the event is counted and dropped.
    @specialized(where Waiter == LoadTicket)
    package func handle(_ event: OwnerEvent, of id: CallID) {
        mailbox.post(.ownerEvent(event, id, hasKeys: false))
    }

    /// Performs a load that another node has asked for, and never forwards it. The events of the
    /// load are passed to `ClusterLink.deliver`. The last event is `page`, `failed` or `refused`.
    /// The load must end within `deadlineMs` milliseconds from now. `deadlineMs` is clamped to
    /// 0...`deadlineMsMax`. After `stop`, `refused` is delivered on the caller's thread.
    @specialized(where Waiter == LoadTicket)
    package func start(
        _ brokerRequest: BrokerRequest, for load: RemoteLoadID, deadlineMs: Int
    ) {
        let deadline = Self.deadline(after: deadlineMs)
        if !mailbox.post(.startRemote(brokerRequest, load, deadline: deadline)) {
            link.withLock(\.link)?.deliver(.refused(.stopping), to: load)
        }
    }

    /// Ends a load of another node without a further event.
    package func cancel(_ load: RemoteLoadID) { mailbox.post(.cancelRemote(load)) }

    /// Ends all loads of sessions as cancelled and refuses all loads of other nodes. Then stops all
    /// backends and the thread. When this method returns, every outcome has been delivered, and
    /// every backend has stopped or has exceeded `BackendStop.timeLimitMs`. A second call returns
    /// immediately. A call on the broker's own thread does not wait.
    package func stop() {
        mailbox.post(.stop)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The current counters. Any thread may read them.
    package var counters: BrokerCounters {
        published.read { counters in
            var counters = counters
            for (feed, hits) in pages.uncountedHits {
                counters.feeds[feed, default: FeedTally()].hits.add(hits)
            }
            return counters
        }
    }
}

/// A reference to the cluster that does not keep it alive.
private struct WeakLink: Sendable {
    weak var link: (any ClusterLink)?
}

/// The broker's counters. The broker's thread updates them, and any thread may read them.
final class PublishedCounters: Sendable {
    private let counters = Mutex(BrokerCounters())

    func read<Result>(_ body: (BrokerCounters) -> Result) -> Result {
        counters.withLock { counters in body(counters) }
    }

    /// Updates the counters. Only the broker's thread may call this.
    func update(_ change: (inout BrokerCounters) -> Void) {
        counters.withLock { counters in change(&counters) }
    }
}
