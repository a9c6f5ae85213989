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
        case startEdit(EditRequest, deadline: Instant, @Sendable (EditOutcome) -> Void)
        case connected(any ClusterLink, @Sendable () -> (any ClusterWork)?)
        case owners(RequestOwners?)
        /// An event of a node that was asked for a load. `hasKeys` states whether the item keys of
        /// the event's page have been read.
        case ownerEvent(OwnerEvent, CallID, hasKeys: Bool)
        case startRemote(BrokerRequest, RemoteLoadID, deadline: Instant)
        case cancelRemote(RemoteLoadID)
        /// A progress value is available in the call's `ProgressSlot`.
        case progressed(CallID)
        case answered(CallID, Result<Page, LoadFailure>)
        case edited(CallID, Result<EditedItem?, LoadFailure>)
        /// A feed has changed. The closure announces this, before the next message is handled.
        case changed(String, @Sendable () -> Void)
        case plan(BrokerPlan)
        /// A closure that the thread runs. It shows that the thread processes its mailbox.
        case barrier(@Sendable () -> Void)
        /// A backend that no feed uses any more has stopped. The number is its number in
        /// `RetiredBackends`.
        case stopped(retired: UInt64)
        case stop
    }

    /// The maximum number of further times that the mailbox is emptied after a turn of the
    /// cluster's work. Later messages wait for the next turn, so that the bus is served.
    private static var passesMax: Int { 4 }

    struct Call {
        let task: Task<Void, Never>
        let progress: ProgressSlot
        let backend: any Backend
    }

    private(set) var feeds: [String: BrokerPlan.Feed]
    let itemHash: SipHash
    let mailbox: Mailbox<Message>
    /// The listener to the changes that edits make; nil if there is none.
    let notices: FeedNotices?
    private let published: PublishedCounters
    private let pages: PublishedPages
    private let deliver: @Sendable ([Waiter], LoadEvent) -> Void
    private let breakerChanged: @Sendable (BreakerChange) -> Void
    var machine: LoadBroker<Int>
    var numbers = WaiterNumbers<LoadUser<Waiter>>()
    var remoteLoads = RemoteLoads()
    /// The cluster's work on this thread; nil if there is none, or if it has ended.
    var clusterWork: (any ClusterWork)?
    var calls: [CallID: Call] = [:]
    /// The edits without an outcome, by number.
    var edits: [UInt64: RunningEdit] = [:]
    var lastEdit: UInt64 = 0
    /// For each feed, the number of edits that have ended, by result.
    var endedEdits: [String: [EditResult: Int]] = [:]
    private var retired = RetiredBackends()
    private var effects: [LoadBroker<Int>.Effect] = []
    /// The event that waits for its delivery. It is delivered when a different event follows or all
    /// messages are handled. So all waiters of consecutive equal events receive it in one call.
    private var pendingEvent: LoadEvent?
    private var pendingWaiters: [Waiter] = []

    init(
        plan: BrokerPlan, seed: UInt64, itemHash: SipHash, mailbox: Mailbox<Message>,
        published: PublishedCounters, pages: PublishedPages, notices: FeedNotices?,
        deliver: @escaping @Sendable ([Waiter], LoadEvent) -> Void,
        breakerChanged: @escaping @Sendable (BreakerChange) -> Void
    ) {
        self.feeds = plan.feeds
        self.itemHash = itemHash
        self.mailbox = mailbox
        self.published = published
        self.pages = pages
        self.notices = notices
        self.breakerChanged = breakerChanged
        self.deliver = deliver
        self.machine = LoadBroker(BrokerRules(plan), seed: seed)
        machine.beginPublishingPages()
        pages.publish([], feeds: machine.publishedFeeds)
    }

    /// Runs until `stop` is received. Then delivers all outcomes and stops all backends.
    @specialized(where Waiter == LoadTicket)
    mutating func run() {
        // Publishes the counters of all configured feeds and backends, so that the metrics contain
        // them before the first request.
        publish()
        var messages: [Message] = []
        var isRunning = true
        while isRunning {
            receive(into: &messages)
            isRunning = handleAll(messages)
            // What the broker and the cluster's work post to each other usually needs no further
            // turn.
            var passes = 0
            while isRunning, clusterWork?.handleMessages() == true, passes < Self.passesMax {
                passes += 1
                removeMessages(into: &messages)
                isRunning = handleAll(messages)
            }
        }
        _ = clusterWork?.handleMessages()
        clusterWork?.end()
        clusterWork = nil
        mailbox.setWake(nil)
        // Loads that were requested while the last messages were handled also receive their
        // outcomes.
        for message in mailbox.close() { _ = receive(message, at: MonotonicTime.now) }
        flushDelivery()
        publish()
        BackendStop.stop(feeds.sorted { $0.key < $1.key }.map(\.value.backend) + retired.all)
    }

    /// Waits for messages, and handles the events of the cluster. Returns at the machine's deadline
    /// at the latest.
    private mutating func receive(into messages: inout [Message]) {
        guard clusterWork != nil else {
            return mailbox.receive(into: &messages, until: machine.nextDeadline)
        }
        if clusterWork?.turn(until: machine.nextDeadline) != true {
            mailbox.setWake(nil)
            clusterWork = nil
        }
        removeMessages(into: &messages)
    }

    /// Removes the messages that wait. Before, it clears the calls of `wake`, which were for these
    /// messages and for those of the cluster's work. So the caller must call `handleMessages` of
    /// the work before its next turn.
    private mutating func removeMessages(into messages: inout [Message]) {
        clusterWork?.clearWake()
        mailbox.remove(into: &messages)
    }

    /// Handles messages that arrived together, and the deadlines. Returns false after `stop`.
    private mutating func handleAll(_ messages: [Message]) -> Bool {
        // All messages that arrived together have one timestamp.
        let now = MonotonicTime.now
        // The pages that were looked up count as used before this work evicts other pages.
        if pages.hasLookUps { publish() }
        if messages.isEmpty {
            // Only the cluster had work.
            guard let deadline = machine.nextDeadline, deadline <= now else { return true }
            handle(.clockAdvanced, at: now)
        }
        var isRunning = true
        for message in messages { isRunning = receive(message, at: now) && isRunning }
        flushDelivery()
        publish()
        return isRunning
    }

    private mutating func publish() {
        var changes: [BreakerChange] = []
        published.update {
            machine.record(pages.removeLookUps())
            changes = machine.collectChanges(into: &$0)
            $0.edits = endedEdits
        }
        changes.forEach(breakerChanged)
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: Message, at now: Instant) -> Bool {
        switch message {
        case .start(let brokerRequest, let waiter, let deadline):
            // If the waiter is already waiting, it has a load. This start is ignored, and the
            // waiter receives the outcome of its load once.
            guard let number = numbers.assignNumber(to: .session(waiter)) else { break }
            handle(.started(brokerRequest, number, deadline: deadline), at: now)
        case .cancel(let waiter, let reason):
            // If the waiter's outcome was queued before this cancellation, the waiter has no number
            // any more.
            guard let number = numbers.number(of: .session(waiter)) else { break }
            handle(.waiterCancelled(number, because: reason), at: now)
        case .startEdit(let request, let deadline, let deliver):
            startEdit(request, until: deadline, at: now, deliver)
        case .connected, .owners, .ownerEvent, .startRemote, .cancelRemote:
            receiveFromCluster(message, at: now)
        case .progressed(let id):
            // If the call has already returned, the machine only counts the progress.
            handle(.progressed(id, calls[id]?.progress.consumeValue() ?? 0), at: now)
        case .answered(let id, let answer):
            calls[id] = nil
            handle(.answered(id, answer), at: now)
            stopRetired()
        case .edited(let id, let answer):
            calls[id] = nil
            handle(.edited(id, answer), at: now)
            stopRetired()
        case .changed(let feed, let announce):
            announce()
            handle(.feedChanged(feed), at: now)
            pages.endChange(of: feed)
        case .plan(let plan):
            apply(plan, at: now)
            pages.endPlan()
        case .barrier(let answer): answer()
        case .stopped(let number): retired.remove(number)
        case .stop:
            handle(.stopped, at: now)
            return false
        }
        return true
    }

    mutating func handle(_ event: LoadBroker<Int>.Event, at now: Instant) {
        machine.handle(event, at: now, into: &effects)
        // The pages are published before a client receives them.
        let changes = machine.removeUnpublishedPages()
        if !changes.isEmpty { pages.publish(changes) }
        for effect in effects {
            switch effect {
            case .call(let order): startCall(order)
            case .edit(let order): startCall(order)
            case .abort(let id): calls[id]?.task.cancel()
            case .ask(let node, let order): remoteLoads.link?.ask(node, order)
            case .withdraw(let id, let node): remoteLoads.link?.withdraw(id, from: node)
            case .deliver(let users, let event): enqueueDelivery(users, event, at: now)
            case .edited(let user, let item, let isRepeated):
                endEdit(performed: user, item, isRepeated: isRepeated)
            case .editUnknown(let user, let failure): endEdit(possiblyPerformed: user, failure)
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
    private mutating func enqueueDelivery(_ slots: [Int], _ event: LoadEvent, at now: Instant) {
        var waiters: [Waiter] = []
        waiters.reserveCapacity(slots.count)
        for slot in slots {
            switch numbers[slot] {
            case .session(let waiter): waiters.append(waiter)
            case .node(let load): deliver(event, to: load, at: now)
            case .edit(let edit): endEdit(edit, with: event)
            }
        }
        // The waiter may request another load before its outcome is delivered. So its number is
        // released now.
        if event.isLast { numbers.release(slots) }
        if waiters.isEmpty { return }
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
