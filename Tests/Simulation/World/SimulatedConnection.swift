import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A connection between a client and a host (the sessions of one loop of a daemon): two ordered
/// queues of frames.
///
/// Each frame has a latency. When the network fails, the frames delivered by then are a prefix of
/// the frames sent. Both ends notice the failure later, at different times. If a frame is written
/// in parts, the channel accepts no other frame until the write is complete.
final class SimulatedConnection: Channel {
    /// The time after `welcome` in milliseconds from which a frame proves that the client has
    /// received it.
    static let welcomeLossMs = 10_000.0
    /// The maximum number of undelivered frames from the host.
    private static let window = 4

    /// The number of the connection in the world.
    let number: Int
    private let agenda: Agenda
    private let lane: Int
    private var generator: SeededGenerator
    private let latency: ClosedRange<Double>
    let daemon: SimulatedDaemon
    private let host: Int
    private weak var client: (any SimulatedPeer)?
    private var session: Session?

    private var lastUp = Instant.origin
    private var lastDown = Instant.origin
    /// The times at which the network failed in the direction to the host (`deadUp`) and to the
    /// client (`deadDown`). Frames that would arrive later are lost. Nil if the network works.
    private var deadUp: Instant?
    private var deadDown: Instant?
    /// The frames that have arrived at the host and have not been read.
    private var queueUp: [[UInt8]] = []
    private var isReadingPaused = false
    /// The frames on their way to the client.
    private var queueDown: [() -> Void] = []
    private var outstanding = 0
    private var isWriting = false
    private var wantsWritable = false
    private var frozenUntil = Instant.origin
    /// Whether each end considers the connection open.
    private(set) var isUpAtClient = true
    private var isUpAtHost = true
    /// Whether the daemon has closed the connection.
    private var isClosed = false
    /// Whether the client was admitted and has received `welcome`.
    var isWelcomed = false
    /// The session of the connection, as the client knows it from `welcome`.
    var welcomedSession: String?
    /// The time of `welcome`.
    var welcomedAt = Instant.origin
    /// When the host has read the first frame that proves that the client received `welcome`.
    private(set) var confirmedAt: Instant?

    init(
        _ number: Int, of client: any SimulatedPeer, to daemon: SimulatedDaemon, host: Int,
        agenda: Agenda, latency: ClosedRange<Double>, seed: SeededGenerator
    ) {
        self.number = number
        self.client = client
        self.daemon = daemon
        self.host = host
        self.agenda = agenda
        self.latency = latency
        generator = seed
        lane = agenda.newLane()
    }

    /// The handshake arrives at the host.
    func open() {
        guard deadUp == nil, let session = daemon.opened(self, on: host) else { return lose() }
        self.session = session
    }

    /// The name of the session at the daemon: that of a new session until the client has resumed.
    var sessionName: String? { session?.name }

    // MARK: The client's end

    func send(_ frame: [UInt8]) {
        guard isUpAtClient else { return }
        lastUp = max(lastUp, agenda.now.advanced(byMilliseconds: transit()))
        let due = lastUp
        agenda.at(due, lane: lane) { [self] in
            guard isUpAtHost, !isClosed, deadUp.map({ due <= $0 }) ?? true else { return }
            queueUp.append(frame)
            if !isReadingPaused { readNext() }
        }
    }

    /// The host reads the first frame of the queue.
    private func readNext() {
        guard isUpAtHost, !isClosed, !queueUp.isEmpty, let session else { return }
        if isWelcomed, agenda.now.milliseconds(since: welcomedAt) >= Self.welcomeLossMs {
            confirmedAt = confirmedAt ?? agenda.now
        }
        daemon.receive(queueUp.removeFirst(), by: session, on: host)
    }

    /// The client closes the connection without a close frame.
    func drop() {
        guard isUpAtClient else { return }
        isUpAtClient = false
        agenda.after(transit(), lane: lane) { [self] in notifyHost() }
    }

    /// The client does not read for this time.
    func freeze(milliseconds: Double) {
        frozenUntil = agenda.now.advanced(byMilliseconds: milliseconds)
    }

    /// Whether this connection works, although the same daemon has resumed the session on `other`.
    func isOutlived(by other: SimulatedConnection) -> Bool {
        isUpAtClient && deadUp == nil && !isClosed && isUpAtHost && session != nil
            && daemon === other.daemon && !daemon.isEnded
    }

    /// Whether the connection is open at the daemon.
    var isStanding: Bool { isUpAtHost && !isClosed }

    /// Whether the network has failed. The ends may not have noticed it.
    var isBroken: Bool { deadUp != nil || deadDown != nil }

    // MARK: The network

    /// Lets the network fail now. Each end notices the failure after its number of milliseconds.
    func failNetwork(client clientDelay: Double, host hostDelay: Double) {
        guard deadUp == nil else { return }
        deadUp = agenda.now
        // Some of the frames on their way in the other direction can still arrive.
        deadDown = agenda.now.advanced(byMilliseconds: generator.milliseconds(0, 20))
        agenda.after(clientDelay, lane: lane) { [self] in notifyClient() }
        agenda.after(hostDelay, lane: lane) { [self] in notifyHost() }
    }

    /// The daemon's process has ended. The operating system closes the connection to the client.
    func processEnded() {
        isUpAtHost = false
        session = nil
        if deadDown == nil {
            deadDown = agenda.now.advanced(byMilliseconds: generator.milliseconds(0, 20))
        }
        agenda.after(transit() + 20, lane: lane) { [self] in notifyClient() }
    }

    private func lose() {
        isUpAtHost = false
        agenda.after(transit(), lane: lane) { [self] in notifyClient() }
    }

    private func notifyClient() {
        guard isUpAtClient else { return }
        isUpAtClient = false
        client?.connectionLost(self, code: nil)
    }

    private func notifyHost() {
        guard isUpAtHost, !daemon.keepsConnections else { return }
        isUpAtHost = false
        guard let session else { return }
        self.session = nil
        daemon.closed(session, self, on: host)
    }

    private func transit() -> Double {
        generator.milliseconds(latency.lowerBound, latency.upperBound)
    }

    // MARK: The host's end

    var isWritable: Bool {
        !isClosed && isUpAtHost && !isWriting && outstanding < Self.window
    }

    func send(_ frame: inout ByteBuffer) {
        guard isWritable else { return }
        let bytes = daemon.sent(frame.bytes)
        outstanding += 1
        var pause = transit()
        if generator.chance(6) {
            isWriting = true
            let rest = generator.milliseconds(1, 40)
            pause += rest
            agenda.after(rest, lane: lane) { [self] in
                isWriting = false
                reportWritable()
            }
        }
        deliverDown(after: pause) { [self] in
            outstanding -= 1
            client?.receive(bytes, on: self)
            reportWritable()
        }
    }

    func requestWritable() { wantsWritable = true }

    func setReadingPaused(_ isReadingPaused: Bool) {
        self.isReadingPaused = isReadingPaused
        guard !isReadingPaused else { return }
        agenda.after(0, lane: lane) { [self] in
            while !self.isReadingPaused, isUpAtHost, !isClosed, !queueUp.isEmpty { readNext() }
        }
    }

    func close(_ code: CloseCode, reason: String) {
        guard !isClosed else { return }
        isClosed = true
        deliverDown(after: transit()) { [self] in
            isUpAtClient = false
            client?.connectionLost(self, code: code)
        }
        agenda.after(generator.milliseconds(0, 50), lane: lane) { [self] in notifyHost() }
    }

    private func deliverDown(after pause: Double, _ action: @escaping () -> Void) {
        queueDown.append(action)
        lastDown = max(lastDown, agenda.now.advanced(byMilliseconds: pause), frozenUntil)
        deliverFirst(at: lastDown)
    }

    /// Delivers the first frame in the queue at `due`, because frames do not overtake each other.
    private func deliverFirst(at due: Instant) {
        agenda.at(due, lane: lane) { [self] in
            if due < frozenUntil { return deliverFirst(at: frozenUntil) }
            guard !queueDown.isEmpty else { return }
            let action = queueDown.removeFirst()
            guard isUpAtClient, deadDown.map({ due <= $0 }) ?? true else { return }
            action()
        }
    }

    private func reportWritable() {
        guard wantsWritable, isWritable, let session else { return }
        wantsWritable = false
        daemon.becameWritable(session, on: host)
    }
}
