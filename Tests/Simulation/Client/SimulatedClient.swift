import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import ScenarioKit

/// A thin client that follows docs/protocol.md exactly, on an unreliable network.
final class SimulatedClient: SimulatedPeer {
    /// The state of the connection to a daemon.
    enum Link {
        case offline
        /// `hello` was sent, and `welcome` has not arrived.
        case greeting(SimulatedConnection)
        case open(SimulatedConnection)
        /// The client has left and does not return.
        case left
    }

    let number: Int
    let lane: Int
    unowned let simulation: Simulation
    var generator: SeededGenerator
    /// The generator that decides how this client's connections fail.
    var faultGenerator: SeededGenerator
    let mode: FramesMode
    let wantsSnapshots: Bool

    var link = Link.offline
    var seq = 0
    var views: [ShownView] = []
    /// The feeds of all views that the client has had.
    private(set) var feedsUsed: [String] = []
    /// The name and the token of the session, as long as the client can resume it.
    var session: (name: String, token: String)?
    /// The token before the current one.
    var oldToken: String?
    /// The message that the client sent last.
    private var before: JSONValue?
    /// The session that the last `hello` asked to resume.
    var requestedSession: String?
    /// Whether the last `hello` contained the newest token, within the time in which the token is
    /// valid.
    var hasSentNewestToken = false
    /// Whether the last `hello` contained the credentials of another client.
    var isStealing = false
    /// Whether the client has used an old token in this session. A daemon with an older state of
    /// the session can have accepted that token.
    var hasErred = false
    /// Whether the client has received no `welcome` since it used an old token. In this case, its
    /// newest token can be void.
    var hasUnansweredError = false
    /// The token that the client resumes with, and the time at which it first sent this token.
    /// After this time, the daemon can have issued a newer token, in a `welcome` that was lost.
    var firstAttempt: (token: String, at: Double)?
    var ack = 0
    var snapshot: String?
    var snapshotAck = 0
    /// The token of the session when the snapshot arrived.
    var snapshotToken: String?
    /// Credentials of the session that the last `welcome` has superseded.
    var supersededCredentials: SessionCredentials?
    /// What has become of credentials that are presented again. Nil for a usual client.
    var replay: Replay?
    var outbox = Outbox()
    /// The `seq` of the last message in the frame of the last `hello`.
    var seqOfHello = 0
    /// The `seq` of the `attach` with which the client has attached its only view again. Nil if the
    /// daemon has handled this `attach`. Before, the session may have no view, and a daemon does
    /// not resume a session without views.
    var seqOfReattach: Int?
    /// The daemon to which the client has sent this `attach`.
    weak var daemonOfReattach: SimulatedDaemon?
    /// The largest number of sessions that the client can have had. It counts the sessions that the
    /// client requested, even if no `welcome` arrived, and the sessions that replaced another
    /// session.
    var sessionsBegun = 0
    /// The largest `seq` that the client has sent on this connection, and the last `ack` that it
    /// has received on this connection.
    var sent = 0
    var ackHere = 0
    /// Whether `hello` was sent on this connection.
    var hasSentHello = false
    /// Whether the session was resumed on this connection.
    var isResumed = false
    var isLeaving = false
    var lastReceived = Instant.origin
    /// The time at which the client sent its last message.
    var lastSent = Instant.origin
    /// What the checks of model lists need to know of the frame that is being handled.
    var frame = ReceivedFrame()
    var backOff = 100.0
    /// The index of the daemon that the client has connected to.
    var daemonIndex = 0
    /// The number of connections that the client has opened.
    var connections = 0
    var actionsLeft: Int
    /// Whether a gesture is under way.
    var isMoving = false
    var isSettled = false

    init(_ number: Int, in simulation: Simulation, plan: SimulationPlan) {
        self.number = number
        self.simulation = simulation
        lane = simulation.agenda.newLane()
        generator = SeededGenerator(seed: plan.seed, 20, number)
        faultGenerator = SeededGenerator(seed: plan.seed, 21, number)
        actionsLeft = plan.actions
        mode = generator.pick([.plain, .plain, .stream, .local])
        wantsSnapshots = generator.chance(80)
        let count = mode == .plain ? 1 + generator.below(3) : 1
        for index in 0..<count {
            views.append(
                plan.readers == nil ? makeView(index, plan) : makeReader(index, plan))
        }
        feedsUsed = views.compactMap(\.feed)
    }

    private func makeView(_ index: Int, _ plan: SimulationPlan) -> ShownView {
        let feed: String? =
            generator.chance(15) ? nil : generator.pick(SimulatedFeed.Kind.allCases).rawValue
        let name = "v\(index)"
        return ShownView(
            name: name,
            profile: generator.pick(["default", "default", "iqpulltorefresh", "mrefresh2"]),
            feed: feed, owner: feed == nil || plan.shares ? nil : "c\(number)",
            hand: hand(of: name))
    }

    /// A hand of the view's list at its start. `known`: see `ViewHand.init`.
    func hand(of view: String, known: Double = 0) -> ViewHand {
        ViewHand(
            view: view, mode: mode, after: seq, known: known,
            silenceMs: Double(simulation.plan.limits.gestureSilenceMs), at: t)
    }

    /// The subject of the client. Nil if the daemons do not authenticate.
    var subject: String? { simulation.plan.authenticates ? "client \(number)" : nil }

    /// The client's own clock, in milliseconds.
    var t: Double { simulation.agenda.now.milliseconds - 500 }

    /// The connection that the client sends on.
    var connection: SimulatedConnection? {
        switch link {
        case .offline, .left: nil
        case .greeting(let connection), .open(let connection): connection
        }
    }

    func after(_ milliseconds: Double, _ action: @escaping (SimulatedClient) -> Void) {
        simulation.agenda.after(milliseconds, lane: lane) { [self] in action(self) }
    }

    func index(of view: String) -> Int? { views.firstIndex { $0.name == view } }

    func fail(_ what: String) { simulation.fail("client \(number): \(what)") }

    func fail(_ rule: ClusterRule, _ what: String) {
        simulation.fail(rule, "client \(number): \(what)")
    }

    // MARK: Sending

    /// Sends a message about a view. If the message must be sent again after a resume, stores it in
    /// the outbox.
    func send(_ message: JSONValue, viewAt index: Int) {
        send(views[index].hand.prepareMessage(message, at: t, seq: &seq))
    }

    func send(_ messages: [JSONValue]) {
        guard !messages.isEmpty else { return }
        outbox.record(messages)
        // The daemon queues the messages that follow `hello` until it has handled `hello`.
        guard let connection, hasSentHello else { return }
        write(messages, on: connection)
        // Sends the previous message again. A repeated message must have no effect.
        if mode == .plain, let before, generator.chance(4) {
            simulation.count("sent", "a duplicate")
            write([before], on: connection)
        }
        before = messages.last
    }

    func write(_ messages: [JSONValue], on connection: SimulatedConnection) {
        sent = messages.reduce(sent) { max($0, Int($1["seq"]?.number ?? 0)) }
        let text = messages.count == 1 ? messages[0].text : JSONValue.array(messages).text
        let frame = Array(text.utf8)
        simulation.record(frame, of: number, up: true)
        lastSent = simulation.agenda.now
        connection.send(frame)
    }

    /// The connection is lost, or the user closes it.
    func hangUp() {
        guard let connection else { return }
        giveUp(connection)
    }

    func requestSnapshot() {
        guard wantsSnapshots, simulation.plan.sealsSnapshots, case .open(let connection) = link
        else { return }
        write([.object([.init("type", .string("snapshot"))])], on: connection)
    }

    /// The client sends `bye` and does not return.
    func leave() {
        isLeaving = true
        if case .open(let connection) = link {
            write([.object([.init("type", .string("bye"))])], on: connection)
        }
    }
}
