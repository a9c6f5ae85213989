import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

@Suite("Backends through a daemon", .limit)
struct ServerBackendTests {
    /// `sha256` is the hash of the text "password".
    private static let workers = """
        tokens:
          - name: library
            sha256: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
            may: [work]
        feeds: { songs: { backend: worker, paging: cursor, size: 2, shared: true } }
        """

    /// Returns a client whose view has requested its first page.
    private func view(_ daemon: TestDaemon) async throws -> CheckedLine {
        let client = try await daemon.checkedClient()
        client.send(
            #"[{"type":"hello","protocol":1},{"type":"attach","seq":1,"view":"list","#
                + #""profile":"iqpulltorefresh","feed":"songs","#
                + #""geometry":{"viewport":{"width":100,"height":100}}},"#
                + #"{"type":"refresh","view":"list","seq":2}]"#)
        return client
    }

    /// Returns all text up to the first frame that contains `wanted`.
    private func received(
        _ wanted: String, by client: CheckedLine
    ) async throws -> String {
        var text = ""
        while !text.contains(wanted) {
            text += try #require(await client.receive(within: .patient).text)
        }
        return text
    }

    /// Returns all text that was in transit to the client.
    private func rest(of client: CheckedLine, _ mark: Int) async throws -> String {
        client.send(#"{"type":"ping","t":\#(mark)}"#)
        return try await received(#""type":"pong""#, by: client)
    }

    private func load(_ worker: CheckedLine) async throws -> String {
        let text = try #require(await worker.receive(within: .patient).text)
        let value = try JSONValue(parsing: text)
        #expect(value["type"]?.string == "load")
        return try #require(value["id"]?.string)
    }

    private func answer(_ load: String, _ item: Int, by worker: CheckedLine) {
        worker.send(#"{"type":"page","id":"\#(load)","items":[\#(item)],"more":false}"#)
    }

    @Test("A client never receives an item twice, and receives the number of removed duplicates")
    func duplicates() async throws {
        let daemon = try TestDaemon(
            """
            feeds:
              songs:
                { backend: script, paging: page, size: 3, itemKey: /id, steps: [
                  { items: [{ id: 1 }, { id: 2 }, { id: 2 }], more: true },
                  { items: [{ id: 2 }, { id: 3 }, { id: 1 }], more: false } ] }
            """)
        let client = try await view(daemon)
        let first = try await received(#""type":"items""#, by: client)
        #expect(first.contains(#""items":[{"id":1},{"id":2}]"#))
        #expect(first.contains(#""removed":1"#))
        client.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let second = try await received(#""type":"items""#, by: client)
        #expect(second.contains(#""items":[{"id":3}]"#))
        #expect(second.contains(#""removed":2"#))
        let all = first + second
        for id in 1...3 {
            #expect(
                all.split(separator: "{\"id\":\(id)}").count == 2,
                "item \(id) is not sent exactly once")
        }
    }

    @Test("After a worker reports a change, `newer` is true until a later refresh has ended")
    func changed() async throws {
        let daemon = try TestDaemon(Self.workers)
        let worker = try await daemon.worker()
        worker.send(#"{"type":"register","token":"password","feeds":["songs"],"capacity":4}"#)
        #expect(await worker.receive(within: .patient).text?.contains("registered") == true)
        var views: [CheckedLine] = []
        for number in 1...2 {
            let view = try await view(daemon)
            answer(try await load(worker), number, by: worker)
            #expect(try await received(#""type":"items""#, by: view).contains("[\(number)]"))
            views.append(view)
        }
        let (early, late) = (views[0], views[1])
        early.send(#"{"type":"refresh","view":"list","seq":3}"#)
        let before = try await load(worker)
        worker.send(#"{"type":"changed","feed":"songs"}"#)
        for view in views { _ = try await received(#""newer":true"#, by: view) }

        // The call that began before the change has not ended. This refresh causes another call.
        late.send(#"{"type":"refresh","view":"list","seq":3}"#)
        let after = try await load(worker)
        #expect(after != before)
        answer(after, 4, by: worker)
        let brought = try await received(#""type":"items""#, by: late) + rest(of: late, 1)
        #expect(brought.contains("[4]"))
        #expect(brought.contains(#""newer":false"#))

        answer(before, 3, by: worker)
        let old = try await received(#""type":"items""#, by: early) + rest(of: early, 1)
        #expect(old.contains("[3]"))
        #expect(
            !old.contains(#""newer":false"#), "items from before the change count as the newest")
        early.send(#"{"type":"refresh","view":"list","seq":4}"#)
        answer(try await load(worker), 5, by: worker)
        let new = try await received(#""type":"items""#, by: early) + rest(of: early, 2)
        #expect(new.contains("[5]"))
        #expect(new.contains(#""newer":false"#))
    }

    @Test("When the daemon stops, a load ends as cancelled, and its client is closed with 4100")
    func stop() async throws {
        let daemon = try TestDaemon(
            "feeds: { songs: { backend: script, paging: page, steps: [{ hang: true }] } }")
        let client = try await view(daemon)
        _ = try await received(#""phase":"began""#, by: client)
        await withCheckedContinuation { continuation in
            daemon.server.drain { continuation.resume() }
        }
        var last = ""
        var code: UInt16?
        while code == nil {
            switch await client.receive(within: .patient) {
            case .closed(let number, _): code = number
            case let message: last += try #require(message.text)
            }
        }
        #expect(code == 4100)
        #expect(last.contains(#""code":"draining""#))
        #expect(!last.contains(#""type":"items""#))
        #expect(daemon.total.sessions.count(of: .cancelled, feed: "songs") == 1)
    }
}
