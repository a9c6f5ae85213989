import RefreshProtocol
import RefreshSession
import Testing
import Workbench

@testable import RefreshClient

/// What happens between `hello` and the first values of the daemon: views are attached and
/// detached, and the user goes on.
struct LateViewTests {
    /// A client whose `hello` the daemon has answered, but which has not received the answer.
    private struct Greeting {
        var machine: ClientMachine
        let daemon: TestDaemon
        let line: TestDaemon.Line
        var events: [ClientEvent] = []
        /// The messages that the client has sent on this connection.
        var sent: [JSONValue] = []

        init() {
            machine = ClientMachine(
                ClientConfiguration(client: "test", views: [ClientMachineTests.list]))
            daemon = TestDaemon()
            line = daemon.connect()
            _ = machine.connect()
            perform(machine.opened(at: 1000))
        }

        /// The same for a client whose session another daemon had, which this one does not know.
        static func afterLostSession() throws -> Self {
            var earlier = Self()
            earlier.deliver()
            try #require(earlier.machine.state.status == .open)
            var random = SeededGenerator(seed: 1)
            _ = earlier.machine.ended(code: 1006, at: 1000, random: &random)
            let daemon = TestDaemon()
            // The name of a session depends on the number of the connection.
            _ = daemon.connect()
            return Self(earlier.machine, daemon, daemon.connect())
        }

        private init(_ machine: ClientMachine, _ daemon: TestDaemon, _ line: TestDaemon.Line) {
            (self.machine, self.daemon, self.line) = (machine, daemon, line)
            _ = self.machine.connect()
            perform(self.machine.opened(at: 1000))
        }

        mutating func perform(_ effects: [ClientMachine.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let text):
                    if let frame = try? JSONValue(parsing: text) { sent += frame.array ?? [frame] }
                    daemon.receive(text, on: line)
                case .emit(let event): events.append(event)
                case .dial, .cut, .close: break
                }
            }
        }

        mutating func request(_ type: String, _ view: String) {
            perform(machine.perform([ClientMachine.message(type, view)], at: 1000))
        }

        /// Delivers what the daemon has sent, until it sends no more.
        mutating func deliver() {
            while !line.frames.isEmpty {
                for frame in line.takeFrames() { perform(machine.received(frame, at: 1001)) }
            }
        }

        var faults: [String] {
            events.compactMap { event in
                guard case .fault(_, let name, _, _) = event else { return nil }
                return name
            }
        }
    }

    private static func view(_ name: String) -> ViewDescription {
        ViewDescription(
            name: name, profile: "iqpulltorefresh", feed: "packages",
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 720),
                content: .init(width: 390, height: 1088)))
    }

    @Test("The daemon handles each request, although a view is attached before the welcome")
    func attachBeforeWelcome() {
        var greeting = Greeting()
        greeting.request("refresh", "list")
        greeting.perform(greeting.machine.attach(Self.view("second"), at: 1000))
        greeting.request("refresh", "second")
        greeting.deliver()
        #expect(greeting.faults.isEmpty)
        #expect(Set(greeting.daemon.loads.map(\.view)).count == 2)
        for name in ["list", "second"] {
            let edge = greeting.machine.state.views[name]?.edges[.top]
            #expect(edge?.state == .refreshing, "\(name)")
        }
    }

    @Test("A view that is detached before the welcome is detached in the session")
    func detachBeforeWelcome() {
        var greeting = Greeting()
        greeting.perform(greeting.machine.attach(Self.view("second"), at: 1000))
        greeting.perform(greeting.machine.attach(Self.view("third"), at: 1000))
        greeting.perform(greeting.machine.detach("second", at: 1000))
        greeting.perform(greeting.machine.detach("list", at: 1000))
        greeting.request("refresh", "third")
        greeting.deliver()
        #expect(greeting.faults.isEmpty)
        #expect(greeting.daemon.loads.count == 1)
        #expect(greeting.machine.state.views["third"]?.isAttached == true)
        // The session has neither of the other two: messages about them are faults.
        for name in ["list", "second"] {
            greeting.daemon.receive(
                #"{"type":"refresh","seq":\#(name == "list" ? 90 : 91),"view":"\#(name)"}"#,
                on: greeting.line)
        }
        greeting.deliver()
        #expect(greeting.faults == ["unknownView", "unknownView"])
    }

    @Test(
        "A view that is detached and attached again before the welcome is a new view",
        arguments: [false, true])
    func attachAgainBeforeWelcome(afterLostSession: Bool) throws {
        var greeting = try afterLostSession ? Greeting.afterLostSession() : Greeting()
        greeting.perform(greeting.machine.detach("list", at: 1000))
        greeting.perform(greeting.machine.attach(Self.view("list"), at: 1000))
        greeting.request("refresh", "list")
        greeting.deliver()
        #expect(greeting.faults.isEmpty)
        #expect(greeting.daemon.loads.count == 1)
        #expect(greeting.machine.views.first?.generation == 2)
    }

    @Test("If the session is lost, a view that was attached after `hello` keeps its messages")
    func attachBeforeFreshWelcome() throws {
        var greeting = try Greeting.afterLostSession()
        greeting.perform(greeting.machine.attach(Self.view("second"), at: 1000))
        greeting.request("refresh", "second")
        greeting.request("refresh", "list")
        greeting.deliver()
        #expect(greeting.events.contains { if case .sessionLost = $0 { true } else { false } })
        #expect(greeting.faults.isEmpty)
        #expect(greeting.machine.state.views["second"]?.isAttached == true)
        #expect(greeting.machine.state.views["second"]?.edges[.top]?.state == .refreshing)
        #expect(
            greeting.sent.filter { $0["view"]?.string == "second" }.compactMap {
                $0["type"]?.string
            } == ["attach", "refresh"])
    }

    @Test("A view that was attached after `hello` has its latest sizes", arguments: [false, true])
    func sizesOfLateView(afterLostSession: Bool) throws {
        var greeting = try afterLostSession ? Greeting.afterLostSession() : Greeting()
        greeting.perform(greeting.machine.attach(Self.view("second"), at: 1000))
        var message = ClientMachine.message("geometry", "second")
        message["content"] = .object([.init("width", .number(390)), .init("height", .number(2500))])
        greeting.perform(greeting.machine.perform([message], at: 1000))
        greeting.deliver()
        #expect(greeting.faults.isEmpty)
        let attach = greeting.sent.first { $0["type"]?.string == "attach" }
        #expect(attach?["geometry"]?["content"]?["height"]?.number == 2500)
    }

    @Test("A cue that is played before the values of the daemon are shown is not played again")
    func playsCuesOnce() {
        var greeting = Greeting()
        func pull(_ offset: Double, _ phase: String) {
            var message = ClientMachine.message("scroll", "list")
            message["offset"] = .number(offset)
            message["phase"] = .string(phase)
            greeting.perform(greeting.machine.perform([message], at: 1000))
        }
        for offset in [0.0, -40, -80] { pull(offset, offset == 0 ? "began" : "dragging") }
        // The client sends its messages after the welcome. Their answers are on the way.
        for frame in greeting.line.takeFrames() {
            greeting.perform(greeting.machine.received(frame, at: 1001))
        }
        #expect(greeting.machine.state.views["list"]?.isLocal == true)
        pull(-80, "ended")
        greeting.deliver()
        #expect(greeting.machine.state.views["list"]?.isLocal == false)
        #expect(greeting.machine.state.views["list"]?.edges[.top]?.state == .refreshing)
        let cues = greeting.events.compactMap { event -> Haptic? in
            if case .haptic(let cue, _) = event { cue } else { nil }
        }
        #expect(cues == [.selection, .impact])
    }
}
