import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Input of the app that the daemon cannot read. The client refuses it, and goes on.
struct FlawedInputTests {
    private static func view(
        _ name: String, height: Double = 1088, refresh: RefreshEdgeOptions = RefreshEdgeOptions()
    ) -> ViewDescription {
        ViewDescription(
            name: name, profile: "iqpulltorefresh", feed: "packages", refresh: .value(refresh),
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 720),
                content: .init(width: 390, height: height)))
    }

    private static func makeRun(_ views: [ViewDescription], refreshed: [String]) -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(client: "test", views: views, refreshedViews: refreshed),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.connect()
        return run
    }

    private func faults(_ run: ClientRun) -> [String] {
        run.events.compactMap { event in
            if case .fault(_, let name, _, _) = event { return name }
            return nil
        }
    }

    private func failures(_ run: ClientRun, _ view: String) -> [String?] {
        run.events.compactMap { event in
            guard case .loadFailed(.failed, let code, _, view) = event else { return nil }
            return .some(code)
        }
    }

    private func reports(_ run: ClientRun) -> [String] {
        run.events.compactMap { event in
            if case .diagnostic(nil, let text, _, "list", nil) = event { return text }
            return nil
        }
    }

    private static let numbers = [Double.nan, .infinity, -.infinity]

    @Test(
        "A message with a number that is not finite is ignored and reported, in each field",
        arguments: numbers)
    func messages(_ number: Double) {
        var run = Self.makeRun([Self.view("list")], refreshed: [])
        let seq = run.machine.link.seq
        var options = RefreshEdgeOptions()
        options.deadline = .value(number)
        for (field, value) in [
            ("offset", JSONValue.number(number)), ("velocity", .number(number)),
            ("content", GeometryUpdate.Size(width: 1, height: number).json),
            ("top", options.json),
        ] {
            var message = ClientMachine.message("scroll", "list")
            message["phase"] = .string("dragging")
            message[field] = value
            run.send(message)
        }
        #expect(
            reports(run)
                == ["offset", "velocity", "content.height", "top.deadline"].map {
                    "The client has ignored `scroll`, because `\($0)` is not a finite number."
                })
        #expect(run.machine.link.seq == seq)
        run.cut()
        run.send(
            .object([
                .init("type", .string("scroll")), .init("view", .string("list")),
                .init("offset", .number(number)), .init("phase", .string("began")),
            ]))
        #expect(run.machine.link.outbox.isEmpty)
        run.reconnect()
        #expect(run.status == .open)
        #expect(faults(run).isEmpty)
    }

    @Test("The calls of the app with numbers that are not finite send nothing")
    func calls() async {
        let client = RefreshClient(
            url: "ws://127.0.0.1:9/v1/session",
            configuration: ClientConfiguration(client: "test", views: [Self.view("list")]),
            transport: NoTransport())
        let events = await client.events()
        await client.scroll("list", to: .nan, phase: .began)
        await client.pan("list", translation: .infinity, phase: .began)
        await client.updateGeometry("list", GeometryUpdate(offset: -.infinity))
        var options = LoadMoreEdgeOptions()
        options.length = .nan
        await client.configure("list", loadMore: (.bottom, options))
        #expect(await client.machine.link.outbox.isEmpty)
        await client.close()
        var count = 0
        for await case .diagnostic in events { count += 1 }
        #expect(count == 4)
    }

    private struct NoTransport: ClientTransport {
        struct Refusal: Error {}

        func connect(to url: String, subprotocol: String) async throws -> any TransportConnection {
            throw Refusal()
        }
    }

    @Test(
        "A view that cannot be attached is refused by the client, and the other views are attached",
        arguments: ["", String(repeating: "n", count: 33), "list\n"])
    func names(_ name: String) {
        var run = Self.makeRun([Self.view("list"), Self.view(name)], refreshed: ["list", name])
        #expect(run.status == .open)
        #expect(run.view.isAttached)
        #expect(run.daemon.loads.count == 1)
        #expect(run.machine.state.views[name]?.refusal == "invalidField")
        #expect(faults(run) == ["invalidField"])
        #expect(failures(run, name) == ["invalidField"])
        run.change { machine, now in machine.detach(name, at: now) }
        run.change { machine, now in machine.attach(Self.view(name), at: now) }
        run.cut()
        run.reconnect()
        #expect(run.machine.state.views[name]?.refusal == "invalidField")
        #expect(faults(run) == ["invalidField", "invalidField"])
        #expect(run.status == .open)
    }

    @Test("A view whose sizes are not finite is refused, and can be attached with other sizes")
    func sizes() {
        var run = Self.makeRun([Self.view("list", height: .nan)], refreshed: ["list"])
        #expect(run.status == .open)
        #expect(run.view.refusal == "numberOutOfRange")
        #expect(faults(run) == ["numberOutOfRange"])
        #expect(failures(run, "list") == ["numberOutOfRange"])
        run.change { machine, now in machine.detach("list", at: now) }
        run.change { machine, now in machine.attach(Self.view("list"), at: now) }
        #expect(run.view.refusal == nil)
        #expect(run.view.isAttached)
    }

    @Test("The loads of a view with an invalid option fail, and the fault names the option")
    func options() {
        var refresh = RefreshEdgeOptions()
        refresh.length = 40
        refresh.start = 50
        var run = Self.makeRun([Self.view("list", refresh: refresh)], refreshed: ["list"])
        #expect(run.status == .open)
        #expect(run.view.refusal == "invalidOption")
        #expect(failures(run, "list") == ["invalidOption"])
        run.send(#"{"type":"refresh","view":"list"}"#)
        #expect(failures(run, "list") == ["invalidOption", "invalidOption"])
        let texts = run.events.compactMap { event in
            if case .fault(.invalidOption, _, let text, "list") = event { return text }
            return String?.none
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("`start`") == true)
    }

    @Test("A fault before `welcome` refuses the client at once, with its text")
    func refusedHello() {
        var run = Self.makeRun([], refreshed: [])
        #expect(run.status == .open)
        run = ClientRun(
            ClientConfiguration(client: String(repeating: "n", count: 70_000)),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.connect()
        #expect(run.status == .refused)
        #expect(run.machine.state.refusal?.isEmpty == false)
        #expect(faults(run).count == 1)
        #expect(run.machine.nextDeadline == nil)
    }

    @Test("A URL that is not one of a WebSocket is refused at once")
    func url() async {
        let client = RefreshClient(
            url: "http://127.0.0.1:9/v1/session", configuration: ClientConfiguration(client: "a"),
            transport: NoTransport())
        var events = await client.events().makeAsyncIterator()
        await client.connect()
        let reason =
            "http://127.0.0.1:9/v1/session is not a WebSocket URL: it must begin with "
            + "ws:// or wss://."
        #expect(await events.next() == .connectionFailed(reason: reason))
        #expect(await client.state.status == .refused)
        #expect(await client.state.refusal == reason)
    }
}
