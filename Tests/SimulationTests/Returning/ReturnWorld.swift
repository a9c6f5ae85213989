import Cryptography
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession

/// One client, and the hosts between which its session moves. Its abandoned connections stay open.
/// The hosts are production code, with mailboxes that the search empties.
///
/// Hosts are reference types, so a world cannot be copied. The search reaches a state again by
/// repeating the acts that led to this state.
final class ReturnWorld {
    /// The acts that may occur, and how often.
    struct Rules: Sendable {
        var name: String
        /// Whether each of the two loops belongs to its own daemon. Both daemons have the same
        /// keys.
        var isSplit = false
        var sealsSnapshots = false
        var lines = 2
        /// The number of connections of an intruder that has the client's previous credentials.
        var intruders = 0
        var refreshes = 0
        var cancels = 0
        /// How many times the clock advances by `passMs`.
        var passes = 0
        var crashes = 0
        /// The depth of the search. If it is nil, the search continues until no new state appears.
        var depth: Int?
    }

    enum Act {
        /// The client gives up its connection, and opens another one with the credentials that it
        /// last received.
        case connect(Int)
        case intrude(Int)
        /// The next frame on that connection arrives at its host.
        case deliver(Int)
        /// The host notices that the connection is lost. All frames on their way are lost too.
        case drop(Int)
        case request(ReturnIntent.Kind)
        case answer(Int)
        /// A loop runs the job that was posted first.
        case run(Int)
        case pass
        case crash(Int)
    }

    /// Longer than the time after which a message proves that `welcome` has arrived, and longer
    /// than half of the resume window.
    static let passMs = 11_000.0
    static let limits: Limits = {
        var limits = Limits()
        limits.resumeWindowMs = 20_000
        limits.loadDeadlineMs = 600_000
        limits.idleTimeoutMs = 0
        return limits
    }()

    let rules: Rules
    let causes = PostingCauses()
    private let snapshotStore: StoredSnapshots?
    private var drawn: UInt64 = 0
    private(set) var daemons: [SmallDaemon] = []
    private(set) var lines: [ReturnLine] = []
    var client = ReturningClient()
    /// All tokens that were sent, by their digest, and all names of sessions.
    private(set) var tokens: [[UInt8]: String] = [:]
    private(set) var names: [String] = []
    /// How many times the clock has advanced by `passMs`.
    private(set) var passed = 0
    private(set) var left: Rules
    private(set) var mistake: String?

    init(_ rules: Rules) {
        self.rules = rules
        left = rules
        snapshotStore = rules.sealsSnapshots ? StoredSnapshots() : nil
        for _ in 0..<(rules.isSplit ? 2 : 1) { daemons.append(makeDaemon()) }
    }

    private func makeDaemon() -> SmallDaemon {
        SmallDaemon(
            loops: rules.isSplit ? 1 : 2, limits: Self.limits, seal: snapshotStore, causes: causes,
            draw: { [unowned self] in
                drawn += 1
                return drawn &* 0x9E37_79B9_7F4A_7C15
            })
    }

    func fail(_ what: String) { mistake = mistake ?? what }

    var now: Instant { causes.now }

    /// The session in a snapshot of the client.
    func snapshot(_ text: String?) -> SessionSnapshot? { text.flatMap { snapshotStore?[$0] } }

    func daemon(at loopIndex: Int) -> SmallDaemon { daemons[rules.isSplit ? loopIndex : 0] }

    func host(at loopIndex: Int) -> SessionHost {
        daemon(at: loopIndex).hosts[rules.isSplit ? 0 : loopIndex]
    }

    func loop(at loopIndex: Int) -> WaitingLoop {
        daemon(at: loopIndex).loops[rules.isSplit ? 0 : loopIndex]
    }

    // MARK: Acts

    var acts: [Act] {
        var acts: [Act] = []
        for loopIndex in 0..<2 {
            if left.lines > 0 { acts.append(.connect(loopIndex)) }
            if left.intruders > 0, client.oldClaim != nil { acts.append(.intrude(loopIndex)) }
            if !loop(at: loopIndex).jobs.isEmpty { acts.append(.run(loopIndex)) }
        }
        for line in lines where line.isUp {
            if !line.up.isEmpty { acts.append(.deliver(line.number)) }
            acts.append(.drop(line.number))
        }
        if client.isWelcomed {
            if left.refreshes > 0 { acts.append(.request(.refresh)) }
            if left.cancels > 0, client.loads.values.contains(.running) {
                acts.append(.request(.cancel))
            }
        }
        for daemon in daemons.indices {
            if !daemons[daemon].loads.running.isEmpty { acts.append(.answer(daemon)) }
            if left.crashes > 0 { acts.append(.crash(daemon)) }
        }
        if left.passes > 0 { acts.append(.pass) }
        return acts
    }

    /// Performs an act. `cause` identifies the act and the state in which it is performed.
    func perform(_ act: Act, because cause: StateFingerprint) {
        causes.begin(cause)
        switch act {
        case .connect(let loopIndex):
            left.lines -= 1
            connect(to: loopIndex)
        case .intrude(let loopIndex):
            left.intruders -= 1
            client.mayLose = true
            open(loopIndex, isIntruder: true).up = [.hello(client.oldClaim, [])]
        case .deliver(let number): deliver(lines[number])
        case .drop(let number): drop(lines[number])
        case .request(let kind):
            if kind == .refresh { left.refreshes -= 1 } else { left.cancels -= 1 }
            sendIntent(kind)
        case .answer(let daemon): daemons[daemon].loads.answerFirst()
        case .run(let loopIndex): loop(at: loopIndex).runFirst()
        case .pass:
            left.passes -= 1
            pass()
        case .crash(let daemon):
            left.crashes -= 1
            crash(daemon)
        }
        check()
    }

    /// Opens a connection. Each connection is opened at a different moment.
    private func open(_ loopIndex: Int, isIntruder: Bool) -> ReturnLine {
        causes.now = Instant(microseconds: now.microseconds + 1)
        let line = ReturnLine(
            lines.count, to: loopIndex, isIntruder: isIntruder, of: self, at: now)
        lines.append(line)
        let session = host(at: loopIndex).opened(line, at: now)
        line.session = session
        names.append(session.name)
        if let token = session.conversation.value.credentials.token?.text {
            tokens[SHA256.digest(of: Array(token.utf8))] = token
        }
        return line
    }

    @discardableResult
    func connect(to loopIndex: Int) -> ReturnLine {
        if client.line != nil { client.lose() }
        let line = open(loopIndex, isIntruder: false)
        client.line = line.number
        client.requestedSession = client.claim?.session
        line.up = [.hello(client.claim, client.unacknowledged)]
        return line
    }

    func deliver(_ line: ReturnLine) {
        guard line.isUp, !line.up.isEmpty, let session = line.session else { return }
        let frame = line.up.removeFirst()
        if case .hello = frame { line.helloReadAt = passed }
        let isFenced = line.closed != nil
        let before = isFenced ? hostsFingerprint : nil
        let text = Array(frame.text(wantsSnapshots: rules.sealsSnapshots).utf8)
        _ = host(at: line.loopIndex).receive(text.span, by: session, at: now)
        if let before, before != hostsFingerprint {
            fail("line \(line.number) is closed, but a late frame from it was handled")
        }
    }

    func drop(_ line: ReturnLine) {
        guard line.isUp, let session = line.session else { return }
        line.isUp = false
        line.up = []
        line.session = nil
        if client.line == line.number { client.lose() }
        host(at: line.loopIndex).closed(session, at: now)
    }

    private func sendIntent(_ kind: ReturnIntent.Kind) {
        guard let number = client.line else { return }
        client.seq += 1
        let intent = ReturnIntent(seq: client.seq, kind: kind)
        client.unacknowledged.append(intent)
        lines[number].up.append(.intent(intent))
    }

    func pass() {
        passed += 1
        causes.now = now.advanced(byMilliseconds: Self.passMs)
        for daemon in daemons { daemon.wake(at: now) }
    }

    private func crash(_ index: Int) {
        let dead = daemons[index]
        daemons[index] = makeDaemon()
        if client.claim?.snapshot == nil { client.mayLose = true }
        for line in lines where line.isUp && (!rules.isSplit || line.loopIndex == index) {
            line.isUp = false
            line.up = []
            line.session = nil
            if client.line == line.number { client.lose() }
        }
        if let mistake = dead.loads.mistake { fail(mistake) }
    }
}
