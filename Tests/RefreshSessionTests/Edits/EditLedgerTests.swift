import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshSession

/// The value `EditLedger`. Source: docs/protocol.md, "Edits".
@Suite("The ledger of the edits of a view")
struct EditLedgerTests {
    private static func waiting(
        _ name: String, item: Int = 1, dueAfterMs delay: Double
    ) -> EditLedger.Waiting {
        EditLedger.Waiting(
            name: name, operation: ListEditTests.operation(.remove, item), parameters: [],
            due: Instant.origin.advanced(byMilliseconds: delay))
    }

    private static func text(_ name: String) -> [UInt8] { Array("answer to \(name)".utf8) }

    @Test("Edits are performed when they are due, in the order of their arrival")
    func due() {
        var ledger = EditLedger()
        for (item, (name, delay)) in [("a", 20.0), ("b", 10), ("c", 30)].enumerated() {
            #expect(ledger.receive(name) == .new)
            ledger.wait(Self.waiting(name, item: item, dueAfterMs: delay))
        }
        #expect(ledger.due == Instant.origin.advanced(byMilliseconds: 10.0))
        let now = Instant.origin.advanced(byMilliseconds: 20.0)
        #expect(ledger.takeDue(at: now).map(\.name) == ["a", "b"])
        #expect(ledger.takeDue(at: now).isEmpty)
        #expect(ledger.takeWaiting().map(\.name) == ["c"] && ledger.due == .never)
        #expect(ledger.performed == ["a", "b", "c"])
    }

    @Test("An edit waits for the earlier edits of its item and of its neighbour")
    func sameItem() {
        func at(_ milliseconds: Double) -> Instant {
            Instant.origin.advanced(byMilliseconds: milliseconds)
        }
        var ledger = EditLedger()
        ledger.wait(Self.waiting("a", item: 1, dueAfterMs: 20))
        var insert = Self.waiting("b", item: 2, dueAfterMs: 0)
        insert.operation.place = .before(ListEditTests.key(1))
        #expect(ledger.mustWait(insert))
        ledger.wait(insert)
        ledger.wait(Self.waiting("c", item: 2, dueAfterMs: 10))
        #expect(!ledger.mustWait(Self.waiting("d", item: 3, dueAfterMs: 0)))
        #expect(ledger.due == at(20) && ledger.takeDue(at: at(19)).isEmpty)
        var other = ledger
        let isUndone = other.undo("a", [])
        #expect(isUndone && other.due == at(0))
        #expect(other.takeDue(at: at(0)).map(\.name) == ["b"] && other.due == at(10))
        #expect(ledger.takeDue(at: at(20)).map(\.name) == ["a", "b", "c"])
    }

    @Test("An edit that is forgotten with its answer can be sent again")
    func forgotten() {
        var ledger = EditLedger()
        ledger.perform("a")
        let isKnown = ledger.finish("a", Self.text("a"), isForgotten: true)
        #expect(isKnown && ledger.receive("a") == .inProgress)
        #expect(ledger.takeReady() == [Self.text("a")])
        #expect(ledger.receive("a") == .new && ledger.answered.isEmpty)
    }

    @Test("Only an edit that waits can be undone")
    func undo() {
        var ledger = EditLedger()
        ledger.wait(Self.waiting("a", dueAfterMs: 10))
        ledger.perform("b")
        #expect(!ledger.undo("b", []) && !ledger.undo("c", []))
        let undone = ledger.undo("a", Self.text("a"))
        #expect(undone && ledger.due == .never)
        let again = ledger.undo("a", Self.text("a"))
        #expect(!again && ledger.takeReady() == [Self.text("a")])
    }

    @Test("An edit without an outcome is forgotten, so it can be sent again")
    func cancelled() {
        var ledger = EditLedger()
        ledger.perform("a")
        let isKnown = ledger.finish("a", nil)
        #expect(isKnown && ledger.receive("a") == .new && ledger.ready.isEmpty)
    }

    @Test("With 32 edits without an answer, a new one is too many, and a repeated one is not")
    func bound() {
        var ledger = EditLedger()
        for number in 0..<EditLedger.unansweredMax {
            #expect(ledger.receive("\(number)") == .new)
            ledger.perform("\(number)")
        }
        #expect(ledger.receive("32") == .tooMany && ledger.receive("3") == .inProgress)
        _ = ledger.finish("3", Self.text("3"))
        #expect(ledger.receive("32") == .tooMany && ledger.receive("3") == .inProgress)
        #expect(ledger.takeReady() == [Self.text("3")])
        #expect(ledger.receive("3") == .answered && ledger.receive("32") == .new)
    }

    @Test("The last 64 answers are kept")
    func forgetting() {
        var ledger = EditLedger()
        for number in 0...EditLedger.answersMax {
            ledger.refuse("\(number)", Self.text("\(number)"))
            _ = ledger.takeReady()
        }
        #expect(ledger.receive("0") == .new && ledger.receive("1") == .answered)
        #expect(ledger.takeReady() == [Self.text("1")])
    }

    @Test(
        "Whatever happens, each arrival has exactly one answer, and an item's edits keep their order",
        arguments: 1...40)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var run = RandomRun()
        for _ in 0..<600 {
            run.step(&random)
            #expect(run.ledger.unansweredCount <= EditLedger.unansweredMax, "seed \(seed)")
            #expect(run.ledger.answered.count <= EditLedger.answersMax, "seed \(seed)")
        }
        run.end()
        #expect(run.answers == run.arrived, "seed \(seed)")
        #expect(run.performed.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        #expect(!run.hasOvertaken, "seed \(seed)")
    }

    /// A ledger, and how often each edit has arrived, was answered and was performed.
    private struct RandomRun {
        var ledger = EditLedger()
        var now = Instant.origin
        var arrived: [String: Int] = [:]
        var answers: [String: Int] = [:]
        var performed: [String: Int] = [:]
        /// The edits of each item that have not been performed, in their order.
        var order: [Int: [String]] = [:]
        var hasOvertaken = false

        private func item(_ name: String) -> Int { (Int(name) ?? 0) % 20 }

        private mutating func perform(_ names: [String]) {
            for name in names {
                performed[name, default: 0] += 1
                if order[item(name)]?.removeFirst() != name { hasOvertaken = true }
            }
        }

        private mutating func send() {
            for text in ledger.takeReady() {
                answers[String(decoding: text.dropFirst(10), as: UTF8.self), default: 0] += 1
            }
        }

        private mutating func receive(_ name: String, delayMs: Double) {
            let arrival = ledger.receive(name)
            if arrival != .inProgress { arrived[name, default: 0] += 1 }
            switch arrival {
            case .inProgress, .answered: break
            case .tooMany:
                answers[name, default: 0] += 1
                ledger.recordSent(name, EditLedgerTests.text(name))
            case .new:
                order[item(name), default: []].append(name)
                var edit = EditLedgerTests.waiting(name, item: item(name), dueAfterMs: 0)
                edit.due = now.advanced(byMilliseconds: delayMs)
                if delayMs > 0 || ledger.mustWait(edit) { return ledger.wait(edit) }
                ledger.perform(name)
                perform([name])
            }
        }

        mutating func step(_ random: inout SeededRandom) {
            let name = "\(Int.random(in: 0..<60, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2:
                let isDelayed = Bool.random(using: &random)
                receive(name, delayMs: isDelayed ? Double.random(in: 1...50, using: &random) : 0)
            case 3:
                guard ledger.undo(name, EditLedgerTests.text(name)) else { break }
                order[item(name)]?.removeAll { $0 == name }
            case 4:
                if let name = ledger.performed.randomElement(using: &random) {
                    _ = ledger.finish(name, EditLedgerTests.text(name))
                }
            case 5:
                now = now.advanced(byMilliseconds: Double.random(in: 0...30, using: &random))
                perform(ledger.takeDue(at: now).map(\.name))
            case 6: send()
            default:
                guard Int.random(in: 0..<9, using: &random) == 0 else { break }
                perform(ledger.takeWaiting().map(\.name))
            }
        }

        mutating func end() {
            perform(ledger.takeWaiting().map(\.name))
            for name in ledger.performed { _ = ledger.finish(name, EditLedgerTests.text(name)) }
            send()
        }
    }
}
