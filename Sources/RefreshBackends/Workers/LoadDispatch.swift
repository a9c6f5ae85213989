internal import RefreshBroker
internal import RefreshProtocol

/// Connects the `WorkerPool` with the pending calls of the backend. The pool contains only the ids
/// of the calls. Only one thread uses a `LoadDispatch`.
///
/// A `LoadDispatch` does not write to workers itself. It appends each operation on a worker to a
/// list of actions. Its owner performs the actions in order.
struct LoadDispatch {
    enum Action {
        /// One message, without a line feed at its end.
        case write([UInt8], WorkerID)
        case bye(WorkerID)
        case dismiss(WorkerID, WorkerDismissal)
        /// A load for the workers on the message bus. If it cannot be sent, the owner reports
        /// `noWorker` or `tooLarge`.
        case offer([UInt8], LoadOfferID, WorkKind)
        /// A message for a worker on the message bus.
        case sendOnBus([UInt8], BusWorkerID)
    }

    private var pool: WorkerPool
    private var pending: [CallID: PendingLoad] = [:]
    private var effects: [WorkerPool.Effect] = []
    let notices: FeedNotices
    /// The maximum size of a message of a worker on the message bus, in bytes.
    private let lineBytesMax: Int

    init(_ pool: WorkerPool, notices: FeedNotices, lineBytesMax: Int = .max) {
        self.lineBytesMax = lineBytesMax
        self.pool = pool
        self.notices = notices
    }

    var nextDeadline: Instant? { pool.nextDeadline }
    var counters: WorkerCounters { pool.snapshot }

    mutating func handle(_ post: WorkerEvent, at now: Instant, into actions: inout [Action]) {
        switch post {
        case .started(let load): start(load, now, &actions)
        case .cancelled(let load):
            let id = load.work.id
            guard pending[id] === load else { return }
            pending[id] = nil
            load.complete(Self.cancelled)
            forwardToPool(.cancelled(id), now, &actions)
        case .joined(let worker, let feeds, let capacity, let edits):
            forwardToPool(
                .joined(worker, feeds: feeds, capacity: capacity, edits: edits), now, &actions)
        case .received(let worker, let message):
            forwardToPool(.received(worker, message), now, &actions)
        case .receivedInvalid(let worker, let fault):
            forwardToPool(.receivedInvalid(worker, fault), now, &actions)
        case .lost(let worker): forwardToPool(.lost(worker), now, &actions)
        case .bus(let input): handle(input, now, &actions)
        case .stop: forwardToPool(.stopped, now, &actions)
        }
    }

    /// Returns whether the input is an answer to an open offer.
    func hasOffer(of input: BusWorkerInput) -> Bool {
        guard case .answer(_, let offer, _) = input else { return false }
        return pool.offers[offer] != nil
    }

    /// Handles an input of the message bus. A message is parsed only if its sender may answer the
    /// offer.
    private mutating func handle(
        _ input: BusWorkerInput, _ now: Instant, _ actions: inout [Action]
    ) {
        switch input {
        case .connected: forwardToPool(.bus(.connected), now, &actions)
        case .disconnected: forwardToPool(.bus(.disconnected), now, &actions)
        case .noWorker(let offer): forwardToPool(.bus(.refused(offer)), now, &actions)
        case .tooLarge(let offer): forwardToPool(.bus(.tooLarge(offer)), now, &actions)
        case .answer(let bytes, let offer, let worker):
            guard let worker, pool.offers.accepts(offer, from: worker) else {
                return pool.counters.droppedBusMessages += 1
            }
            switch read(bytes) {
            case .success(let message):
                forwardToPool(.bus(.received(offer, from: worker, message)), now, &actions)
            case .failure(let fault):
                forwardToPool(.bus(.receivedInvalid(offer, from: worker, fault)), now, &actions)
            }
        case .change(let bytes, let feed):
            guard case .success(.changed(let change)) = read(bytes),
                change.feed.hasBytes(of: feed)
            else { return pool.counters.droppedBusMessages += 1 }
            forwardToPool(.bus(.changed(change)), now, &actions)
        }
    }

    private func read(_ bytes: [UInt8]) -> Result<WorkerMessage, WorkerMessageFault> {
        guard bytes.count <= lineBytesMax else {
            return .failure(WorkerMessageFault(.tooLong(max: lineBytesMax)))
        }
        do throws(WorkerMessageFault) {
            return .success(try WorkerMessageReader.read(bytes.span, notices: notices))
        } catch {
            return .failure(error)
        }
    }

    mutating func advanceClock(to now: Instant, into actions: inout [Action]) {
        forwardToPool(.clockAdvanced, now, &actions)
    }

    private mutating func start(_ load: PendingLoad, _ now: Instant, _ actions: inout [Action]) {
        let work = load.work
        if load.isCancelled { return load.complete(Self.cancelled) }
        guard pending[work.id] == nil else {
            // A repeated id is a defect of the daemon. This defect must not affect the load that
            // already has this id.
            return load.complete(
                .failure(
                    LoadFailure(.backendFailed, "A load with this identifier is already running.")))
        }
        pending[work.id] = load
        forwardToPool(
            .started(
                work.id, feed: work.kind.feed, isEdit: work.kind.isForEdits,
                deadline: work.deadline), now, &actions)
    }

    private mutating func forwardToPool(
        _ event: WorkerPool.Event, _ now: Instant, _ actions: inout [Action]
    ) {
        pool.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .assign(let id, let worker, let earlier):
                guard let work = pending[id]?.work else { continue }
                let order = work.order(
                    id: id, earlier: earlier, remainingMs: Self.remainingMs(of: work, at: now))
                actions.append(.write(order.text, worker))
            case .offer(let id, let offer, let earlier):
                guard let work = pending[id]?.work else { continue }
                let order = work.order(
                    id: offer.call, earlier: earlier,
                    remainingMs: Self.remainingMs(of: work, at: now))
                actions.append(.offer(order.text, offer, work.kind))
            case .withdraw(let offer, let worker):
                actions.append(.sendOnBus(WorkerOrder.cancel(offer.call).text, worker))
            case .revoke(let id, let worker):
                actions.append(.write(WorkerOrder.cancel(id).text, worker))
            case .bye(let worker): actions.append(.bye(worker))
            case .dismiss(let worker, let reason): actions.append(.dismiss(worker, reason))
            case .end(let id, let answer):
                pending.removeValue(forKey: id)?.complete(answer.map { .page($0) })
            case .endEdit(let id, let item):
                pending.removeValue(forKey: id)?.complete(.success(.edited(item)))
            case .report(let id, let fraction):
                if case .load(let call) = pending[id]?.work { call.report(fraction) }
            case .announceChange(let change): notices.reportFeedChange(change)
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    private static func remainingMs(of work: PendingLoad.Work, at now: Instant) -> Int {
        guard work.deadline > now else { return 0 }
        let (left, isOver) = work.deadline.microseconds.subtractingReportingOverflow(
            now.microseconds)
        return isOver ? remainingMsMax : Int(min(left / 1000, Int64(remainingMsMax)))
    }

    private static let remainingMsMax = 86_400_000

    /// The answer to a cancelled load. Nothing reads this answer.
    private static let cancelled = PendingLoad.Answer.failure(
        LoadFailure(.backendFailed, "The load was cancelled."))
}

/// An event for the thread of a worker backend.
enum WorkerEvent: Sendable {
    case started(PendingLoad)
    case cancelled(PendingLoad)
    case joined(WorkerID, feeds: Set<String>?, capacity: Int, edits: Bool = false)
    case received(WorkerID, WorkerMessage)
    case receivedInvalid(WorkerID, WorkerMessageFault)
    case lost(WorkerID)
    case bus(BusWorkerInput)
    case stop
}
