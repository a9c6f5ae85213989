internal import RefreshProtocol
internal import Synchronization

/// The broker as the daemon runs it: `LoadBroker` on a thread of its own.
///
/// Any thread starts and cancels; news come through `deliver`, on the broker's thread, for all who
/// get the same at once, and exactly one `.ended` for each start of a waiter that was not waiting
/// already. `deliver` must not block: it hands the news to a mailbox. (A start after `stop` is
/// answered `cancelled` on the caller's thread.)
package final class Broker<Waiter: Hashable & Sendable>: Sendable {
    private let mailbox: Mailbox<BrokerLoop<Waiter>.Message>
    private let published = PublishedCounters()
    private let deliver: @Sendable ([Waiter], LoadNews) -> Void
    /// Taken by the one who ends it.
    private let thread: Mutex<ServiceThread?>

    /// Waiters cannot wait longer than a day, milliseconds.
    package static var deadlineMsMax: Int { 86_400_000 }

    /// `seed` decides the pauses before retries, `itemHash` hashes the keys of items.
    /// `breakerChanged` is called on the broker's thread and must not block either.
    package init(
        plan: BrokerPlan, seed: UInt64, itemHash: SipHash,
        breakerChanged: @escaping @Sendable (BreakerChange) -> Void = { _ in },
        deliver: @escaping @Sendable ([Waiter], LoadNews) -> Void
    ) {
        let mailbox = Mailbox<BrokerLoop<Waiter>.Message>()
        let published = published
        self.mailbox = mailbox
        self.deliver = deliver
        let thread = ServiceThread {
            var loop = BrokerLoop(
                plan: plan, seed: seed, itemHash: itemHash, mailbox: mailbox, published: published,
                deliver: deliver,
                breakerChanged: breakerChanged)
            loop.run()
        }
        // Our own start-up, before any peer: a system without a thread to give cannot run a daemon.
        precondition(thread != nil, "the system gave no thread to the broker")
        self.thread = Mutex(thread)
    }

    deinit {
        mailbox.post(.stop)
        thread.withLock { $0?.detach() }
    }

    /// Wants a page for `waiter` within `deadlineMs` (0...`deadlineMsMax`; beyond it is cut) from
    /// now.
    package func start(_ wish: LoadWish, for waiter: Waiter, deadlineMs: Int) {
        let duration = Double(min(max(0, deadlineMs), Self.deadlineMsMax))
        let deadline = MonotonicTime.now.advanced(byMilliseconds: duration)
        if !mailbox.post(.start(wish, waiter, deadline: deadline)) {
            deliver([waiter], .ended(.cancelled))
        }
    }

    /// The feed of that name has newer data than what is kept.
    package func feedChanged(_ feed: String) { mailbox.post(.changed(feed)) }

    /// From now on the broker works with `plan`; its bounds of calls in flight and of kept answers
    /// stay those of the first. A feed whose backend is another object, or whose policy is another,
    /// is asked anew; a backend that is in the plan no more is stopped when its last call has
    /// returned.
    package func change(to plan: BrokerPlan) { mailbox.post(.plan(plan)) }

    /// Has the broker's thread call `answer`, after all that was posted before; never once it was
    /// stopped.
    package func ask(_ answer: @escaping @Sendable () -> Void) { mailbox.post(.asked(answer)) }

    /// Ends `waiter`'s load as cancelled or timed out, unless its outcome is on the way already.
    package func cancel(_ waiter: Waiter, because reason: LeaveReason = .unwanted) {
        mailbox.post(.cancel(waiter, because: reason))
    }

    /// Ends all loads as cancelled, stops all backends, and the thread with them; on return every
    /// outcome was delivered and every backend has stopped, unless it took longer than
    /// `BackendStop.patienceMs`. A second call returns at once. On the broker's own thread it does
    /// not wait.
    package func stop() {
        mailbox.post(.stop)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The numbers now; any thread.
    package var counters: BrokerCounters { published.value }
}
