internal import RefreshProtocol

/// The main loop of the broker's thread. It passes events from the mailbox to the state machine and
/// performs the effects that the machine returns.
///
/// The loop starts a task for each call of a backend. The task posts the backend's answer to the
/// mailbox.
struct BrokerLoop<Waiter: Hashable & Sendable> {
    enum Message: Sendable {
        case start(BrokerRequest, Waiter, deadline: Instant)
        case cancel(Waiter, because: LeaveReason)
        /// A progress value is available in the call's `ProgressSlot`.
        case progressed(CallID)
        case answered(CallID, Result<Page, LoadFailure>)
        case changed(String)
        case plan(BrokerPlan)
        /// A closure that the thread runs. It shows that the thread processes its mailbox.
        case barrier(@Sendable () -> Void)
        /// A backend that no feed uses any more has stopped. The number is its number in
        /// `RetiredBackends`.
        case stopped(retired: UInt64)
        case stop
    }

    private struct Call {
        let task: Task<Void, Never>
        let progress: ProgressSlot
        let backend: any Backend
    }

    private var feeds: [String: BrokerPlan.Feed]
    private let itemHash: SipHash
    private let mailbox: Mailbox<Message>
    private let published: PublishedCounters
    private let pages: PublishedPages
    private let deliver: @Sendable ([Waiter], LoadEvent) -> Void
    private let breakerChanged: @Sendable (BreakerChange) -> Void
    private var machine: LoadBroker<Int>
    private var numbers = WaiterNumbers<Waiter>()
    private var calls: [CallID: Call] = [:]
    private var retired = RetiredBackends()
    private var effects: [LoadBroker<Int>.Effect] = []
    /// The event that waits for its delivery. It is delivered when a different event follows or all
    /// messages are handled. So all waiters of consecutive equal events receive it in one call.
    private var pendingEvent: LoadEvent?
    private var pendingWaiters: [Waiter] = []

    init(
        plan: BrokerPlan, seed: UInt64, itemHash: SipHash, mailbox: Mailbox<Message>,
        published: PublishedCounters, pages: PublishedPages,
        deliver: @escaping @Sendable ([Waiter], LoadEvent) -> Void,
        breakerChanged: @escaping @Sendable (BreakerChange) -> Void
    ) {
        self.feeds = plan.feeds
        self.itemHash = itemHash
        self.mailbox = mailbox
        self.published = published
        self.pages = pages
        self.breakerChanged = breakerChanged
        self.deliver = deliver
        self.machine = LoadBroker(BrokerRules(plan), seed: seed)
        machine.beginPublishingPages()
        pages.publish([], feeds: machine.publishedFeeds)
    }

    /// Runs until `stop` is received. Then delivers all outcomes and stops all backends.
    mutating func run() {
        // Publishes the counters of all configured feeds and backends, so that the metrics contain
        // them before the first request.
        publish()
        var messages: [Message] = []
        var isRunning = true
        while isRunning {
            mailbox.receive(into: &messages, until: machine.nextDeadline)
            // All messages that arrived together have one timestamp.
            let now = MonotonicTime.now
            // The pages that were looked up count as used before this work evicts other pages.
            if pages.hasLookUps { publish() }
            if messages.isEmpty { handle(.clockAdvanced, at: now) }
            for message in messages { isRunning = receive(message, at: now) && isRunning }
            flushDelivery()
            publish()
        }
        // Loads that were requested while the last messages were handled also receive their
        // outcomes.
        for message in mailbox.close() { _ = receive(message, at: MonotonicTime.now) }
        flushDelivery()
        publish()
        BackendStop.stop(feeds.sorted { $0.key < $1.key }.map(\.value.backend) + retired.all)
    }

    private mutating func publish() {
        var changes: [BreakerChange] = []
        published.update {
            machine.record(pages.removeLookUps())
            changes = machine.collectChanges(into: &$0)
        }
        changes.forEach(breakerChanged)
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: Message, at now: Instant) -> Bool {
        switch message {
        case .start(let brokerRequest, let waiter, let deadline):
            // If the waiter is already waiting, it has a load. This start is ignored, and the
            // waiter receives the outcome of its load once.
            guard let number = numbers.assignNumber(to: waiter) else { break }
            handle(.started(brokerRequest, number, deadline: deadline), at: now)
        case .cancel(let waiter, let reason):
            // If the waiter's outcome was queued before this cancellation, the waiter has no number
            // any more.
            guard let number = numbers.number(of: waiter) else { break }
            handle(.waiterCancelled(number, because: reason), at: now)
        case .progressed(let id):
            // If the call has already returned, the machine only counts the progress.
            handle(.progressed(id, calls[id]?.progress.consumeValue() ?? 0), at: now)
        case .answered(let id, let answer):
            calls[id] = nil
            handle(.answered(id, answer), at: now)
            stopRetired()
        case .changed(let feed):
            handle(.feedChanged(feed), at: now)
        case .plan(let plan): apply(plan, at: now)
        case .barrier(let answer): answer()
        case .stopped(let number): retired.remove(number)
        case .stop:
            handle(.stopped, at: now)
            return false
        }
        return true
    }

    private mutating func handle(_ event: LoadBroker<Int>.Event, at now: Instant) {
        machine.handle(event, at: now, into: &effects)
        // The pages are published before a client receives them.
        let changes = machine.removeUnpublishedPages()
        if !changes.isEmpty { pages.publish(changes) }
        for effect in effects {
            switch effect {
            case .call(let order): startCall(order)
            case .abort(let id): calls[id]?.task.cancel()
            case .deliver(let waiters, let event): enqueueDelivery(waiters, event)
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    // MARK: - Plan changes

    private mutating func apply(_ plan: BrokerPlan, at now: Instant) {
        let old = feeds
        feeds = plan.feeds
        let remade = old.filter { name, feed in
            guard let new = plan.feeds[name] else { return false }
            return new.policy != feed.policy || !BackendStop.areSame(new.backend, feed.backend)
        }
        let kept = plan.feeds.values.map(\.backend)
        retired.add(
            old.values.map(\.backend).filter { backend in
                !kept.contains { BackendStop.areSame($0, backend) }
            })
        handle(.rulesChanged(BrokerRules(plan), remade: Set(remade.keys)), at: now)
        pages.publish([], feeds: machine.publishedFeeds)
        stopRetired()
    }

    /// Stops the backends whose last call has returned. No feed uses these backends, so no call can
    /// follow.
    private mutating func stopRetired() {
        guard retired.isWaiting else { return }
        let mailbox = mailbox
        for (number, backend) in retired.removeIdle(besides: calls.values.map(\.backend)) {
            let stop: @Sendable () -> Void = {
                backend.stop()
                mailbox.post(.stopped(retired: number))
            }
            // If no thread is available, the backend is stopped when the broker stops.
            ServiceThread(stop)?.detach()
        }
    }

    // MARK: - Delivery

    /// Queues an event for delivery. If consecutive events are equal, their waiters receive the
    /// event in one call of `deliver`. For example, many waiters can receive the same cached
    /// answer.
    private mutating func enqueueDelivery(_ slots: [Int], _ event: LoadEvent) {
        let waiters = numbers.waiters(of: slots)
        // The waiter may request another load before its outcome is delivered. So its number is
        // released now.
        if event.isLast { numbers.release(slots) }
        // All copies of a page share its bytes, so this comparison is fast.
        if event == self.pendingEvent {
            pendingWaiters += waiters
        } else {
            flushDelivery()
            self.pendingEvent = event
            pendingWaiters = waiters
        }
    }

    private mutating func flushDelivery() {
        guard let pendingEvent else { return }
        self.pendingEvent = nil
        let waiters = pendingWaiters
        pendingWaiters = []
        deliver(waiters, pendingEvent)
    }

    // MARK: - Calls

    private mutating func startCall(_ order: CallOrder) {
        guard let feed = feeds[order.request.feed] else {
            // The feed was removed while the load was waiting for its call.
            let failure = LoadFailure(.backendRejected, "There is no such feed.")
            mailbox.post(.answered(order.id, .failure(failure)))
            return
        }
        let backend = feed.backend
        let itemKey = feed.policy.itemKey
        let itemHash = itemHash
        let mailbox = mailbox
        let progress = ProgressSlot()
        let call = BackendCall(
            id: order.id, order.request, idempotencyKey: order.idempotencyKey,
            attempt: order.attempt, deadline: order.deadline
        ) { value in
            if progress.store(value) { mailbox.post(.progressed(order.id)) }
        }
        // The part of a backend call before its first suspension runs on this thread. If the call
        // then continues on a thread of the backend, no third thread is involved. No backend
        // computes or blocks in this part (see `Backend`).
        let task = Task.immediate {
            let answer: Result<Page, LoadFailure>
            do throws(LoadFailure) {
                var page = try await backend.load(call)
                if let itemKey {
                    // The backend may have answered without a suspension, on the broker's thread.
                    // After `yield`, the items are read on another thread.
                    await Task.yield()
                    page.itemKeys = ItemKeys(of: page, at: itemKey, hashedBy: itemHash)
                }
                answer = .success(page)
            } catch {
                answer = .failure(error)
            }
            mailbox.post(.answered(order.id, answer))
        }
        calls[order.id] = Call(task: task, progress: progress, backend: backend)
    }
}
