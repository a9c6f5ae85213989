import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// The rules of docs/protocol.md for the messages of a client, under random sequences of calls,
/// losses, refusals and restarts.
struct RuleTests {
    private static let names = ["list", "second", "third"]

    private static func view(_ name: String) -> ViewDescription {
        var body = ClientMachineTests.list.body
        body["view"] = .string(name)
        return ViewDescription(body: body)
    }

    private static func configuration(_ names: [String]) -> ClientConfiguration {
        ClientConfiguration(
            client: "test", views: names.map { view($0) }, features: ["query", "patch"],
            refreshedViews: ["list"])
    }

    /// One random run of a client.
    private struct Course {
        let seed: UInt64
        var random: SeededGenerator
        var run: ClientRun
        var ledger = MessageLedger()
        var attached: Set<String> = ["list", "second"]
        var isInBackground = false
        private var tag = 0.0

        init(seed: UInt64) {
            self.seed = seed
            random = SeededGenerator(seed: seed)
            run = ClientRun(
                RuleTests.configuration(["list", "second"]), daemon: TestDaemon(itemKey: "/id"),
                random: SeededGenerator(seed: seed &+ 1))
            run.observer = ledger
            run.connect()
        }

        private mutating func chance(_ one: Int) -> Bool {
            .random(in: 0..<one, using: &random) == 0
        }

        mutating func step() {
            let name = RuleTests.names.randomElement(using: &random) ?? "list"
            switch Int.random(in: 0..<16, using: &random) {
            case 0: attachOrDetach(name)
            case 1: replace(name)
            case 2...5: request(name)
            case 6: query(name)
            case 7: scroll(name)
            case 8: toggleBackground()
            case 9 where run.status == .open: run.stall()
            case 10: run.isDeaf = true
            case 11: loseLine()
            case 12: run.refusesNextHello = true
            case 13 where chance(3): restart()
            case 14: run.answerLoad((0..<5).map { #"{"id":\#($0)}"# })
            default: break
            }
            run.advance(to: run.now + .random(in: 0...1500, using: &random))
        }

        private mutating func attachOrDetach(_ name: String) {
            if attached.contains(name) { detach(name) } else { attach(name) }
        }

        private mutating func attach(_ name: String) {
            attached.insert(name)
            ledger.attach(name)
            run.change { machine, now in machine.attach(RuleTests.view(name), at: now) }
        }

        private mutating func detach(_ name: String) {
            attached.remove(name)
            ledger.detach(name)
            run.change { machine, now in machine.detach(name, at: now) }
        }

        private mutating func replace(_ name: String) {
            guard attached.contains(name) else { return }
            detach(name)
            attach(name)
        }

        private mutating func request(_ name: String) {
            tag += 1
            let types = ["refresh", "loadMore", "retry", "cancel", "begin", "end"]
            let type = types.randomElement(using: &random) ?? "refresh"
            var message = ClientMachine.message(type, name)
            message["tag"] = .number(tag)
            if attached.contains(name) { ledger.expect(tag, view: name) }
            run.send(message)
        }

        private mutating func query(_ name: String) {
            let parameter = chance(3) ? "bad" : "q"
            let value = "\(Int.random(in: 0..<3, using: &random))"
            run.change { machine, now in
                machine.query(
                    name, parameters: [parameter: value], debounceMs: 0, shown: nil, at: now)
            }
        }

        private mutating func scroll(_ name: String) {
            let last = ["ended", "cancelled", "dragging"].randomElement(using: &random) ?? "ended"
            let samples = [(0, "began"), (-40, "dragging"), (-80, "dragging"), (-80, last)]
            for (offset, phase) in samples {
                var message = ClientMachine.message("scroll", name)
                message["offset"] = .number(Double(offset))
                message["phase"] = .string(phase)
                run.send(message)
            }
        }

        private mutating func toggleBackground() {
            let isLeaving = !isInBackground
            isInBackground = isLeaving
            run.isDeaf = false
            run.change { machine, now in
                isLeaving ? machine.suspend(at: now) : machine.resume(at: now)
            }
        }

        private mutating func loseLine() {
            run.cut()
            run.isDeaf = false
            if chance(3) { run.restartDaemon(keepsKeys: !chance(3)) }
            run.advance(to: run.now + .random(in: 0...4000, using: &random))
            run.mend()
        }

        private mutating func restart() {
            guard run.machine.savedState != nil else { return }
            isInBackground = false
            run.isDeaf = false
            run.restartApp(RuleTests.configuration(attached.sorted()))
            run.connect()
        }

        /// Lets the session come to rest.
        mutating func finish() {
            run.refusesNextHello = false
            run.cut()
            run.isDeaf = false
            if isInBackground { toggleBackground() }
            run.reconnect()
            for _ in 0..<20 {
                run.advance(to: run.now + 1500)
                run.answerLoad((0..<5).map { #"{"id":\#($0)}"# })
            }
        }
    }

    @Test("Whatever happens, the messages of a client follow the rules", arguments: 0..<8)
    func rules(_ part: UInt64) {
        for seed in part * 40..<(part + 1) * 40 {
            var course = Course(seed: seed)
            for _ in 0..<40 { course.step() }
            course.finish()
            let ledger = course.ledger
            let log = ledger.log.suffix(20).joined(separator: "\n")
            #expect(ledger.violations.isEmpty, "seed \(seed): \(ledger.violations)\n\(log)")
            #expect(ledger.unanswered.isEmpty, "seed \(seed): \(ledger.unanswered)\n\(log)")
            #expect(course.run.status == .open, "seed \(seed)\n\(log)")
            let state = course.run.machine.state
            #expect(Set(state.views.keys) == course.attached, "seed \(seed)")
            let areShown = state.views.values.allSatisfy { $0.isAttached && !$0.isLocal }
            #expect(areShown, "seed \(seed)\n\(log)")
            #expect(course.run.machine.link.outbox.count < 64, "seed \(seed)")
        }
    }
}
