import RefreshClient
import RefreshConfiguration
import RefreshProtocol
import RefreshServer

/// A client that shows and edits a live list: the production `ClientMachine` on an unreliable
/// network, with a user and a simulated screen. Source: docs/simulation.md, "Live lists".
final class LiveClient: SimulatedPeer {
    static let view = "list"

    let number: Int
    let lane: Int
    unowned let simulation: Simulation
    let plan: LivePlan
    var generator: SeededGenerator
    var faultGenerator: SeededGenerator
    var daemonIndex = 0
    private(set) var connections = 0
    private var connection: SimulatedConnection?
    private let configuration: ClientConfiguration
    private(set) var machine: ClientMachine
    private var wakes: Double?
    var actionsLeft: Int
    /// Whether the platform itself keeps the item in its place that the user sees.
    let keepsPlace: Bool
    var screen = LiveScreen()
    var finger: LiveFinger?
    /// The names of all edits, and the answers to them.
    private(set) var edits: [String] = []
    private(set) var answers: [String: [EditAnswer]] = [:]
    /// The last number of the client that the daemon has handled on this connection.
    private(set) var ack = 0
    var seq = 0
    /// Whether the user sees that the last refresh has failed.
    private(set) var showsFailure = false

    init(_ number: Int, in simulation: Simulation, plan: SimulationPlan, live: LivePlan) {
        self.number = number
        self.simulation = simulation
        self.plan = live
        lane = simulation.agenda.newLane()
        generator = SeededGenerator(seed: plan.seed, 20, number)
        faultGenerator = SeededGenerator(seed: plan.seed, 21, number)
        actionsLeft = plan.actions
        keepsPlace = generator.chance(30)
        configuration = ClientConfiguration(
            client: "live/\(number)", views: [Self.description(&generator)],
            features: ["query", "unread", "patch", "live", "edits"])
        machine = ClientMachine(configuration)
    }

    private static func description(_ generator: inout SeededGenerator) -> ViewDescription {
        let arrivals = generator.pick(["pill", "insert", "stick"])
        let changes = generator.pick(["cue", "cue", "cue", "silent"])
        let text = """
            {"view":"\(view)","profile":"default","feed":"\(LivePlan.feed)","initial":"load",\
            "top":{"arrivals":"\(arrivals)","changes":"\(changes)"},"geometry":{\
            "viewport":{"width":390,"height":\(LiveScreen.height)},\
            "content":{"width":390,"height":0}}}
            """
        return ViewDescription(body: (try? JSONValue(parsing: text)) ?? .null)
    }

    var now: Double { simulation.agenda.now.milliseconds }

    /// What the view shows.
    var shown: ViewState { machine.state.views[Self.view] ?? ViewState() }
    var isOpen: Bool { machine.state.status == .open }

    /// Whether the client has carried out all its actions.
    var isSettled: Bool { actionsLeft == 0 }

    func after(_ milliseconds: Double, _ action: @escaping (LiveClient) -> Void) {
        simulation.agenda.after(milliseconds, lane: lane) { [weak self] in
            if let self { action(self) }
        }
    }

    // MARK: The machine

    /// Lets the machine change, and performs its effects.
    func change(_ body: (inout ClientMachine) -> [ClientMachine.Effect]) {
        perform(body(&machine))
        scheduleDeadline()
    }

    private func perform(_ effects: [ClientMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .dial: dial()
            case .send(let text): write(text)
            case .cut:
                hangUp()
                ended(code: 1006)
            case .close: hangUp()
            case .emit(.edited(let answer, _)): answers[answer.edit, default: []].append(answer)
            case .emit(let event): count(event)
            }
        }
        checkItems()
    }

    private func count(_ event: ClientEvent) {
        switch event {
        case .fault(_, let name, _, _): simulation.count("live fault", name)
        case .sessionLost(let reason): simulation.count("live session lost", reason ?? "none")
        default: break
        }
    }

    private func scheduleDeadline() {
        guard let due = machine.nextDeadline, wakes.map({ due < $0 }) ?? true else { return }
        wakes = due
        // The time of the world has whole microseconds.
        after(max(due - now, 0) + 0.001) { client in
            guard client.wakes == due else { return }
            client.wakes = nil
            client.change { $0.timePassed(at: client.now) }
        }
    }

    // MARK: The connection

    private func dial() {
        connections += 1
        let connection = simulation.connect(self)
        self.connection = connection
        after(faultGenerator.milliseconds(0.1, 20)) { client in
            guard client.connection === connection else { return connection.drop() }
            client.ack = 0
            client.finger?.end()
            connection.open()
            client.change { $0.opened(at: client.now) }
        }
    }

    private func write(_ text: String) {
        let frame = Array(text.utf8)
        simulation.record(frame, of: number, up: true)
        connection?.send(frame)
        for message in Self.messages(text) {
            seq = max(seq, message["seq"]?.number.map { Int($0) } ?? 0)
        }
    }

    private func hangUp() {
        connection?.drop()
        connection = nil
        screen.forgetPin()
        screen.hasMoved = false
    }

    private func ended(code: Int) {
        finger?.end()
        change { $0.ended(code: code, at: now, random: &generator) }
    }

    func connectionLost(_ connection: SimulatedConnection, code: CloseCode?) {
        guard connection === self.connection else { return }
        hangUp()
        simulation.count("live connection", code.map { "closed \($0.rawValue)" } ?? "lost")
        // An earlier connection of this client can have taken the session, see `[holder]`.
        guard code != .sessionTaken else { return restart() }
        ended(code: code.map { Int($0.rawValue) } ?? 1006)
    }

    func receive(_ frame: [UInt8], on connection: SimulatedConnection) {
        simulation.record(frame, of: number, up: false)
        guard connection === self.connection else { return }
        let text = String(decoding: frame, as: UTF8.self)
        for message in Self.messages(text) {
            if message["type"]?.string == "welcome" { connection.isWelcomed = true }
            ack = max(ack, message["ack"]?.number.map { Int($0) } ?? 0)
            checkFinger(message)
            if message["top"]?["state"]?.string == "failed" { showsFailure = true }
            if message["lastUpdated"] != nil { showsFailure = false }
            // The daemon moves the list, for instance to its start.
            if message["offset"]?["duration"]?.number ?? 0 > 0 { screen.forgetPin() }
        }
        change { $0.received(text, at: now) }
        checkPin()
    }

    private static func messages(_ frame: String) -> [JSONValue] {
        guard let value = try? JSONValue(parsing: frame, limits: .frameOfDaemon) else { return [] }
        return value.array ?? [value]
    }

    // MARK: What the user does

    func connect() { change { $0.connect() } }

    func send(_ message: JSONValue) { change { $0.perform([message], at: now) } }

    func send(_ type: String, _ members: [JSONValue.Member] = []) {
        send(
            .object(
                [.init("type", .string(type)), .init("view", .string(Self.view))] + members))
    }

    func edit(_ operation: EditOperation, delayMs: Int) {
        change { machine in
            do throws(EditError) {
                let (id, effects) = try machine.edit(
                    Self.view, operation, delayMs: delayMs, id: nil, at: now, random: &generator)
                edits.append(id)
                simulation.count("live edit", operation.kind.rawValue)
                return effects
            } catch {
                return []
            }
        }
    }

    /// The process of the app ends, and another one continues.
    func restart() {
        let state = machine.savedState
        hangUp()
        finger = nil
        machine = ClientMachine(configuration, savedState: state)
        wakes = nil
        screen = LiveScreen()
        connect()
    }

    func leave() {
        change { $0.close(at: now) }
        after(1000) { $0.hangUp() }
    }
}

/// The other end of a connection to a daemon.
protocol SimulatedPeer: AnyObject {
    var number: Int { get }
    /// The number of connections that the client has opened.
    var connections: Int { get }
    /// The index of the daemon to which the client connects.
    var daemonIndex: Int { get set }
    /// The generator that decides how this client's connections fail.
    var faultGenerator: SeededGenerator { get set }

    func receive(_ frame: [UInt8], on connection: SimulatedConnection)
    func connectionLost(_ connection: SimulatedConnection, code: CloseCode?)
}
