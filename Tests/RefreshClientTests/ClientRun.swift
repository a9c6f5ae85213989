import RefreshBroker
import RefreshProtocol

@testable import RefreshClient

/// A client and a daemon on one simulated clock. The line between them takes no time, and can be
/// cut.
struct ClientRun {
    /// What a view shows, without what only the daemon knows.
    struct Picture: Hashable {
        var edges: [String]
        var insets: [String]
        var offset: Double
        var floor: FloorState

        init(_ view: ViewState) {
            edges = view.edges.map { edge, shown in
                let progress = shown.progress.map { "\($0)" } ?? ""
                return "\(edge) \(shown.state) \(progress) \(shown.indicator)"
            }.sorted()
            insets = view.insets.map { "\($0) \($1.target)" }.sorted()
            offset = view.offset.target
            floor = view.floor
        }
    }

    private(set) var machine: ClientMachine
    private(set) var daemon: TestDaemon
    private(set) var now = 1000.0
    private(set) var events: [ClientEvent] = []
    /// The largest distance by which a shown value has jumped when a connection came back.
    private(set) var largestJump = 0.0
    private(set) var connectionCount = 0
    /// The number of received `items` messages with each mode.
    private(set) var itemModes: [String: Int] = [:]
    /// Whether `sentTypes` has the frames of the client.
    var recordsFrames = false
    /// Sees what the daemon receives and answers.
    var observer: MessageLedger?
    /// Whether the next frame that has other messages behind `hello` is refused as a whole.
    var refusesNextHello = false
    /// Whether the frames of the daemon are lost on their way.
    var isDeaf = false
    /// The items that were shown after each frame of the daemon, if they had changed.
    private(set) var shownLists: [[JSONValue]] = []
    /// Whether the frames of the daemon wait on their way until `release`.
    var holdsFrames = false
    /// The types of the messages in each sent frame.
    private(set) var sentTypes: [[String]] = []
    /// The time at which a connection came back after the daemon had begun or cancelled a load
    /// without it; nil if the daemon has not done this.
    private(set) var actedAloneAt: Double?
    /// The times at which a session was there again.
    private(set) var returns: [Double] = []
    private var loadChangeCountAtCut = 0
    private var line: TestDaemon.Line?
    private var isLineUp = true
    private var isStalled = false
    private var random: any RandomNumberGenerator

    init(
        _ configuration: ClientConfiguration, daemon: TestDaemon, random: any RandomNumberGenerator
    ) {
        machine = ClientMachine(configuration)
        self.daemon = daemon
        self.random = random
    }

    var view: ViewState { machine.state.views["list"] ?? ViewState() }
    var picture: Picture { Picture(view) }
    var status: ConnectionStatus { machine.state.status }

    // MARK: The client

    mutating func connect() { perform(machine.connect()) }

    mutating func send(_ message: JSONValue) { perform(machine.perform([message], at: now)) }

    mutating func send(_ text: String) {
        if let message = try? JSONValue(parsing: text) { send(message) }
    }

    mutating func change(_ body: (inout ClientMachine, _ now: Double) -> [ClientMachine.Effect]) {
        perform(body(&machine, now))
    }

    private mutating func perform(_ effects: [ClientMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .dial: dial()
            case .send(let text):
                if recordsFrames {
                    sentTypes.append(Self.messages(text).map { $0["type"]?.string ?? "" })
                }
                if let line, !isStalled { pass(text, on: line) }
            case .cut: loseConnection()
            case .close: closeConnection()
            case .emit(let event): events.append(event)
            }
        }
        deliver()
    }

    /// Passes a frame of the client to the daemon, or refuses it in the place of the daemon.
    private mutating func pass(_ text: String, on line: TestDaemon.Line) {
        let messages = Self.messages(text)
        if refusesNextHello, messages.count > 1, messages[0]["type"]?.string == "hello" {
            refusesNextHello = false
            observer?.refuse(messages)
            return line.refuseFrame()
        }
        let count = line.frames.count
        daemon.receive(text, on: line)
        let answers = line.frames.dropFirst(count).flatMap { Self.messages($0) }
        observer?.received(messages, answers: answers)
    }

    private static func messages(_ frame: String) -> [JSONValue] {
        guard let value = try? JSONValue(parsing: frame, limits: .frameOfDaemon) else { return [] }
        return value.array ?? [value]
    }

    private mutating func dial() {
        guard isLineUp else {
            return perform(machine.ended(code: 1006, at: now, random: &random))
        }
        if connectionCount > 0, daemon.loadChangeCount != loadChangeCountAtCut {
            actedAloneAt = actedAloneAt ?? now
        }
        line = daemon.connect()
        observer?.connected()
        connectionCount += 1
        perform(machine.opened(at: now))
    }

    private mutating func deliver() {
        while let line, !holdsFrames, !line.frames.isEmpty {
            for frame in line.takeFrames() where !isDeaf {
                for message in Self.messages(frame) where message["type"]?.string == "items" {
                    itemModes[message["mode"]?.string ?? "", default: 0] += 1
                }
                let before = (machine.state, status)
                let effects = machine.received(frame, at: now)
                if shownLists.last != view.items { shownLists.append(view.items) }
                if before.1 != .open, status == .open {
                    measureJump(from: before.0)
                    returns.append(now)
                }
                perform(effects)
            }
        }
        if let line, let code = line.closed {
            self.line = nil
            let received = isDeaf ? 1006 : Int(code.rawValue)
            perform(machine.ended(code: received, at: now, random: &random))
        }
    }

    private mutating func measureJump(from state: ClientState) {
        guard let before = state.views["list"] else { return }
        let after = view
        largestJump = max(
            largestJump, abs(after.offset.value(at: now) - before.offset.value(at: now)))
        for (edge, inset) in before.insets {
            let present = after.insets[edge]?.value(at: now) ?? 0
            largestJump = max(largestJump, abs(present - inset.value(at: now)))
        }
        for (edge, shown) in before.edges {
            guard let present = after.edges[edge] else { continue }
            let (old, new) = (shown.indicator(at: now), present.indicator(at: now))
            largestJump = max(
                largestJump, abs(old.alpha - new.alpha), abs(old.scale - new.scale))
        }
    }

    // MARK: The line and the time

    /// The client closes the connection, so that its end is not reported.
    private mutating func closeConnection() {
        guard let line else { return }
        isStalled = false
        daemon.cut(line)
        loadChangeCountAtCut = daemon.loadChangeCount
        self.line = nil
    }

    private mutating func loseConnection() {
        guard line != nil else { return }
        closeConnection()
        perform(machine.ended(code: 1006, at: now, random: &random))
    }

    /// The messages of the client are lost from now on, and it does not notice this until `cut`.
    mutating func stall() { isStalled = true }

    /// Cuts the line. Connections fail until `mend`.
    mutating func cut() {
        isLineUp = false
        isStalled = false
        loseConnection()
    }

    mutating func mend() { isLineUp = true }

    /// Mends the line, and lets the time pass until there is a session again, at most a minute.
    mutating func reconnect() {
        mend()
        let end = now + 60_000
        while status != .open, now < end { advance(to: now + 100) }
    }

    /// Lets the time pass, and handles what is due on the way.
    mutating func advance(to time: Double) {
        while true {
            let due = [machine.nextDeadline, daemon.nextDeadline?.milliseconds]
                .compactMap { $0 }.min()
            guard let due, due <= time else { break }
            now = max(now, due)
            daemon.now = Instant(milliseconds: now)
            daemon.wake()
            deliver()
            perform(machine.timePassed(at: now))
        }
        now = max(now, time)
        daemon.now = Instant(milliseconds: now)
    }

    mutating func answerLoad(count: Int = 16) {
        daemon.answer(count: count)
        deliver()
    }

    mutating func answerLoad(_ items: [String]) {
        daemon.answer(items)
        deliver()
    }

    mutating func answerRows(total: Int? = 10_000) {
        daemon.answerRows(total: total)
        deliver()
    }

    /// Makes an edit, and returns its name.
    @discardableResult
    mutating func edit(
        _ operation: EditOperation, delayMs: Int = 0, id: String? = nil
    ) throws -> String {
        let (id, effects) = try machine.edit(
            "list", operation, delayMs: delayMs, id: id, at: now, random: &random)
        perform(effects)
        return id
    }

    mutating func undo(_ id: String) { perform(machine.undo("list", id, at: now)) }

    mutating func answerEdit(_ outcome: EditOutcome = .confirmed) {
        daemon.answerEdit(outcome)
        deliver()
    }

    mutating func report(_ operations: [ItemOperation]) {
        daemon.report(operations)
        deliver()
    }

    /// The daemon crashes, and another one is started. Without its keys, it cannot read snapshots.
    /// The line is cut.
    mutating func restartDaemon(keepsKeys: Bool = true) {
        cut()
        daemon = daemon.successor(keepsKeys: keepsKeys)
    }

    /// The process of the app ends, and a later one continues with the saved state, and with this
    /// configuration.
    mutating func restartApp(_ configuration: ClientConfiguration) {
        let state = machine.savedState
        closeConnection()
        machine = ClientMachine(configuration, savedState: state)
        largestJump = 0
    }

    /// Delivers the frames that wait.
    mutating func release() {
        holdsFrames = false
        deliver()
    }

    /// Passes a text to the client as a frame of the daemon.
    mutating func inject(_ text: String) { perform(machine.received(text, at: now)) }
}
