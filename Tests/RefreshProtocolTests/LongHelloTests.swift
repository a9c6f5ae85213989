import RefreshProtocol
import Testing

/// Frames with a long `hello`.
private enum LongHello {
    static let limits: Limits = {
        var limits = Limits()
        limits.stringBytesMax = 64
        limits.tokenBytesMax = 300
        limits.snapshotBytesMax = 4096
        return limits
    }()

    static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    static func hello(
        token: Int = 0, snapshot: Int = 0, client: Int = 1, session: Int = 4, secret: Int = 4,
        more: String = ""
    ) -> String {
        #"{"type":"hello","client":"\#(text(client))","resume":{"snapshot":"\#(text(snapshot))","session":"\#(text(session))","token":"\#(text(secret))"},"token":"\#(text(token))","protocol":1\#(more)}"#
    }
}

/// Tests the two strings of `hello` that may be longer than all other strings: `token`, and
/// `snapshot` of `resume`. Source: docs/protocol.md, "hello".
@Suite("A hello with long strings")
struct LongHelloTests {
    private func decode(_ frame: String) -> [Outcome] {
        RefreshProtocolTests.decode(frame, limits: LongHello.limits)
    }

    private func read(_ decoded: [Outcome]) -> Hello? {
        guard case .message(.hello(let hello)) = decoded.first else { return nil }
        return hello
    }

    @Test("A hello is read with strings up to their bounds", arguments: [false, true])
    func atTheBound(_ isBatch: Bool) throws {
        let frame = LongHello.hello(token: 300, snapshot: 4096)
        let decoded = decode(isBatch ? " [ \(frame) , {\"type\":\"ping\",\"t\":1}] " : " \(frame) ")
        let hello = try #require(read(decoded))
        #expect(
            hello.token == LongHello.text(300) && hello.resume?.snapshot == LongHello.text(4096))
        #expect(decoded.count == (isBatch ? 2 : 1))
        if isBatch { #expect(decoded[1] == .message(.ping(time: 1))) }
    }

    @Test("A hello with a string over its bound is refused with the name of the field")
    func overTheBound() {
        #expect(
            decode(LongHello.hello(token: 301)) == [.fault(Fault(.stringTooLong, hello: .token))])
        // These strings exceed even the largest bound, so the fault does not name the field.
        #expect(decode(LongHello.hello(snapshot: 4097)) == [.fault(Fault(.stringTooLong))])
        #expect(decode(LongHello.hello(token: 4097)) == [.fault(Fault(.stringTooLong))])
    }

    @Test(
        "A hello with another long string is refused",
        arguments: [
            LongHello.hello(token: 300, client: 65), LongHello.hello(token: 300, session: 65),
            LongHello.hello(snapshot: 4096, secret: 65),
            LongHello.hello(token: 300, more: #","x":"\#(LongHello.text(65))""#),
            LongHello.hello(token: 300, more: #","\#(LongHello.text(65))":1"#),
            LongHello.hello(
                token: 300, more: #","views":[{"view":"a","profile":"\#(LongHello.text(65))"}]"#),
            LongHello.hello(more: #","headers":{"a":"\#(LongHello.text(65))"}"#),
            "[\(LongHello.hello(token: 300)),{\"type\":\"ping\",\"t\":1,\"x\":\"\(LongHello.text(65))\"}]",
            "[{\"type\":\"ping\",\"t\":1},\(LongHello.hello(token: 300))]",
            #"{"type":"ping","t":1,"token":"\#(LongHello.text(65))"}"#,
            #"{"type":"ping","t":1,"resume":{"snapshot":"\#(LongHello.text(65))"}}"#,
            #"[{"type":"attach","token":"\#(LongHello.text(65))"}]"#,
            #"{"token":"\#(LongHello.text(65))"}"#,
            #"{"type":"hello","protocol":1,"x":{"token":"\#(LongHello.text(65))"}}"#,
            #"{"type":"hello","protocol":1,"resume":{"session":"s","token":"\#(LongHello.text(65))"}}"#,
            #"{"type":"hello","protocol":1,"resume":{"session":"s","token":"t","x":{"snapshot":"\#(LongHello.text(65))"}}}"#,
        ])
    func others(_ frame: String) {
        #expect(decode(frame) == [.fault(Fault(.stringTooLong))])
    }

    @Test("A long string of a hello may contain escapes. An escaped quote does not end the string")
    func escapes() throws {
        let token = String(repeating: #"\"\\"#, count: 20)
        let decoded = decode(#"{"type":"hello","protocol":1,"token":"\#(token)"}"#)
        let hello = try #require(read(decoded))
        #expect(hello.token == String(repeating: #""\"#, count: 20))
    }

    @Test(
        "A malformed hello with long strings is refused",
        arguments: [
            "\(LongHello.hello(token: 300)) x", "[\(LongHello.hello(token: 300))",
            "\(LongHello.hello(token: 300).dropLast())",
            "[\(LongHello.hello(token: 300)),]",
            #"{"type":"hello","token":"\#(LongHello.text(70))"#,
        ])
    func broken(_ frame: String) {
        #expect(decode(frame) == [.fault(Fault(.malformedJSON))])
    }

    @Test("If a hello with long strings has another error, the fault names that error")
    func wrong() {
        let frame = #"{"type":"hello","protocol":"one","token":"\#(LongHello.text(100))"}"#
        #expect(decode(frame) == [.fault(Fault(.invalidField, field: .protocol))])
        let twice = #"{"type":"hello","protocol":1,"token":"\#(LongHello.text(100))","token":"b"}"#
        #expect(decode(twice) == [.fault(Fault(.duplicateField))])
    }

    @Test("A hello with long strings does not change the bounds of later messages")
    func behind() throws {
        var decoder = MessageDecoder(limits: LongHello.limits)
        for frame in [
            LongHello.hello(token: 300), #"{"type":"ping","t":1,"x":"\#(LongHello.text(65))"}"#,
        ] {
            var position = FramePosition()
            let bytes = Array(frame.utf8)
            let decoded = decoder.next(in: bytes.span, at: &position)
            if frame.contains("ping") {
                #expect(Outcome(decoded) == .fault(Fault(.stringTooLong)))
            }
        }
    }

    @Test("The decoder returns the bytes of the object decoded last, and of the messages after it")
    func parts() {
        var decoder = MessageDecoder(limits: Limits())
        for (frame, object, rest) in [
            (#" {"type":"ping","t":1} "#, #"{"type":"ping","t":1}"#, "[]"),
            (#"[ {"type":"ping","t":1} ]"#, #"{"type":"ping","t":1}"#, "[]"),
            (
                #"[{"type":"ping","t":1}, {"a":"]"},3]"#, #"{"type":"ping","t":1}"#,
                #"[ {"a":"]"},3]"#
            ),
        ] {
            let bytes = Array(frame.utf8)
            var position = FramePosition()
            #expect(position.isAtStart)
            _ = decoder.next(in: bytes.span, at: &position)
            #expect(!position.isAtStart)
            #expect(String(decoding: decoder.lastObject(in: bytes.span), as: UTF8.self) == object)
            let left = decoder.remainingMessages(of: bytes.span, at: position)
            #expect(String(decoding: left, as: UTF8.self) == rest)
        }
    }
}
