import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Lists with random access. Source: docs/protocol.md, "What is in sight".
struct RowsInSightTests {
    private static let rowLength = 44.0
    private static let rowsInSight = 16

    private static func view(visible: ClosedRange<Int>? = nil) -> ViewDescription {
        ViewDescription(
            name: "list", feed: "rows",
            paging: PagingDescription(style: .offset, size: 50, access: .random),
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 704),
                content: .init(width: 390, height: 440_000),
                visible: visible))
    }

    private static func makeRun(
        _ features: [String]? = ["visibleRange"], visible: ClosedRange<Int>? = nil,
        refreshes: Bool = true
    ) -> ClientRun {
        var run = ClientRun(
            configuration(features, visible: visible, refreshes: refreshes), daemon: TestDaemon(),
            random: SeededGenerator(seed: 1))
        run.recordsFrames = true
        run.connect()
        return run
    }

    private static func configuration(
        _ features: [String]? = ["visibleRange"], visible: ClosedRange<Int>? = nil,
        refreshes: Bool = true
    ) -> ClientConfiguration {
        ClientConfiguration(
            client: "test", views: [view(visible: visible)], features: features, diagnostics: true,
            refreshedViews: refreshes ? ["list"] : [])
    }

    /// A sample at which this row is the first one in sight.
    private static func sample(_ row: Double, _ phase: ScrollPhase, isKnown: Bool = true)
        -> JSONValue
    {
        var message = ClientMachine.message("scroll", "list")
        message["offset"] = .number(row * rowLength)
        message["phase"] = .string(phase.rawValue)
        if isKnown {
            let first = Int(row)
            message["visible"] = .rows(first...first + rowsInSight - 1)
        }
        return message
    }

    /// Whether all rows in sight have their items.
    private static func isFilled(_ run: ClientRun, from row: Int) -> Bool {
        (row..<row + rowsInSight).allSatisfy {
            run.view.rows?[$0]?["id"]?.number == Double($0)
        }
    }

    private static func mistakes(_ run: ClientRun) -> [ClientEvent] {
        run.events.filter { event in
            switch event {
            case .fault: true
            case .diagnostic(_, _, let field, _, _): field == "visible" || field == "access"
            default: false
            }
        }
    }

    @Test("The list has all rows, and placeholders for those without an item")
    func placeholders() {
        var run = Self.makeRun()
        #expect(run.view.rows == nil)
        run.answerRows()
        #expect(run.view.rows?.count == 10_000 && run.view.rows?.itemCount == 50)
        #expect(run.view.rows?[49]?["id"]?.number == 49 && run.view.rows?[50] == nil)
        #expect(run.view.items.isEmpty && run.view.hasMore == false)
        #expect(run.view.edges[.bottom]?.state == .disabled)
        run.send(Self.sample(6010, .idle))
        run.answerRows()
        #expect(run.view.rows?.itemCount == 100 && Self.isFilled(run, from: 6010))
        #expect(run.view.sections.map(\.start) == [0, 6000])
        #expect(Self.mistakes(run).isEmpty)
    }

    @Test("A list can open at any row", arguments: [false, true])
    func opensAtRow(isGeometry: Bool) {
        var run = Self.makeRun(visible: isGeometry ? nil : 6010...6025, refreshes: !isGeometry)
        if isGeometry {
            run.send(
                #"{"type":"geometry","view":"list","visible":{"first":6010,"last":6025}}"#)
            run.send(#"{"type":"refresh","view":"list"}"#)
        }
        run.answerRows()
        #expect(run.view.rows?.count == 10_000 && run.view.rows?.itemCount == 50)
        #expect(Self.isFilled(run, from: 6010) && run.daemon.loads.isEmpty)
        // A fresh session begins there too.
        run.restartDaemon(keepsKeys: false)
        run.reconnect()
        if isGeometry { run.send(#"{"type":"refresh","view":"list"}"#) }
        #expect(run.daemon.loads.count == 1)
        run.answerRows(total: 9000)
        #expect(run.view.rows?.count == 9000 && Self.isFilled(run, from: 6010))
        #expect(Self.mistakes(run).isEmpty)
    }

    @Test("A view that is attached later reports its rows before its first refresh")
    func attachedLater() {
        var run = ClientRun(
            ClientConfiguration(client: "test", features: ["visibleRange"]), daemon: TestDaemon(),
            random: SeededGenerator(seed: 1))
        run.connect()
        run.change { $0.attach(Self.view(visible: 6010...6025), at: $1) }
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerRows()
        #expect(run.view.rows?.itemCount == 50 && Self.isFilled(run, from: 6010))
    }

    @Test("Another number of rows keeps the items of the remaining rows")
    func resized() {
        var run = Self.makeRun()
        run.answerRows()
        run.send(Self.sample(6000, .idle))
        run.answerRows(total: 6020)
        #expect(run.view.rows?.count == 6020 && run.view.rows?[6019]?["id"]?.number == 6019)
        run.send(Self.sample(1000, .idle))
        run.answerRows(total: 12_000)
        #expect(run.view.rows?.count == 12_000 && run.view.rows?[6019] != nil)
        #expect(run.view.rows?[6020] == nil)
    }

    @Test("Without a total, the list has sequential access")
    func sequential() {
        var run = Self.makeRun()
        run.answerRows(total: nil)
        #expect(run.view.rows == nil && run.view.items.count == 50)
        #expect(run.view.edges[.bottom]?.state == .idle)
    }

    @Test("Samples have the rows when these change, and each `idle` has them")
    func reports() {
        var machine = ClientMachine(Self.configuration())
        _ = machine.connect()
        _ = machine.opened(at: 0)
        _ = machine.received(
            #"[{"type":"welcome","protocol":1,"session":"a","token":"b","#
                + #""features":["visibleRange"]},{"type":"attached","view":"list","#
                + #""paging":{"style":"offset","first":0,"size":50,"access":"random"}}]"#, at: 1)
        func rows(_ message: JSONValue) -> [Double?] {
            let text = machine.perform([message], at: 2).compactMap {
                if case .send(let text) = $0 { text } else { nil }
            }.joined()
            let sent = try? JSONValue(parsing: text)
            return [sent?["visible"]?["first"]?.number, sent?["visible"]?["last"]?.number]
        }
        #expect(rows(Self.sample(5, .began)) == [5, 20])
        #expect(rows(Self.sample(5.5, .dragging)) == [nil, nil])
        #expect(rows(Self.sample(6, .dragging)) == [6, 21])
        #expect(rows(Self.sample(6.2, .dragging, isKnown: false)) == [nil, nil])
        #expect(rows(Self.sample(6.2, .idle, isKnown: false)) == [6, 21])
        #expect(rows(Self.sample(6.2, .idle)) == [6, 21])
        var geometry = ClientMachine.message("geometry", "list")
        geometry["visible"] = .rows(6...21)
        #expect(rows(geometry) == [6, 21])
        geometry["visible"] = .rows(-5...Int.max)
        #expect(rows(geometry) == [0, Double(Int32.max)])
    }

    @Test("Without the feature, no rows are reported", arguments: [nil, [], ["patch"]])
    func withoutFeature(_ features: [String]?) {
        var run = Self.makeRun(features, visible: 10...20)
        run.answerRows()
        run.send(Self.sample(100, .idle))
        #expect(run.view.rows == nil && run.view.items.count == 50)
        let visible = Self.mistakes(run).filter {
            if case .diagnostic(_, _, "visible", _, _) = $0 { true } else { false }
        }
        #expect(visible.isEmpty)
    }

    @Test("A fling over 10,000 rows requests few pages, and ends with the rows in sight")
    func fling() {
        var run = Self.makeRun()
        run.answerRows()
        let loads = run.daemon.requests.count
        run.send(Self.sample(0, .began))
        run.advance(to: run.now + 16)
        run.send(Self.sample(20, .ended))
        // A deceleration in which the speed falls to a hundredth within 4 s.
        var row = 20.0
        for step in 0..<250 {
            row += (9500 - row) * 0.02
            run.advance(to: run.now + 16)
            run.send(Self.sample(row, .decelerating))
            if step.isMultiple(of: 5) { run.answerRows() }
        }
        run.send(Self.sample(row, .idle))
        while !run.daemon.loads.isEmpty { run.answerRows() }
        #expect(Self.isFilled(run, from: Int(row)))
        #expect(run.daemon.requests.count - loads < 30)
        #expect(run.view.loads.isEmpty && run.view.rows?.count == 10_000)
        #expect(Self.mistakes(run).isEmpty)
    }

    @Test("Over losses and the end of the process, the rows in sight get their items once")
    func losses() {
        for seed in UInt64(0)..<24 {
            var random = SeededGenerator(seed: seed)
            var run = Self.makeRun()
            run.answerRows()
            var row = 0
            for step in 0..<30 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    row = Int.random(in: 0..<9900, using: &random)
                    run.send(Self.sample(Double(row), .decelerating))
                    run.send(Self.sample(Double(row), .idle))
                case 3:
                    run.cut()
                    if Bool.random(using: &random) { run.reconnect() }
                case 4:
                    run.restartDaemon(keepsKeys: Bool.random(using: &random))
                    run.reconnect()
                case 5 where run.status == .open:
                    run.restartApp(Self.configuration())
                    run.connect()
                default: run.answerRows()
                }
                run.advance(to: run.now + Double.random(in: 0...300, using: &random))
                let filled = run.view.rows?.filled ?? []
                #expect(
                    filled.allSatisfy { $0.item["id"]?.number == Double($0.row) },
                    "seed \(seed), step \(step)")
            }
            if run.status != .open { run.reconnect() }
            run.send(Self.sample(Double(row), .idle))
            for _ in 0..<3 {
                run.advance(to: run.now + 1000)
                while !run.daemon.loads.isEmpty { run.answerRows() }
            }
            #expect(Self.isFilled(run, from: row), "seed \(seed), row \(row)")
        }
    }
}
