import Foundation
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Secrets in journals")
struct JournalMaskTests {
    private static func masked(_ frame: String) -> String {
        String(decoding: JournalMask.masked(Array(frame.utf8)), as: UTF8.self)
    }

    @Test(
        "Each byte of a token is replaced by a star, and a valid resume token by a fixed token",
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
            (#"{"token":"","x":{"token":"abc"}}"#, #"{"token":"","x":{"token":"abc"}}"#),
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
        "Headers that are known to contain secrets are masked too",
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
                #"{"headers":{"cookie":""},"authorization":"x"}"#,
                #"{"headers":{"cookie":""},"authorization":"x"}"#
            ),
        ])
    func headers(frame: String, masked: String) {
        #expect(Self.masked(frame) == masked)
    }

    @Test(
        "A secret member that is not a string is masked, and keeps its JSON structure",
        arguments: [
            (#"{"token":["abc",7]}"#, #"{"token":["***",1]}"#),
            (#"{"token":{"ab":[-1.5e3,{}]},"x":"y"}"#, #"{"token":{"**":[1     ,{}]},"x":"y"}"#),
            (#"{"token":12345 , "x":67}"#, #"{"token":1     , "x":67}"#),
            (#"[{"token":[[]]},{"token":"a"}]"#, #"[{"token":[[]]},{"token":"*"}]"#),
            (#"{"token":[true,null,false]}"#, #"{"token":[true,null,false]}"#),
            (#"{"token":["a\"b"]}"#, #"{"token":["****"]}"#),
            (#"{"resume":["abc"]}"#, #"{"resume":["***"]}"#),
            (#"{"resume":"abc"}"#, #"{"resume":"***"}"#),
            (
                #"{"resume":{"session":"s","token":["abc"]}}"#,
                #"{"resume":{"session":"s","token":["***"]}}"#
            ),
            (#"{"headers":{"Cookie":["a=1"],"x":5}}"#, #"{"headers":{"Cookie":["***"],"x":5}}"#),
            (#"{"headers":{"authorization":{"a":1}}}"#, #"{"headers":{"authorization":{"*":1}}}"#),
            (#"{"headers":["cookie: a"]}"#, #"{"headers":["*********"]}"#),
        ])
    func anyValue(frame: String, masked: String) {
        #expect(Self.masked(frame) == masked)
    }

    @Test("The decoder finds the same fault in a frame and its masked copy, which has no secrets")
    func decoded() {
        let values = [
            #"["canary"]"#, #"{"canary":1}"#, #"{"a":"canary"}"#, "4711", "[4711]", #"["canary",]"#,
            #"["canary""#, #"["can\qary"]"#, "[\"canary\u{1}\"]", "[4711,1e999]", "[01,4711]",
            "[4711.]", "canary", "[canary", #"[[["canary"]]"#, #"{"canary"}"#, #"["canary"}"#,
            String(repeating: "[", count: 40) + #""canary"#, "[1e-999,4711]", #""canary"#,
            "true", "\"can\u{7}ary\"", #"{"a":{"b":["canary",{"c":4711}]}}"#,
        ]
        let frames = [
            #"{"type":"hello","protocol":1,"token":?}"#,
            #"{"type":"hello","protocol":1,"resume":{"session":"s","token":?}}"#,
            #"{"type":"hello","protocol":1,"resume":[?]}"#,
            #"{"type":"hello","protocol":1,"headers":{"cookie":?}}"#,
            #"[{"type":"hello","protocol":1,"headers":{"x":"y","authorization":?}},{"type":"bye"}]"#,
        ]
        for value in values {
            for frame in frames.map({ $0.replacingOccurrences(of: "?", with: value) }) {
                let masked = Self.masked(frame)
                #expect(!masked.contains("canary") && !masked.contains("4711"), "\(frame)")
                #expect(Self.fault(of: masked) == Self.fault(of: frame), "\(frame)")
            }
        }
    }

    /// Returns the decoder's first fault. Nil if it finds a message.
    private static func fault(of frame: String) -> Fault? {
        var decoder = MessageDecoder(limits: Limits())
        var position = FramePosition()
        guard case .fault(let fault) = decoder.next(in: Array(frame.utf8).span, at: &position)
        else { return nil }
        return fault
    }

    @Test(
        "Secrets in invalid JSON are masked too",
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

    @Test("Any bytes can be masked, and bytes without secrets are unchanged")
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

    @Test("The headers of a load are masked in the same way, so a replay gives the same output")
    func loads() {
        var request = LoadRequest(feed: "f", kind: .refresh, page: 1, offset: 0, size: 1)
        request.headers = [
            HeaderField(name: "authorization", value: "Bearer x"),
            HeaderField(name: "accept", value: "y"),
        ]
        let brokerRequest = BrokerRequest(request, idempotencyKey: "k")
        let masked = JournalMask.masked(brokerRequest)
        #expect(
            masked.request.headers == [
                HeaderField(name: "authorization", value: "********"),
                HeaderField(name: "accept", value: "y"),
            ])
        #expect(JournalMask.masked(masked) == masked)
    }

    @Test("The daemon's key of item hashes is omitted, but a different key of a list is kept")
    func itemHash() throws {
        let fixture = ConversationFixture(subject: nil)
        fixture.send(#"{"type":"hello","protocol":1}"#, at: .origin)
        for (seq, view) in [(1, "own"), (2, "foreign")] {
            fixture.send(
                #"{"type":"attach","seq":\#(seq),"view":"\#(view)","profile":"default","feed":"songs"}"#,
                at: .origin)
        }
        var snapshot = fixture.snapshot
        let (own, foreign) = (SipHash(key: 1, 2), SipHash(key: 3, 4))
        snapshot.itemHash = own
        for index in snapshot.session.views.indices {
            snapshot.session.views[index].feed?.shownItems = [5]
        }
        try #require(snapshot.session.views.count == 2)
        snapshot.session.views[1].feed?.itemHash = foreign
        guard case .rebuilt(let masked) = JournalMask.masked(SessionInput.rebuilt(snapshot)) else {
            Issue.record("the input is not `rebuilt`")
            return
        }
        #expect(masked.itemHash == nil)
        #expect(masked.session.views.map { $0.feed?.itemHash } == [nil, foreign])
        // All other members are equal, and the masked input can be parsed again.
        var same = masked
        same.itemHash = own
        #expect(same == snapshot)
        #expect(SessionSnapshot(json: masked.json) == masked)
    }
}
