internal import RefreshBroker
package import RefreshProtocol

/// One connection of a scenario's client and its state: the sequence numbers, the received
/// messages, and the states of views.
package struct ScenarioRun {
    let peer: any Peer
    private let memory: ScenarioMemory
    private let start: Instant
    private var exchanges: [Exchange] = []

    // State for sending.
    private var sequence = 0
    /// For each view, the position of the finger, or of the list if no finger is down.
    var fingers: [String: Finger] = [:]
    /// If this is n, each n-th sample is sent after the frame that should follow it. If this is
    /// nil, samples are not reordered.
    var reorderInterval: Int? { didSet { samplesInRow = 0 } }
    private var samplesInRow = 0
    /// The frame that is sent only after the next frame.
    private var delayedFrame: String?
    /// The random generator of the client's gestures.
    var random: SeededRandom

    // State from received messages.
    /// All messages that this connection has received, in order.
    private(set) var messages: [ReceivedMessage] = []
    /// The number of messages that are marked as read.
    private(set) var readCount = 0
    private var frames = 0
    /// The accumulated state of each view.
    private(set) var states: [String: JSONValue] = [:]
    /// The id of the last load requested for each view.
    private var loads: [String: JSONValue] = [:]
    private var lastLoad: JSONValue?
    /// The state for `resume`: the values of the last `welcome` and of later messages.
    private(set) var resumeState = ResumeState()
    private(set) var closeEvent: CloseEvent?
    var isCloseExpected = false

    // State for synchronization with the daemon.
    private var isWelcomed = false
    private var markers = 0
    private var awaitedMarker: Double?

    /// How the daemon closed the connection.
    struct CloseEvent {
        var code: UInt16?
        var reason: String
    }

    package init(peer: any Peer, in memory: ScenarioMemory = ScenarioMemory()) {
        self.peer = peer
        self.memory = memory
        start = memory.start ?? peer.now
        memory.start = start
        random = SeededRandom(seed: memory.seed)
    }

    /// Creates the run of the same client on another connection. The numbering, the variables and
    /// the positions of fingers are kept.
    package init(peer: any Peer, continuing other: ScenarioRun) {
        self.peer = peer
        memory = other.memory
        start = other.start
        sequence = other.sequence
        fingers = other.fingers
        reorderInterval = other.reorderInterval
        random = other.random
        lastLoad = other.lastLoad
        resumeState = other.resumeState
    }

    /// The values of variables. All clients of a scenario share them, but each client has its own
    /// `load`.
    package var variables: [String: JSONValue] {
        get {
            guard let lastLoad else { return memory.variables }
            var variables = memory.variables
            variables["load"] = lastLoad
            return variables
        }
        nonmutating set { memory.variables = newValue }
    }

    /// Records that a random value was drawn.
    func recordRandomDraw() { memory.hasDrawnRandom = true }

    var now: Instant { peer.now }

    func now(plus milliseconds: Double) -> Instant {
        peer.now.advanced(byMilliseconds: milliseconds)
    }

    /// Returns the frames sent and received since the last call.
    package mutating func drainExchanges() -> [Exchange] {
        defer { exchanges = [] }
        return exchanges
    }

    /// Marks all messages received so far as read.
    mutating func markAllRead() { readCount = messages.count }

    /// Marks messages as matched by an expectation, and all messages before index `end` as read.
    mutating func markMatched(_ indices: [Int], readingUpTo end: Int) {
        for index in indices { messages[index].isMatched = true }
        readCount = max(readCount, end)
    }

    private mutating func record(_ side: Exchange.Side, _ text: String) {
        let afterMs = peer.now.milliseconds(since: start)
        exchanges.append(Exchange(side: side, afterMs: afterMs, text: text))
    }
}

// MARK: - Sending

extension ScenarioRun {
    /// Sends messages, with sequence numbers, in one frame. If `asBatch` is true, even a single
    /// message is sent as an array. The frame is delayed by `lateMs` milliseconds.
    mutating func send(
        _ patterns: [Pattern], asBatch: Bool, lateMs: Double = 0
    ) async throws(StepFailure) {
        try await sendText(text(of: patterns, asBatch: asBatch), lateMs: lateMs)
    }

    private mutating func text(
        of patterns: [Pattern], asBatch: Bool
    ) throws(StepFailure) -> String {
        var messages: [JSONValue] = []
        for pattern in patterns {
            messages.append(try completedMessage(try resolvedValue(of: pattern)))
        }
        return asBatch ? JSONValue.array(messages).text : messages[0].text
    }

    mutating func sendText(_ text: String, lateMs: Double = 0) async throws(StepFailure) {
        record(.client, text)
        guard lateMs > 0 else { return try await transmit(text) }
        if let closeEvent { throw closeEvent.failure(expected: "an open connection") }
        do {
            try await peer.send(text, lateMs: lateMs)
        } catch {
            throw StepFailure(expected: "an open connection", came: error.message)
        }
    }

    /// Sends a sample. A sample that must arrive after the next frame is sent only after that
    /// frame.
    mutating func send(_ sample: FingerSample) async throws(StepFailure) {
        let message = sample.message(clockMs: now.milliseconds)
        let isOnTheWay = sample.phase == .dragging || sample.phase == .decelerating
        guard isOnTheWay, let every = reorderInterval else {
            return try await send([message], asBatch: false)
        }
        samplesInRow += 1
        guard samplesInRow % every == 0, delayedFrame == nil else {
            return try await send([message], asBatch: false)
        }
        let text = try text(of: [message], asBatch: false)
        record(.client, text)
        delayedFrame = text
    }

    /// Sends the same frame `count` times, or until the connection rejects it. The report has one
    /// line for all these frames.
    package mutating func flood(_ text: String, count: Int) async throws(StepFailure) {
        record(.client, "\(count) times \(text.prefix(80))")
        for _ in 0..<count {
            do {
                try await peer.send(text)
            } catch {
                return
            }
        }
    }

    /// Simulates an event from the backend of a feed.
    func simulate(_ word: FeedEvent, ofFeed feed: String) throws(StepFailure) {
        do {
            try peer.simulate(word, ofFeed: feed)
        } catch {
            throw StepFailure(expected: "a feed that can be scripted", came: error.message)
        }
    }

    /// Cuts the connection on the client's side.
    mutating func dropConnection() async {
        await peer.cut()
        closeEvent = CloseEvent(code: nil, reason: "the client dropped the connection")
        isCloseExpected = true
        delayedFrame = nil
    }

    private mutating func transmit(_ text: String) async throws(StepFailure) {
        if let closeEvent { throw closeEvent.failure(expected: "an open connection") }
        do {
            try await peer.send(text)
            if let behind = delayedFrame {
                delayedFrame = nil
                try await peer.send(behind)
            }
        } catch {
            throw StepFailure(expected: "an open connection", came: error.message)
        }
    }

    /// Adds the members that the protocol requires and a scenario may omit.
    private mutating func completedMessage(_ message: JSONValue) throws(StepFailure) -> JSONValue {
        guard case .object(var members) = message else { return message }
        let type = message["type"]?.string ?? ""
        if let given = message["seq"] {
            sequence = max(sequence, given.number.flatMap { Int(exactly: $0) } ?? 0)
        } else if !["hello", "ping", "bye"].contains(type) {
            sequence += 1
            let sequenceMember = JSONValue.Member("seq", .number(Double(sequence)))
            members.insert(sequenceMember, at: min(1, members.count))
        }
        var result = JSONValue.object(members)
        if type == "hello" {
            if result["protocol"] == nil { result["protocol"] = .number(1) }
            if result["client"] == nil { result["client"] = .string("scenario") }
        }
        if ["loadBegan", "loadProgress", "loadFinished"].contains(type), result["load"] == nil {
            guard let load = loads[result["view"]?.string ?? ""] else {
                throw StepFailure(
                    expected: "a `load` message to answer", came: "none for this view so far")
            }
            result["load"] = load
        }
        return result
    }

    /// Returns the value for a pattern without wildcards.
    func resolvedValue(of pattern: Pattern) throws(StepFailure) -> JSONValue {
        switch pattern {
        case .value(let value): return value
        case .sum(let amount):
            do throws(Amount.NoNumber) {
                return .number(try amount.number(in: variables))
            } catch {
                throw StepFailure(expected: "a number", came: "\(error)")
            }
        case .variable(let name):
            if let value = variables[name] { return value }
            throw StepFailure(expected: "a value in $\(name)", came: "nothing yet")
        case .array(let elements, _):
            var values: [JSONValue] = []
            for element in elements { values.append(try resolvedValue(of: element)) }
            return .array(values)
        case .object(let fields):
            var members: [JSONValue.Member] = []
            for field in fields {
                members.append(JSONValue.Member(field.name, try resolvedValue(of: field.pattern)))
            }
            return .object(members)
        case .near, .compared, .like, .anything, .absent, .capture, .length, .either:
            throw StepFailure(expected: "a value to send", came: pattern.description)
        }
    }
}

// MARK: - Receiving

extension ScenarioRun {
    /// Receives the next event. Returns false if there is none in time, or if the connection is
    /// closed.
    mutating func receive(until deadline: Instant) async throws(StepFailure) -> Bool {
        guard closeEvent == nil else { return false }
        let event: PeerEvent?
        do {
            event = try await peer.receive(until: deadline)
        } catch {
            throw StepFailure(expected: "a connection", came: error.message)
        }
        switch event {
        case nil: return false
        case .closed(let code, let reason):
            let closure = CloseEvent(code: code, reason: reason)
            self.closeEvent = closure
            record(.daemon, closure.description)
        case .frame(let text): try handleFrame(text)
        }
        return true
    }

    /// Sends a `ping` that the report hides, and waits for its answer. When the answer arrives, the
    /// daemon has handled all earlier frames.
    mutating func synchronise(by limit: Instant = .never) async throws(StepFailure) {
        await sendMarker(beforeWelcome: true)
        let deadline = min(now(plus: Expectation.defaultTimeoutMs), limit)
        var isOver = false
        while try !isMarkerAnswered(isOver: isOver || closeEvent != nil) {
            isOver = try await !receive(until: deadline)
        }
    }

    /// Sends a `ping` that the report hides. Its answer shows that all earlier frames were handled.
    /// Without a connection, nothing is sent. Before `welcome`, the `ping` is sent only if
    /// `beforeWelcome` is true, because a step that waits for an effect of `hello` must not wait
    /// for a `pong`.
    mutating func sendMarker(beforeWelcome: Bool = false) async {
        guard isWelcomed || beforeWelcome, closeEvent == nil else { return }
        markers += 1
        // No `t` in a scenario has this fraction, so the marker cannot be confused with a `ping` of
        // the scenario.
        let marker = Double(markers) + 0.015625
        awaitedMarker = marker
        // An error of the connection is ignored. The unread messages that arrived before the
        // connection was closed explain the failure better.
        try? await transmit("{\"type\":\"ping\",\"t\":\(marker)}")
    }

    /// Sends the delayed frame, if there is one. Then waits until no frame or event is in transit,
    /// in either direction.
    mutating func flushInTransit(by limit: Instant) async throws(StepFailure) {
        if closeEvent == nil, let behind = delayedFrame {
            delayedFrame = nil
            try await transmit(behind)
        }
        while closeEvent == nil, now < limit, let due = peer.nextDue {
            _ = try await receive(until: min(max(due, now), limit))
        }
    }

    /// Returns true if the answer to the hidden `ping` has arrived, or if no answer is expected.
    /// `isOver` is true if no more events can arrive before the deadline.
    func isMarkerAnswered(isOver: Bool) throws(StepFailure) -> Bool {
        if awaitedMarker == nil || closeEvent != nil { return true }
        if isOver { throw StepFailure(expected: "an answer to a `ping`", came: "nothing") }
        return false
    }

    private mutating func handleFrame(_ text: String) throws(StepFailure) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text)
        } catch {
            record(.daemon, text)
            throw StepFailure(expected: "a frame that is valid JSON", came: "\(text) (\(error))")
        }
        frames += 1
        guard case .array(let elements) = value else {
            handleMessage(value)
            return
        }
        for element in elements { handleMessage(element) }
    }

    private mutating func handleMessage(_ value: JSONValue) {
        let message = ReceivedMessage(value: value, frame: frames)
        if message.type == "pong", let marker = awaitedMarker, value["t"]?.number == marker {
            awaitedMarker = nil
            return
        }
        record(.daemon, value.text)
        messages.append(message)
        resumeState.update(from: value)
        switch message.type {
        case "welcome": isWelcomed = true
        case "load":
            lastLoad = value["load"]
            if let view = message.view { loads[view] = value["load"] }
        case "attached":
            if let view = message.view { states[view] = value }
        case "update":
            if let view = message.view { merge(value, into: view) }
        default: break
        }
    }

    private static let mergedFields: Set = ["top", "bottom", "leading", "trailing", "inset"]

    /// Merges an `update` into the state of a view. Edges and the inset are merged field by field,
    /// and all other fields are replaced.
    private mutating func merge(_ update: JSONValue, into view: String) {
        var state = states[view] ?? .object([])
        guard case .object(let members) = update else { return }
        for member in members where !["type", "view", "haptic", "announce"].contains(member.name) {
            let isMerged = Self.mergedFields.contains(member.name)
            let value = isMerged ? state[member.name] : nil
            state[member.name] = value.map { $0.merged(with: member.value) } ?? member.value
        }
        states[view] = state
    }
}

extension ScenarioRun.CloseEvent: CustomStringConvertible {
    var description: String {
        let code = code.map { String($0) } ?? "without a code"
        return "close \(code)" + (reason.isEmpty ? "" : " \(reason)")
    }

    func failure(expected: String) -> StepFailure {
        StepFailure(expected: expected, came: description)
    }
}
