import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import ScenarioKit

/// A thin client that keeps docs/protocol.md to the letter, on a network that does not.
final class SimulatedClient {
    /// What it has of a daemon.
    enum Link {
        case offline
        /// `hello` was said and `welcome` has not come.
        case greeting(SimulatedConnection)
        case open(SimulatedConnection)
        /// It has left for good.
        case gone
    }

    let number: Int
    let lane: Int
    unowned let world: Simulation
    var generator: SeededGenerator
    /// What decides how this client's connections fare.
    var fate: SeededGenerator
    let mode: FramesMode
    let wantsSnapshots: Bool

    var link = Link.offline
    var seq = 0
    var views: [ShownView] = []
    /// The feeds of all views that it has had.
    private(set) var feedsUsed: [String] = []
    /// The session's name and token, while there is one to come back to.
    var session: (name: String, token: String)?
    /// The token before.
    var oldToken: String?
    /// What it has said last.
    private var before: JSONValue?
    /// What the last `hello` said it would go on with.
    var asked: String?
    /// Whether it asked so with the right token.
    var hasAskedRightly = false
    /// Whether it comes with what is another's.
    var isStealing = false
    /// Whether it came to this session with an old token, which a daemon that kept an older one may
    /// have taken.
    var hasErred = false
    /// Whether it was not answered since: then the token that it was told last may be void.
    var hasUnansweredError = false
    /// The token that it has come with, and when it did so first: from then on there may be a newer
    /// one, told by a welcome that was lost.
    var firstAsked: (token: String, at: Double)?
    var ack = 0
    var snapshot: String?
    var snapshotAck = 0
    var outbox = Outbox()
    /// How many sessions may have been its own: those that it asked for, of which it may never have
    /// heard, and those that it got in place of another.
    var sessionsBegun = 0
    /// The largest `seq` that it has said on this connection, and the last `ack` that it has heard
    /// there.
    var sent = 0
    var ackHere = 0
    /// Whether `hello` was said on this connection.
    var hasGreeted = false
    /// Whether this connection goes on with a session.
    var isResumed = false
    var wantsGone = false
    var lastHeard = Instant.origin
    var backOff = 100.0
    /// Which of the daemons it has connected to.
    var place = 0
    /// How often it has connected.
    var connections = 0
    var actionsLeft: Int
    /// The number of the gesture under way; 0: none is.
    var isMoving = false
    var isSettled = false

    init(_ number: Int, in world: Simulation, plan: SimulationPlan) {
        self.number = number
        self.world = world
        lane = world.agenda.newLane()
        generator = SeededGenerator(seed: plan.seed, 20, number)
        fate = SeededGenerator(seed: plan.seed, 21, number)
        actionsLeft = plan.actions
        mode = generator.pick([.plain, .plain, .stream, .local])
        wantsSnapshots = generator.chance(80)
        let count = mode == .plain ? 1 + generator.below(3) : 1
        for index in 0..<count { views.append(makeView(index, plan)) }
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

    func hand(of view: String) -> ViewHand {
        ViewHand(
            view: view, mode: mode, after: seq,
            silenceMs: Double(world.plan.limits.gestureSilenceMs))
    }

    /// Who it is, where it is asked.
    var subject: String? { world.plan.asksWho ? "client \(number)" : nil }

    /// Its own clock, milliseconds.
    var t: Double { world.agenda.now.milliseconds - 500 }

    /// The connection that it speaks on.
    var connection: SimulatedConnection? {
        switch link {
        case .offline, .gone: nil
        case .greeting(let connection), .open(let connection): connection
        }
    }

    func after(_ milliseconds: Double, _ deed: @escaping (SimulatedClient) -> Void) {
        world.agenda.after(milliseconds, lane: lane) { [self] in deed(self) }
    }

    func index(of view: String) -> Int? { views.firstIndex { $0.name == view } }

    func fail(_ what: String) { world.fail("client \(number): \(what)") }

    // MARK: Saying

    /// Says what it has to about a view, and keeps what it may have to say again.
    func say(_ message: JSONValue, viewAt index: Int) {
        send(views[index].hand.say(message, at: t, seq: &seq))
    }

    func send(_ messages: [JSONValue]) {
        guard !messages.isEmpty else { return }
        outbox.note(messages)
        // What is said behind `hello` waits for its answer with the daemon.
        guard let connection, hasGreeted else { return }
        put(messages, on: connection)
        // A mistake that must change nothing: what was said before comes once more.
        if mode == .plain, let before, generator.chance(4) {
            world.count("said", "once more")
            put([before], on: connection)
        }
        before = messages.last
    }

    func put(_ messages: [JSONValue], on connection: SimulatedConnection) {
        sent = messages.reduce(sent) { max($0, Int($1["seq"]?.number ?? 0)) }
        let text = messages.count == 1 ? messages[0].text : JSONValue.array(messages).text
        let frame = Array(text.utf8)
        world.note(frame, of: number, up: true)
        connection.send(frame)
    }

    /// The network goes, or the user.
    func hangUp() {
        guard let connection else { return }
        giveUp(connection)
    }

    func askForSnapshot() {
        guard wantsSnapshots, world.plan.givesSnapshots, case .open(let connection) = link
        else { return }
        put([.object([.init("type", .string("snapshot"))])], on: connection)
    }

    /// It leaves for good.
    func leave() {
        wantsGone = true
        if case .open(let connection) = link {
            put([.object([.init("type", .string("bye"))])], on: connection)
        }
    }
}
