import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Lists that are reset while messages to the client are lost. Source: docs/protocol.md, "Coming
/// back".
@Suite("A reset whose answer is lost")
struct ResetResumeTests {
    /// What a client shows of the list `list`.
    private struct Shown {
        var items: [Int] = []
        var count: Int?
        var endings: [String] = []

        mutating func receive(_ messages: [JSONValue]) {
            for message in messages {
                switch message["type"]?.string {
                case "update":
                    guard let newCount = message["list"]?["count"]?.number else { continue }
                    count = Int(newCount)
                    if newCount == 0 { items = [] }
                case "items":
                    if message["mode"]?.string == "replace" { items = [] }
                    items += (message["items"]?.array ?? []).map { Int($0["id"]?.number ?? -1) }
                    endings.append("\(message["load"]?.string ?? "") items")
                case "loading" where message["phase"]?.string != "began":
                    endings.append(
                        "\(message["load"]?.string ?? "") \(message["phase"]?.string ?? "")")
                default: break
                }
            }
        }
    }

    private let fixture = HostFixture()
    private let first: HostClient
    private let welcome: JSONValue
    private var shown = Shown()

    /// Creates a client that has received a page, and whose connection then stalls.
    init() {
        first = fixture.connect()
        welcome = first.open()
        shown.receive(first.send(#"{"type":"refresh","view":"list","seq":2}"#))
        fixture.answerLast(4)
        fixture.pass(milliseconds: 1000)
        shown.receive(first.receive())
        #expect(shown.items == [0, 1, 2, 3] && shown.endings == ["1.1 items"])
        first.setWritable(false)
    }

    @Test("A queued page is not delivered after its list was reset")
    mutating func waitingPage() {
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast(3)
        first.send(#"{"type":"reset","view":"list","seq":4}"#)
        first.hangUp()
        shown.receive(fixture.connect(to: 1).resume(welcome, received: ["1.1"]))
        #expect(shown.items.isEmpty && shown.count == 0)
        #expect(shown.endings == ["1.1 items", "1.2 cancelled"])
    }

    @Test("After a reset, a queued page is not delivered to a client that reads again")
    mutating func slowClient() {
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast(3)
        first.send(#"{"type":"reset","view":"list","seq":4}"#)
        first.setWritable(true)
        shown.receive(first.receive())
        #expect(shown.items.isEmpty && shown.count == 0)
        #expect(shown.endings == ["1.1 items", "1.2 cancelled"])
    }

    @Test("Only the pages that were requested after the reset are delivered")
    mutating func firstPage() {
        first.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        fixture.answerLast(3)
        first.send(#"{"type":"reset","view":"list","seq":4}"#)
        fixture.pass(milliseconds: 1000)
        first.send(#"{"type":"refresh","view":"list","seq":5}"#)
        fixture.answerLast(2)
        first.hangUp()
        shown.receive(fixture.connect().resume(welcome, received: ["1.1"]))
        #expect(shown.items == [0, 1] && shown.count == 2)
        #expect(shown.endings == ["1.1 items", "1.2 cancelled", "1.3 items"])
    }

    @Test("A queued empty page is sent, together with the messages queued before it")
    mutating func emptyPage() {
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast(3)
        fixture.pass(milliseconds: 1000)
        first.send(#"{"type":"refresh","view":"list","seq":4}"#)
        fixture.answerLast(0)
        first.hangUp()
        shown.receive(fixture.connect().resume(welcome, received: ["1.1"]))
        #expect(shown.items.isEmpty && shown.count == 0)
        #expect(shown.endings == ["1.1 items", "1.2 items", "1.3 items"])
    }
}
