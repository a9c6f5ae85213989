package import RefreshBroker
import RefreshEngine
package import RefreshProtocol

/// One client: its views, and the conversation about them.
///
/// ```
/// frame ─▶ decoder ─▶ message ─▶ Engine ─▶ effects ─▶ pending update, queue ─▶ frame
/// ```
///
/// Lives on one loop and is touched by that thread alone; runs to completion and never waits. What is
/// not sent yet is merged in place, so a client that does not read costs a constant, but for its
/// items, loads and errors, which are bounded.
package final class Session {
    enum Stage {
        /// Nothing was said yet; `hello` must come before this instant.
        case silent(until: Instant)
        case open
        /// The session ends when what is queued was sent.
        case closing(CloseCode)
        case closed
    }

    package let key: SessionKey
    /// The session's name in logs and in `welcome`.
    package let name: String
    let channel: any Channel
    let services: SessionServices
    var stage: Stage
    var views: [ViewSlot] = []
    var queue: [QueuedMessage] = []
    /// Bytes of the queue, without updates.
    var queuedBytes = 0
    /// The last sequence number that was handled.
    var ack: UInt64 = 0
    var budget: FaultBudget
    private var lastGeneration: UInt32 = 0

    package init(
        key: SessionKey, name: String, channel: any Channel, services: SessionServices,
        now: Instant
    ) {
        self.key = key
        self.name = name
        self.channel = channel
        self.services = services
        self.stage = .silent(
            until: now.advanced(byMilliseconds: Double(services.limits.helloTimeoutMs)))
        self.budget = FaultBudget(most: services.limits.faultBudgetMax, now: now)
    }

    /// A text frame came.
    package func receive(_ frame: Span<UInt8>, at now: Instant) {
        services.metrics.received(bytes: frame.count)
        var position = FramePosition()
        while isListening, let decoded = services.decoder.next(in: frame, at: &position) {
            switch decoded {
            case .message(let message): handle(message, at: now)
            case .fault(let fault): report(fault, at: now)
            }
        }
        flush()
    }

    /// A binary frame came.
    package func receiveBinary(at now: Instant) {
        guard isListening else { return }
        report(Fault(.binaryFrame), at: now)
        flush()
    }

    /// The channel takes frames again.
    package func becameWritable(at now: Instant) { flush() }

    /// The connection is gone: so are the views and their loads.
    package func channelClosed(at now: Instant) {
        stage = .closed
        for index in views.indices { endLoads(ofViewAt: index, at: now) }
        views.removeAll()
        queue.removeAll()
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ code: FaultCode, at now: Instant) {
        guard isListening else { return }
        report(Fault(code), at: now)
        flush()
    }

    /// A brokered load ended.
    package func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        guard let index = viewIndex(generation: ticket.load.generation) else {
            return services.metrics.staleLoad()
        }
        tell(
            .loadEnded(ticket.load, LoadEnding(outcome)), toViewAt: index, outcome: outcome,
            at: now)
        flush()
    }

    /// A deadline may have passed.
    package func wake(at now: Instant) {
        if case .silent(let until) = stage, until <= now {
            report(Fault(.helloTimeout), at: now)
        }
        for index in views.indices {
            if let deadline = views[index].engine.nextDeadline, deadline <= now {
                tell(.timePassed, toViewAt: index, at: now)
            }
        }
        flush()
    }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? {
        var next: Instant?
        if case .silent(let until) = stage { next = until }
        for index in views.indices {
            guard let deadline = views[index].engine.nextDeadline else { continue }
            if let earlier = next, earlier <= deadline { continue }
            next = deadline
        }
        return next
    }

    var isListening: Bool {
        switch stage {
        case .silent, .open: true
        case .closing, .closed: false
        }
    }

    func viewIndex(_ id: ViewID) -> Int? {
        for index in views.indices where views[index].id == id { return index }
        return nil
    }

    func viewIndex(generation: UInt32) -> Int? {
        for index in views.indices where views[index].generation == generation { return index }
        return nil
    }

    func nextGeneration() -> UInt32 {
        lastGeneration += 1
        return lastGeneration
    }
}
