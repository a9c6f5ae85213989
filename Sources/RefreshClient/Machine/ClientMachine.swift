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
    private var openedAt = 0.0
    private var welcomedAt: Double?
    /// When the last session lost its connection; nil while there is a session, and before the
    /// first one.
    var lostAt: Double?
    var lastSentAt = 0.0
    private var pingSentAt: Double?
    /// The views, and the last number, in the frame of the last `hello`.
    var greetedViews: Set<String> = []
    var greetedSeq: UInt64 = 0
    /// The views that were attached or detached since the last `hello`. Their messages wait for
    /// `welcome`.
    var lateChanges: [LateChange] = []
    /// Whether the session of this connection was resumed.
    private var isBack = false
    /// The number that the daemon must have handled before its values are shown; nil: they are
    /// shown already, or there is no session.
    private var adoptionSeq: UInt64?
    /// By view, the number of the last query, and the body of the view before it.
    var queries: [String: (seq: UInt64, body: JSONValue)] = [:]

    /// The events that have happened before the first call of `connect`.
    private var waitingEffects: [Effect] = []
    /// Why the daemon refuses the client; nil if it does not.
    var refusal: String?

    /// Milliseconds after which an unanswered `ping` or `hello` ends the connection.
    static let pongMs = 5000.0
    static let helloMs = 10_000.0
    /// Milliseconds after `welcome` after which the next connection counts as the first again.
    static let healthyMs = 5000.0
    /// The interval at which the sample of a resting finger is repeated, in milliseconds.
    static let touchMs = 1500.0

    /// Creates a client that has not connected yet.
    package init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        for view in configuration.views { waitingEffects += add(view.body) }
        for message in firstMessages {
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
            times.append(lastSentAt + link.heartbeat)
            if let pingSentAt { times.append(pingSentAt + Self.pongMs) }
        case .idle, .dialing, .suspended, .refused, .closed: break
        }
        return times.min()
    }

    // MARK: Connections

    /// Connects, if the client is not connected and may connect.
    package mutating func connect() -> [Effect] {
        switch phase {
        case .idle, .waiting, .suspended:
            phase = .dialing
            defer { waitingEffects = [] }
            return waitingEffects + [.dial]
        case .dialing, .greeting, .open, .refused, .closed: return []
        }
    }

    /// The connection is open.
    package mutating func opened(at now: Double) -> [Effect] {
        guard phase == .dialing else { return [.cut] }
        phase = .greeting
        openedAt = now
        welcomedAt = nil
        pingSentAt = nil
        greetedViews = Set(views.filter { $0.flaw == nil }.map(\.name))
        lateChanges = []
        link.removeMessages { message in !greetedViews.contains(message["view"]?.string ?? "") }
        attachViewsAgain(at: now)
        let hello = self.hello
        if let lostAt, lostAt + link.gestureSilence <= now { settleGestures(at: now) }
        let kept = link.thinned()
        let frames = link.frames([hello] + kept.map(\.body))
        let count = frames[0].count - 1
        greetedSeq = count > 0 ? kept[count - 1].seq : 0
        return send(frames[0].text, at: now)
    }

    /// Drops the samples of gestures that the daemon has ended, because they would begin new ones.
    /// The requests that follow from them are sent, and where the list rests.
    private mutating func settleGestures(at now: Double) {
        for index in views.indices where views[index].touchedAt == nil {
            let name = views[index].name
            link.removeMessages { message in
                let type = message["type"]?.string
                return message["view"]?.string == name && (type == "scroll" || type == "pan")
            }
            for sample in views[index].rest { _ = keep(sample, at: now) }
        }
    }

    private var hello: JSONValue {
        var hello = JSONValue.object([
            .init("type", .string("hello")),
            .init("protocol", .number(Double(ProtocolVersion.current))),
            .init("client", .string(configuration.client)), .init("snapshots", .bool(true)),
        ])
        let resume = link.resume
        hello["views"] = .array(
            views.filter { $0.flaw == nil }.map { $0.description(resumes: resume != nil) })
        if configuration.diagnostics { hello["diagnostics"] = .bool(true) }
        hello["features"] = configuration.features.map { features in
            .array(features.filter { $0 != "patch" }.map { .string($0) })
        }
        if !configuration.headers.isEmpty {
            hello["headers"] = .object(
                configuration.headers.sorted { $0.key < $1.key }
                    .map { .init($0.key, .string($0.value)) })
        }
        hello["token"] = token.map { .string($0) }
        hello["resume"] = resume
        return hello
    }

    mutating func send(_ text: String, at now: Double) -> [Effect] {
        lastSentAt = now
        return [.send(text)]
    }

    /// The connection has ended with this close code, or could not be opened (1006). `random`
    /// spreads the times at which clients connect again.
    package mutating func ended(
        code: Int, at now: Double, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        for index in views.indices { views[index].takeOver(ack: link.ack, at: now) }
        adoptionSeq = nil
        pingSentAt = nil
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
        guard lastSentAt + link.heartbeat <= now else { return [] }
        return ping(at: now)
    }

    mutating func ping(at now: Double) -> [Effect] {
        pingSentAt = pingSentAt ?? now
        return send(#"{"type":"ping","t":\#(JSONValue.number(now).text)}"#, at: now)
    }

    // MARK: Messages of the daemon

    /// A text message has arrived.
    package mutating func received(_ text: String, at now: Double) -> [Effect] {
        guard phase == .greeting || phase == .open, let frame = try? JSONValue(parsing: text)
        else { return [] }
        var effects: [Effect] = []
        let wasOpen = phase == .open
        for message in frame.array ?? [frame] { effects += handle(message, at: now) }
        if phase == .open, !wasOpen { effects += flush(at: now) }
        // Without a number, a view was attached later.
        guard phase == .open, adoptionSeq.map({ link.ack >= $0 }) ?? true else { return effects }
        let requests = requestMissingLoads(at: now)
        adoptionSeq = requests.isEmpty ? nil : link.seq
        guard requests.isEmpty else { return effects + requests }
        for index in views.indices { views[index].adopt(at: now) }
        return effects
    }

    private mutating func handle(_ message: JSONValue, at now: Double) -> [Effect] {
        let wasWelcomed = link.wasWelcomed
        let lost = views.map(\.intents)
        link.handle(message, views: Set(views.map(\.name)), late: lateViews)
        let view = message["view"]?.string
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
            return views[index].receive(message, isBack: isBack, at: now).map { .emit($0) }
        }
        return []
    }

    private mutating func welcome(
        _ message: JSONValue, wasWelcomed: Bool, lost: [[LoadKind: ViewMachine.Intent]],
        at now: Double
    ) -> [Effect] {
        phase = .open
        welcomedAt = now
        lostAt = nil
        isBack = message["resumed"]?.bool == true
        var effects: [Effect] = []
        if wasWelcomed, !isBack {
            effects.append(.emit(.sessionLost(reason: message["reason"]?.string)))
            beginAnew(lost)
            for message in firstMessages where !isPullPending(message) {
                _ = keep(message, at: now)
            }
        }
        let usesQueries = usedFeatures.contains("query")
        let isKnown = hasFeatures
        link.removeMessages { message in
            switch message["type"]?.string {
            case "disappear": !isKnown
            case "configure": message["parameters"] != nil && !usesQueries
            default: false
            }
        }
        if !isBack, hasFeatures {
            // In a fresh session, each view counts as in sight.
            for index in views.indices where views[index].isCovered {
                _ = keep(Self.message("disappear", views[index].name), at: now)
            }
        }
        return effects
    }

    /// The session is lost: all views of `hello` begin anew. `lost`: the intents of each view.
    private mutating func beginAnew(_ lost: [[LoadKind: ViewMachine.Intent]]) {
        let late = lateViews
        for (index, intents) in zip(views.indices, lost)
        where !late.contains(views[index].name) {
            views[index].beginAnew()
            // The pull of a user is answered, although the list is a new one. The daemon may have
            // begun the load because of the samples that followed `hello`.
            guard var refresh = intents[.refresh] else { continue }
            refresh.isOffline = true
            refresh.isSent = false
            refresh.isAnswered = false
            refresh.seq = greetedSeq
            views[index].intents[.refresh] = refresh
        }
    }

    /// Whether a message requests the refresh that the pull of a user requests too.
    private func isPullPending(_ message: JSONValue) -> Bool {
        guard message["type"]?.string == "refresh",
            let index = viewIndex(message["view"]?.string)
        else { return false }
        return views[index].intents[.refresh]?.isOffline == true
    }

    /// Sends the messages that were not in the frame of `hello`.
    private mutating func flush(at now: Double) -> [Effect] {
        var effects: [Effect] = []
        let rest = link.thinned(after: max(greetedSeq, isBack ? link.ack : 0))
        // The daemon drops a message whose number is smaller than an earlier one.
        let late = lateChanges.compactMap { message(for: $0) }
        let messages = (late + rest.map(\.body)).sorted { one, other in
            (one["seq"]?.number ?? 0) < (other["seq"]?.number ?? 0)
        }
        lateChanges = []
        for frame in link.frames(messages) { effects += send(frame.text, at: now) }
        let isAnswered = link.ack >= greetedSeq
        adoptionSeq = rest.last.map { max($0.seq, greetedSeq) } ?? max(link.ack, greetedSeq)
        if !rest.isEmpty || !isAnswered { effects += ping(at: now) }
        return effects
    }

    static func message(_ type: String, _ view: String) -> JSONValue {
        .object([.init("type", .string(type)), .init("view", .string(view))])
    }
}
