import RefreshProtocol

/// The logic of a client as a value: it has no clock, no task and no connection. Its caller passes
/// what happens, with the time in milliseconds, and performs the effects in order. When
/// `nextDeadline` has come, the caller calls `timePassed`.
package struct ClientMachine: Sendable {
    /// One action for the caller.
    package enum Effect: Hashable, Sendable {
        /// Open a connection. The caller reports the result by `opened` or `ended`.
        case dial
        /// Send a text message.
        case send(String)
        /// End the connection without a close frame, and report `ended`.
        case cut
        /// Close the connection.
        case close
        /// Pass an event to the app.
        case emit(ClientEvent)
    }

    enum Phase: Hashable, Sendable {
        case idle, dialing, greeting, open
        case waiting(until: Double)
        case suspended, refused, closed
    }

    let configuration: ClientConfiguration
    /// The token for the next `hello`; nil if the daemon needs none.
    package var token: String?
    var phase = Phase.idle
    var link = SessionLink()
    var views: [ViewMachine] = []
    /// The number of connections in a row that did not last.
    private var attempt = 0
    var openedAt = 0.0
    var welcomedAt: Double?
    /// When the last session lost its connection; nil while there is a session, and before the
    /// first one.
    var lostAt: Double?
    var lastSentAt = 0.0
    var pingSentAt: Double?
    /// When the first message was sent since the last frame of the daemon; nil if none was sent.
    private var unansweredSince: Double?
    /// Whether a frame of the daemon was damaged: what follows on this connection is ignored.
    private var isDamaged = false
    /// The views, and the last number, in the frame of the last `hello`. The number is 0 if no
    /// message followed `hello`.
    var greetedViews: Set<String> = []
    var greetedSeq: UInt64 = 0
    /// The last number before the last `hello`.
    var helloSeq: UInt64 = 0
    /// The views that were attached or detached since the last `hello`. Their messages wait for
    /// `welcome`.
    var lateChanges: [LateChange] = []
    /// The names whose earlier views the session may still have, and the number of the `detach`
    /// that was sent for each; `.max`: none was sent. A `hello` that resumes leaves out such a
    /// name, so that a new view does not continue the earlier one.
    var goneViews: [String: UInt64] = [:]
    /// Whether the next `hello` is sent without other messages, because the daemon has refused it
    /// with them.
    var isHelloAlone = false
    /// Whether the messages that waited for `welcome` were sent.
    var isFlushed = false
    /// Whether the session of this connection was resumed.
    var isBack = false
    /// The number that the daemon must have handled before its values are shown; nil: they are
    /// shown already, or there is no session.
    var adoptionSeq: UInt64?
    /// By view, the queries that the daemon has not handled yet.
    var queries: [String: PendingQueries] = [:]

    /// The events that have happened before the first call of `connect`.
    var waitingEffects: [Effect] = []
    /// Why the daemon refuses the client; nil if it does not.
    var refusal: String?

    /// Milliseconds after which an unanswered `ping` or `hello` ends the connection.
    static let pongMs = 5000.0
    static let helloMs = 10_000.0
    /// Milliseconds after `welcome` after which the next connection counts as the first again.
    static let healthyMs = 5000.0
    /// The interval at which the sample of a resting finger is repeated, in milliseconds.
    static let touchMs = 1500.0

    /// Creates a client that has not connected yet. `savedState` is what `saveState` of an earlier
    /// process has returned; a text that cannot be read counts as nil.
    package init(_ configuration: ClientConfiguration, savedState: String? = nil) {
        self.configuration = configuration
        let saved = savedState.flatMap { SavedState($0) }
        if let saved { link = SessionLink(saved) }
        for view in configuration.views { waitingEffects += add(view.body) }
        if let saved { continueViews(of: saved) }
        if link.resume == nil { reportRows(at: 0) }
        for message in firstMessages where !isSaved(message, in: saved) {
            // The app receives the cues of the first loads from the daemon.
            waitingEffects += keep(message, at: 0).effects.filter { effect in
                if case .emit(.loadFailed) = effect { return true }
                return false
            }
        }
    }

    /// The messages with which each new session begins.
    var firstMessages: [JSONValue] {
        configuration.firstMessages.filter { message in
            views.contains { $0.name == message["view"]?.string }
        }
    }

    /// What the client shows.
    package var state: ClientState {
        var state = ClientState()
        state.status = status
        state.refusal = phase == .refused ? refusal : nil
        state.features = usedFeatures
        for view in views { state.views[view.name] = view.shown }
        return state
    }

    private var status: ConnectionStatus {
        switch phase {
        case .open: .open
        case .refused: .refused
        case .closed: .closed
        case .suspended: .suspended
        case .idle, .dialing, .greeting, .waiting: link.wasWelcomed ? .lost : .connecting
        }
    }

    /// Whether the daemon treats this client as one with features.
    var hasFeatures: Bool { configuration.features != nil && link.served != nil }
    var usedFeatures: Set<String> {
        (link.served ?? []).intersection(configuration.features ?? [])
    }

    func viewIndex(_ name: String?) -> Int? { views.firstIndex { $0.name == name } }

    /// The time at which `timePassed` must be called, in milliseconds; nil: never.
    package var nextDeadline: Double? {
        var times = views.compactMap(\.nextDeadline)
        times += views.compactMap { $0.touchedAt.map { $0 + Self.touchMs } }
        switch phase {
        case .waiting(let until): times.append(until)
        case .greeting: times.append(openedAt + Self.helloMs)
        case .open:
            times.append(pingDue)
            if let pingSentAt { times.append(pingSentAt + Self.pongMs) }
        case .idle, .dialing, .suspended, .refused, .closed: break
        }
        return times.min()
    }

    // MARK: Connections

    /// Connects, if the client is not connected and may connect. In the background it may not:
    /// `resume` connects.
    package mutating func connect() -> [Effect] {
        switch phase {
        case .idle, .waiting:
            phase = .dialing
            defer { waitingEffects = [] }
            return waitingEffects + [.dial]
        case .dialing, .greeting, .open, .suspended, .refused, .closed: return []
        }
    }

    mutating func send(_ text: String, at now: Double) -> [Effect] {
        lastSentAt = now
        unansweredSince = unansweredSince ?? now
        return [.send(text)]
    }

    /// The connection has ended with this close code, or could not be opened (1006). `random`
    /// spreads the times at which clients connect again.
    package mutating func ended(
        code: Int, at now: Double, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        for index in views.indices { views[index].takeOver(ack: link.ack, at: now) }
        adoptionSeq = nil
        beginSilence()
        if phase == .open { lostAt = now }
        guard phase == .dialing || phase == .greeting || phase == .open else { return [] }
        if link.wasWelcomed, link.resume == nil { link.reset() }
        guard code != 1007, code != 1009, !(4000..<4100).contains(code) else {
            phase = .refused
            refusal = refusal ?? "The daemon has closed the connection with the code \(code)."
            return []
        }
        let isHealthy = welcomedAt.map { now - $0 >= Self.healthyMs } ?? false
        attempt = isHealthy ? 1 : attempt + 1
        welcomedAt = nil
        let isAtOnce = (4200..<4300).contains(code) && attempt == 1
        let longest = min(1000 * Double(1 << min(attempt - 1, 10)), 30_000)
        let wait = isAtOnce ? 0 : Double.random(in: longest / 10...longest, using: &random)
        phase = .waiting(until: now + wait)
        return []
    }

    /// Handles what is due.
    package mutating func timePassed(at now: Double) -> [Effect] {
        var effects: [Effect] = []
        for index in views.indices {
            effects += react(views[index].advance(to: now))
            if let touched = views[index].touchedAt, touched + Self.touchMs <= now,
                let sample = views[index].repeatTouch(at: now)
            {
                effects += perform([sample], at: now)
            }
        }
        switch phase {
        case .waiting(let until) where until <= now: effects += connect()
        case .greeting where openedAt + Self.helloMs <= now: effects.append(.cut)
        case .open: effects += checkLiveness(at: now)
        default: break
        }
        return effects
    }

    private mutating func checkLiveness(at now: Double) -> [Effect] {
        if let pingSentAt, pingSentAt + Self.pongMs <= now {
            self.pingSentAt = nil
            return [.cut]
        }
        return pingDue <= now ? ping(at: now) : []
    }

    /// When the next `ping` is due, in milliseconds. A dead line is noticed soon after the client
    /// has sent something, although the daemon need not answer samples.
    private var pingDue: Double {
        let idle = lastSentAt + link.heartbeat
        guard pingSentAt == nil, let unansweredSince else { return idle }
        return min(idle, unansweredSince + Self.pongMs)
    }

    /// Nothing was sent or received on the connection yet.
    mutating func beginSilence() {
        pingSentAt = nil
        unansweredSince = nil
        isDamaged = false
    }

    mutating func ping(at now: Double) -> [Effect] {
        pingSentAt = pingSentAt ?? now
        return send(#"{"type":"ping","t":\#(JSONValue.number(now).text)}"#, at: now)
    }

    // MARK: Messages of the daemon

    /// A text message has arrived. If it is damaged, something of the session is lost: the client
    /// then ends the connection, and resumes.
    package mutating func received(_ text: String, at now: Double) -> [Effect] {
        guard phase == .greeting || phase == .open, !isDamaged else { return [] }
        guard let messages = Self.messages(in: text) else {
            isDamaged = true
            let reason = "A frame of the daemon is not a JSON object or an array of objects."
            return [.emit(.connectionFailed(reason: reason)), .cut]
        }
        unansweredSince = nil
        var effects: [Effect] = []
        let wasOpen = phase == .open
        for message in messages where phase == .greeting || phase == .open {
            effects += handle(message, at: now)
        }
        guard phase == .open else { return effects }
        if !wasOpen {
            if !isBack { restateQueries(at: now) }
            effects += flush(at: now)
        }
        settle()
        if link.shouldReplaceSnapshot(for: Set(views.map(\.name))) {
            effects += send(Self.snapshotRequest, at: now)
        }
        effects += requestLists(at: now)
        effects += sendEdits(at: now)
        // Without a number, a view was attached later.
        guard adoptionSeq.map({ link.ack >= $0 }) ?? true else { return effects }
        let requests = requestMissingLoads(at: now)
        adoptionSeq = requests.isEmpty ? nil : link.seq
        guard requests.isEmpty else { return effects + requests }
        for index in views.indices { views[index].adopt(at: now) }
        return effects
    }

    /// The messages of a frame; nil if it is damaged.
    private static func messages(in text: String) -> [JSONValue]? {
        guard let frame = try? JSONValue(parsing: text, limits: .frameOfDaemon) else { return nil }
        let messages = frame.array ?? [frame]
        let areObjects = messages.allSatisfy { message in
            if case .object = message { true } else { false }
        }
        return areObjects ? messages : nil
    }

    /// Forgets what the daemon has confirmed.
    private mutating func settle() {
        goneViews = goneViews.filter { $0.value > link.ack }
        queries = queries.compactMapValues { $0.settled(upTo: link.ack) }
    }

    private mutating func handle(_ message: JSONValue, at now: Double) -> [Effect] {
        let wasWelcomed = link.wasWelcomed
        let lost = views.map(\.intents)
        let view = message["view"]?.string
        let isFault = message["type"]?.string == "error"
        if !isFault, let index = viewIndex(view), views[index].isOutdated(message) { return [] }
        link.handle(message, views: Set(views.map(\.name)), late: lateViews)
        switch message["type"]?.string {
        case "welcome": return welcome(message, wasWelcomed: wasWelcomed, lost: lost, at: now)
        case "pong": pingSentAt = nil
        case "draining":
            return [.emit(.draining(closesMs: message["closes"]?.number ?? 0))]
        case "error": return handleFault(message, at: now)
        case "diagnostic":
            return [
                .emit(
                    .diagnostic(
                        message["code"]?.string.flatMap(DiagnosticCode.init),
                        message: message["message"]?.string ?? "",
                        field: message["field"]?.string, view: view,
                        page: message["page"]?.string))
            ]
        default:
            guard let index = viewIndex(view) else { return [] }
            // Only the `attached` of a new view has the insets.
            let isKept = isBack && message["inset"] == nil
            return views[index].receive(message, isBack: isKept, at: now).map { .emit($0) }
        }
        return []
    }

    static func message(_ type: String, _ view: String) -> JSONValue {
        .object([.init("type", .string(type)), .init("view", .string(view))])
    }
}
