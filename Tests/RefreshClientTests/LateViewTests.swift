import RefreshProtocol
import RefreshSession
import Testing
import Workbench

@testable import RefreshClient

/// Views that are attached or detached between `hello` and `welcome`.
struct LateViewTests {
    /// A client whose `hello` the daemon has answered, but which has not received the answer.
    private struct Greeting {
        var machine: ClientMachine
        let daemon = TestDaemon()
        let line: TestDaemon.Line
        var events: [ClientEvent] = []

        init() {
            machine = ClientMachine(
                ClientConfiguration(client: "test", views: [ClientMachineTests.list]))
            line = daemon.connect()
            _ = machine.connect()
            perform(machine.opened(at: 1000))
        }

        mutating func perform(_ effects: [ClientMachine.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let text): daemon.receive(text, on: line)
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

    @Test("A view that is detached and attached again before the welcome is a new view")
    func attachAgainBeforeWelcome() {
        var greeting = Greeting()
        greeting.perform(greeting.machine.detach("list", at: 1000))
        greeting.perform(greeting.machine.attach(Self.view("list"), at: 1000))
        greeting.request("refresh", "list")
        greeting.deliver()
        #expect(greeting.faults.isEmpty)
        #expect(greeting.daemon.loads.count == 1)
        #expect(greeting.machine.views.first?.generation == 2)
    }
}
