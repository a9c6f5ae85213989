import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshSession

/// The value `EditLedger`. Source: docs/protocol.md, "Edits".
@Suite("The ledger of the edits of a view")
struct EditLedgerTests {
    private static func waiting(_ name: String, dueAfterMs delay: Double) -> EditLedger.Waiting {
        EditLedger.Waiting(
            name: name, operation: ListEditTests.operation(.remove, 1), parameters: [],
            due: Instant.origin.advanced(byMilliseconds: delay))
    }

    private static func text(_ name: String) -> [UInt8] { Array("answer to \(name)".utf8) }

    @Test("Edits are performed when they are due, in the order of their arrival")
    func due() {
        var ledger = EditLedger()
        for (name, delay) in [("a", 20.0), ("b", 10), ("c", 30)] {
            #expect(ledger.receive(name) == .new)
            ledger.wait(Self.waiting(name, dueAfterMs: delay))
        }
        #expect(ledger.due == Instant.origin.advanced(byMilliseconds: 10.0))
        let now = Instant.origin.advanced(byMilliseconds: 20.0)
        #expect(ledger.takeDue(at: now).map(\.name) == ["a", "b"])
        #expect(ledger.takeDue(at: now).isEmpty)
        #expect(ledger.takeWaiting().map(\.name) == ["c"] && ledger.due == .never)
        #expect(ledger.performed == ["a", "b", "c"])
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

    @Test("Whatever happens, each arrival has exactly one answer", arguments: 1...40)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var ledger = EditLedger()
        var now = Instant.origin
        var arrived: [String: Int] = [:]
        var answers: [String: Int] = [:]
        var performed: [String: Int] = [:]
        func perform(_ names: [String]) { for name in names { performed[name, default: 0] += 1 } }
        func send() {
            for text in ledger.takeReady() {
                answers[String(decoding: text.dropFirst(10), as: UTF8.self), default: 0] += 1
            }
        }
        for _ in 0..<600 {
            let name = "\(Int.random(in: 0..<60, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2:
                switch ledger.receive(name) {
                case .inProgress: break
                case .answered: arrived[name, default: 0] += 1
                case .tooMany:
                    arrived[name, default: 0] += 1
                    answers[name, default: 0] += 1
                    ledger.recordSent(name, Self.text(name))
                case .new:
                    arrived[name, default: 0] += 1
                    if Bool.random(using: &random) {
                        let delay = Double.random(in: 1...50, using: &random)
                        var edit = Self.waiting(name, dueAfterMs: 0)
                        edit.due = now.advanced(byMilliseconds: delay)
                        ledger.wait(edit)
                    } else {
                        ledger.perform(name)
                        perform([name])
                    }
                }
            case 3: _ = ledger.undo(name, Self.text(name))
            case 4:
                if let name = ledger.performed.randomElement(using: &random) {
                    _ = ledger.finish(name, Self.text(name))
                }
            case 5:
                now = now.advanced(byMilliseconds: Double.random(in: 0...30, using: &random))
                perform(ledger.takeDue(at: now).map(\.name))
            case 6: send()
            default:
                guard Int.random(in: 0..<9, using: &random) == 0 else { break }
                perform(ledger.takeWaiting().map(\.name))
            }
            #expect(ledger.unansweredCount <= EditLedger.unansweredMax, "seed \(seed)")
            #expect(ledger.answered.count <= EditLedger.answersMax, "seed \(seed)")
        }
        perform(ledger.takeWaiting().map(\.name))
        for name in ledger.performed { _ = ledger.finish(name, Self.text(name)) }
        send()
        #expect(answers == arrived, "seed \(seed)")
        #expect(performed.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }
}
