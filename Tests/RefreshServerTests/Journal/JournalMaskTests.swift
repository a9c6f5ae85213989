import Foundation
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("What journals do not hold")
struct JournalMaskTests {
    private static func masked(_ frame: String) -> String {
        String(decoding: JournalMask.masked(Array(frame.utf8)), as: UTF8.self)
    }

    @Test(
        "stars stand where a token stood, as many as it had bytes",
        arguments: [
            (
                #"{"type":"hello","token":"abc","protocol":1}"#,
                #"{"type":"hello","token":"***","protocol":1}"#
            ),
            (#"{"token":"","type":"hello"}"#, #"{"token":"","type":"hello"}"#),
            (
                #" [ {"token" : "abc"} , {"type":"bye"} ] "#,
                #" [ {"token" : "***"} , {"type":"bye"} ] "#
            ),
            (
                #"[{"type":"ping","t":1},{"type":"hello","token":"é"}]"#,
                #"[{"type":"ping","t":1},{"type":"hello","token":"**"}]"#
            ),
            (#"{"token":"a\"b\\c\u00e9"}"#, #"{"token":"*******"}"#),
            (#"{"tok\u0065n":"abc"}"#, #"{"tok\u0065n":"***"}"#),
            (#"{"token":"abc","token":"de"}"#, #"{"token":"***","token":"**"}"#),
            (#"{"token":7,"x":{"token":"abc"}}"#, #"{"token":7,"x":{"token":"abc"}}"#),
            (
                #"{"resume":{"session":"s","token":"abc"}}"#,
                #"{"resume":{"session":"s","token":"***"}}"#
            ),
            (
                #"{"resume":{"token":"0123456789abcdefghijkA","x":{"token":"abc"}}}"#,
                #"{"resume":{"token":"AAAAAAAAAAAAAAAAAAAAAA","x":{"token":"abc"}}}"#
            ),
            (
                #"{"type":"attach","parameters":{"token":"x"}}"#,
                #"{"type":"attach","parameters":{"token":"x"}}"#
            ),
        ])
    func tokens(frame: String, masked: String) {
        #expect(Self.masked(frame) == masked)
    }

    @Test(
        "and where headers stood that are known to hold secrets",
        arguments: [
            (
                #"{"headers":{"Authorization":"Bearer x","accept":"y"}}"#,
                #"{"headers":{"Authorization":"********","accept":"y"}}"#
            ),
            (
                #"{"headers":{"cookie":"a=1","authorization":""}}"#,
                #"{"headers":{"cookie":"***","authorization":""}}"#
            ),
            (#"{"headers":{"cookie":"\u00e9"}}"#, #"{"headers":{"cookie":"\u0001"}}"#),
            (
                #"{"headers":{"cookie":5},"authorization":"x"}"#,
                #"{"headers":{"cookie":5},"authorization":"x"}"#
            ),
        ])
    func headers(frame: String, masked: String) {
        #expect(Self.masked(frame) == masked)
    }

    @Test(
        "in what is no JSON they are masked as well",
        arguments: [
            #"{"type":"hello","token":"canary",}"#, #"{"type":"hello",,"token":"canary"}"#,
            #"{"type":"hello","token":"canary"#, #"{"a":nul,"token" :"canary"#,
            #"{"a":1}{"token":"canary"}"#, #"[{"a":1} {"token":"canary\"x"}]"#,
            #"{"headers":{"x":,"Cookie":"canary"}}"#, #"{"a"}"token": "canary\"#,
            "{\"token\":\"canary\u{1}\"}",
            #"[{"token":"x"},{"token":"canary"]"#,
        ])
    func broken(frame: String) {
        #expect(Self.masked(frame).contains("canary") == false)
    }

    @Test("bytes of any kind come back, and those without secrets as they were")
    func anything() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<count).map { _ in
                Array("\"token:{}[],\\ é\u{0}aheadrs".utf8).randomElement(using: &random) ?? 0
            }
            let masked = JournalMask.masked(bytes)
            #expect(masked.contains(0x2A) || masked == bytes, "\(bytes)")
        }
        #expect(Self.masked("") == "")
        #expect(Self.masked("{}") == "{}")
        #expect(Self.masked("\"token\"") == "\"token\"")
    }

    @Test("a load's headers are masked alike, so that what is replayed says the same")
    func loads() {
        var request = LoadRequest(feed: "f", kind: .refresh, page: 1, offset: 0, size: 1)
        request.headers = [
            HeaderField(name: "authorization", value: "Bearer x"),
            HeaderField(name: "accept", value: "y"),
        ]
        let wish = LoadWish(request, idempotencyKey: "k")
        let masked = JournalMask.masked(wish)
        #expect(
            masked.request.headers == [
                HeaderField(name: "authorization", value: "********"),
                HeaderField(name: "accept", value: "y"),
            ])
        #expect(JournalMask.masked(masked) == masked)
    }

    @Test("the key of items' hashes is left out, but where a list goes on under a foreign one")
    func itemHash() throws {
        let world = ConversationWorld(subject: nil)
        world.send(#"{"type":"hello","protocol":1}"#, at: .origin)
        for (seq, view) in [(1, "own"), (2, "foreign")] {
            world.send(
                #"{"type":"attach","seq":\#(seq),"view":"\#(view)","profile":"default","feed":"songs"}"#,
                at: .origin)
        }
        var snapshot = world.snapshot
        let (own, foreign) = (SipHash(key: 1, 2), SipHash(key: 3, 4))
        snapshot.itemHash = own
        for index in snapshot.views.indices { snapshot.views[index].feed?.shownItems = [5] }
        try #require(snapshot.views.count == 2)
        snapshot.views[1].feed?.itemHash = foreign
        guard case .rebuilt(let masked) = JournalMask.masked(JournalInput.rebuilt(snapshot)) else {
            Issue.record("it is another input")
            return
        }
        #expect(masked.itemHash == nil)
        #expect(masked.views.map { $0.feed?.itemHash } == [nil, foreign])
        // Nothing else is another, and it is read again as it is.
        var same = masked
        same.itemHash = own
        #expect(same == snapshot)
        #expect(SessionSnapshot(json: masked.json) == masked)
    }
}
