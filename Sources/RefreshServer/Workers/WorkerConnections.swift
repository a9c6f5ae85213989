internal import RefreshBackends
internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// The workers of one loop and one backend. Only the loop's thread uses this object. After
/// registration, messages pass between a worker and the backend.
///
///     socket -> LoopHandler -> WorkerMessageReader -> WorkerBackend
///     WorkerBackend -> WorkerLink -> mailbox of the loop -> send -> socket
final class WorkerConnections {
    /// A connected worker.
    private struct WorkerConnection {
        let connection: Connection
        /// The worker's name in the log.
        let name: String
        /// The identity that the backend has given the worker; nil until the worker has registered.
        var worker: WorkerID?
    }

    let reception: WorkerReception
    private let log: DaemonLog
    private let post: @Sendable (@escaping @Sendable (WorkerConnections) -> Void) -> Void
    private var connections: [UInt64: WorkerConnection] = [:]
    private var arrivals = WorkerArrivals()

    /// `post` may be called on any thread. It runs a job with this object on the loop's thread.
    init(
        _ reception: WorkerReception, log: DaemonLog,
        post: @escaping @Sendable (@escaping @Sendable (WorkerConnections) -> Void) -> Void
    ) {
        self.reception = reception
        self.log = log
        self.post = post
    }

    var isEmpty: Bool { connections.isEmpty }

    func contains(_ connection: Connection) -> Bool { connections[connection.key] != nil }

    // MARK: Connecting and closing

    /// Adds a connection. `name` is the worker's name in the log and in `registered`, the answer to
    /// its registration.
    func opened(_ connection: Connection, name: String, at now: Instant) {
        connections[connection.key] = WorkerConnection(connection: connection, name: name)
        let address = (connection.owner as? ClientAddress)?.text ?? connection.peerAddress
        let timeoutMs = min(reception.limits.helloTimeoutMs, WorkerArrivals.registrationTimeoutMs)
        let leaving = arrivals.insert(
            connection.key, from: PeerNetwork(address),
            until: now.advanced(byMilliseconds: Double(timeoutMs)))
        if let leaving { close(leaving, .overloaded) }
    }

    func closed(_ connection: Connection) {
        arrivals.remove(connection.key)
        guard let entry = connections.removeValue(forKey: connection.key) else { return }
        guard let worker = entry.worker else { return }
        reception.releasePlace()
        reception.backend.handleLoss(of: worker)
        log(.workerLeft, [.worker: entry.name])
    }

    /// The earliest deadline of a connection that has not registered.
    var nextDeadline: Instant? { arrivals.nextDeadline }

    func closeOverdue(at now: Instant) {
        for key in arrivals.removeOverdue(at: now) { close(key, .helloTimeout) }
    }

    /// Closes all connections because the daemon stops. The workers get no more loads, and the
    /// daemon does not wait for running loads.
    func drain() {
        for key in connections.keys {
            send(WorkerOrder.bye.text, to: key)
            close(key, .draining)
        }
    }

    // MARK: Messages from workers

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        guard let entry = connections[connection.key] else { return }
        do throws(WorkerMessageFault) {
            if isBinary { throw WorkerMessageFault(.notText) }
            let message = try WorkerMessageReader.read(
                message, notices: reception.backend.notices)
            if let worker = entry.worker {
                reception.backend.handle(message, from: worker)
            } else if case .register(let registration) = message {
                register(registration, connection)
            } else {
                throw WorkerMessageFault(.unknownType)
            }
        } catch {
            handleFault(error, of: entry)
        }
    }

    /// Reports to the backend that the transport is about to close the connection because of a
    /// message.
    func messageRefused(_ breach: MessageBreach, on connection: Connection) {
        guard let entry = connections[connection.key], let worker = entry.worker else { return }
        let reason: WorkerMessageFault.Reason =
            switch breach {
            case .tooBig: .tooLong(max: reception.backend.options.lineBytesMax)
            case .notText: .notText
            case .tooManyFrames: .tooManyFrames
            }
        reception.backend.handle(WorkerMessageFault(reason), from: worker)
    }

    private func register(_ registration: WorkerRegistration, _ connection: Connection) {
        let key = connection.key
        switch reception.verdict(on: registration) {
        case .unknownToken: return close(key, .workerToken)
        case .feedRefused: return close(key, .workerFeed)
        case .admitted(let token):
            guard let name = connections[key]?.name else { return }
            // Other workers may have registered since the upgrade.
            guard reception.reservePlace() else { return close(key, .overloaded) }
            arrivals.remove(key)
            connection.setMessageBytesMax(reception.backend.options.lineBytesMax)
            let order = WorkerOrder.registered(
                worker: name, heartbeatMs: reception.limits.heartbeatMs)
            send(order.text, to: key)
            connections[key]?.worker = reception.backend.register(
                WorkerLink(key: key, post: post), feeds: Set(registration.feeds),
                capacity: registration.capacity, edits: registration.edits)
            log(.workerJoined, [.worker: name, .token: token])
        }
    }

    private func handleFault(_ fault: WorkerMessageFault, of entry: WorkerConnection) {
        if let worker = entry.worker {
            // The backend handles the fault, because it must first end the loads of the worker.
            // After that, it closes the connection.
            reception.backend.handle(fault, from: worker)
        } else {
            refuse(fault, at: entry.connection.key)
        }
    }

    // MARK: Messages from the backend

    /// Sends a message. If the connection is gone, the message is dropped. If the worker reads too
    /// slowly, its connection is closed.
    func send(_ message: [UInt8], to key: UInt64) {
        guard let connection = connections[key]?.connection else { return }
        connection.enqueue(message, isBinary: false)
        if connection.queuedBytes > reception.limits.queueBytesMax { close(connection, .slow) }
    }

    func refuse(_ fault: WorkerMessageFault, at key: UInt64) {
        guard let entry = connections[key] else { return }
        let message = entry.worker == nil ? LogMessage.workerRefused : .workerDismissed
        log(message, [.worker: entry.name, .reason: fault.message])
        close(entry.connection, .workerMessage)
    }

    func close(_ key: UInt64, _ code: CloseCode) {
        guard let entry = connections[key] else { return }
        if entry.worker == nil, code != .draining {
            log(.workerRefused, [.worker: entry.name, .reason: "\(code)"])
        }
        close(entry.connection, code)
    }

    private func close(_ connection: Connection, _ code: CloseCode) {
        connection.close(code: code.rawValue, reason: "\(code)")
    }
}
