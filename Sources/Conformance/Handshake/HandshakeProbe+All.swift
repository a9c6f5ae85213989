extension HandshakeProbe {
    /// All probes. A probe's position in this list is its number, so new probes are appended.
    package static let all: [HandshakeProbe] = handshakes + frames + slow + heads

    private static let transport = "protocol.md#transport"
    private static let threats = "threat-model.md"
    private static let ping = Frame(payload: Array(#"{"type":"ping","t":1}"#.utf8))
    private static let hello = Frame(payload: Array(#"{"type":"hello","protocol":1}"#.utf8))

    private static let handshakes: [HandshakeProbe] = [
        refusedUpgrade(
            "version", "The header Sec-WebSocket-Version is 12.", 426,
            ["Sec-WebSocket-Version": "12"]),
        refusedUpgrade(
            "no-version", "The header Sec-WebSocket-Version is missing.", 426,
            ["Sec-WebSocket-Version": nil]),
        HandshakeProbe(
            "handshake-post", "A client requests the upgrade by POST.",
            expects: "the server answers 405",
            see: transport,
            [.request(method: "POST")], passes: [.status(405)]),
        HandshakeProbe(
            "handshake-connect", "A client sends a CONNECT request, as to a proxy.",
            expects: "the server refuses it or ends the connection, and opens no tunnel",
            see: threats,
            [.request(method: "CONNECT", path: "127.0.0.1:80")],
            passes: [.hungUp, .status(400), .status(403), .status(405), .status(501)]),
        HandshakeProbe(
            "handshake-unknown-method", "A client sends a method that HTTP does not have.",
            expects: "the server refuses it or ends the connection", see: transport,
            [.request(method: "BREW")],
            passes: [.hungUp, .status(400), .status(403), .status(405), .status(501)]),
        refusedUpgrade(
            "h2c", "A client requests an upgrade to cleartext HTTP/2.", 400,
            [
                "Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings",
                "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
            ]),
        HandshakeProbe(
            "handshake-h2-preface", "A client sends the connection preface of HTTP/2.",
            expects: "the server refuses it or ends the connection",
            see: threats, [.bytes(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))],
            passes: [.hungUp, .status(400), .status(403), .status(505)]),
        HandshakeProbe(
            "handshake-unknown-upgrade", "A client requests an upgrade to another protocol.",
            expects: "the server refuses it or ends the connection", see: transport,
            [.request(headers: ["Upgrade": "tls/1.0"])],
            passes: [.hungUp, .status(400), .status(403), .status(426)]),
        HandshakeProbe(
            "handshake-no-origin", "An upgrade request has no Origin.",
            expects: "the server accepts it, because only browsers send an Origin", see: transport,
            [.upgrade, .frame(hello)], passes: [.message(#""type":"welcome""#)]),
        refusedUpgrade(
            "hostile-origin", "A page of another site requests the upgrade.", 403,
            ["Origin": "https://evil.example"]),
        refusedUpgrade(
            "null-origin", "A page with the origin null requests the upgrade.", 403,
            ["Origin": "null"]),
        refusedUpgrade(
            "subprotocol", "An upgrade request offers only unknown subprotocols.", 400,
            ["Sec-WebSocket-Protocol": "chat, refresh.v999"]),
        refusedUpgrade("no-host", "A request has no Host.", 400, ["Host": nil]),
        refusedUpgrade("no-key", "An upgrade request has no key.", 400, ["Sec-WebSocket-Key": nil]),
        refusedUpgrade(
            "short-key", "The key of an upgrade request is not 16 bytes long.", 400,
            ["Sec-WebSocket-Key": "abc"]),
        HandshakeProbe(
            "handshake-http-1.0", "A client requests the upgrade by HTTP/1.0.",
            expects: "the server answers 400",
            see: transport, [.request(version: "HTTP/1.0")],
            passes: [.status(400), .status(426), .status(505)]),
        HandshakeProbe(
            "handshake-path", "A client requests the upgrade at a path that is not served.",
            expects: "the server answers 404", see: transport,
            [.request(path: "/v1/nothing-is-here")],
            passes: [.status(404)]),
    ]

    private static let frames: [HandshakeProbe] = [
        HandshakeProbe(
            "frames-unmasked", "A client sends a frame without a mask.",
            expects:
                "the server closes the connection (RFC 6455, 5.1); refreshd's library accepts the "
                + "frame",
            see: threats,
            [.upgrade, .frame(modified(hello) { $0.isMasked = false })],
            passes: [.closed(1002), .hungUp], deviations: [.message(#""type":"welcome""#)]),
        HandshakeProbe(
            "frames-giant", "A client sends a frame that announces 2^40 bytes.",
            expects:
                "the server closes with 1009 by the announced size, before the payload arrives",
            see: transport,
            [.upgrade, .frame(modified(hello) { $0.announcedLength = 1 << 40 })],
            passes: [.closed(1009)]),
        HandshakeProbe(
            "frames-endless", "A client sends fragments without an end.",
            expects: "the server closes with 1009 when the fragments together are too large",
            see: transport,
            [
                .upgrade, .frame(Frame(opcode: 1, payload: spaces(1024), isFinal: false)),
                .flood(Frame(opcode: 0, payload: spaces(1024), isFinal: false), count: 20_000),
            ],
            passes: [.closed(1009), .hungUp]),
        HandshakeProbe(
            "frames-empty-fragments", "A client sends 20,000 empty fragments, then the message.",
            expects: "the server answers the message, or closes the connection",
            see: threats,
            [
                .upgrade, .frame(modified(hello) { $0.isFinal = false }),
                .flood(Frame(opcode: 0, isFinal: false), count: 20_000), .frame(Frame(opcode: 0)),
            ],
            passes: [
                .message(#""type":"welcome""#), .closed(1002), .closed(1008), .closed(1009),
                .closed(4104),
            ]),
        HandshakeProbe(
            "frames-pings", "A client sends 20,000 WebSocket pings.",
            expects: "the server answers messages as before, or closes the connection",
            see: threats,
            [
                .upgrade, .frame(hello),
                .flood(Frame(opcode: 9, payload: [1, 2, 3, 4]), count: 20_000), .frame(ping),
            ],
            passes: [.message(#""type":"pong""#), .closed(1008), .closed(4104)]),
        HandshakeProbe(
            "frames-pongs", "A client sends 20,000 unsolicited WebSocket pongs.",
            expects: "the server answers messages as before, or closes the connection",
            see: threats,
            [
                .upgrade, .frame(hello),
                .flood(Frame(opcode: 10, payload: [1, 2, 3, 4]), count: 20_000), .frame(ping),
            ],
            passes: [.message(#""type":"pong""#), .closed(1008), .closed(4104)]),
        HandshakeProbe(
            "frames-text", "A client sends a text that is not UTF-8.",
            expects: "the server closes with 1007",
            see: transport, [.upgrade, .frame(Frame(payload: [0x22, 0xff, 0x22]))],
            passes: [.closed(1007)]),
        HandshakeProbe(
            "frames-half-open", "A client closes its sending side of the connection.",
            expects: "the server ends the connection too", see: threats,
            [.upgrade, .frame(hello), .endSending], passes: [.hungUp, .closed(1000)]),
    ]

    private static let slow: [HandshakeProbe] = [
        HandshakeProbe(
            "handshake-slow", "A request head arrives one byte at a time.",
            expects: "the server ends the connection when `headTimeoutMs` has elapsed",
            see: "protocol.md#limits",
            awaiting: "headTimeoutMs",
            [.drip(Array("GET /v1/session HTTP/1.1\r\nX-Slow: ".utf8) + spaces(600), everyMs: 50)],
            passes: [.hungUp, .status(408)]),
        HandshakeProbe(
            "frames-silent", "A client never sends `hello`.",
            expects: "the server closes with 4003 when `helloTimeoutMs` has elapsed",
            see: "protocol.md#hello",
            awaiting: "helloTimeoutMs", [.upgrade], passes: [.closed(4003)]),
        HandshakeProbe(
            "frames-mute",
            "A client sends `hello` and then nothing more: no frame, no pong, no close.",
            expects: "the server closes when the `idleTimeoutMs` of `welcome` has elapsed",
            see: "protocol.md#limits", awaiting: "idleTimeoutMs",
            [.upgrade, .frame(hello), .stopResponding], passes: [.closed(4105), .hungUp]),
    ]

    private static let heads: [HandshakeProbe] = [
        refusedUpgrade(
            "colonless", "A header line without a colon hides the origin after it.", 400,
            ["foo\r\nOrigin": "https://evil.example"]),
        refusedUpgrade(
            "blank-colon", "A space separates a header name from its colon.", 400,
            ["Origin ": "https://evil.example"]),
        refusedUpgrade(
            "folded-line", "A header line continues on the next line.", 400,
            [
                "X-A":
                    "b\r\n c"
            ]),
        refusedUpgrade(
            "bare-cr", "A header line contains a bare CR.", 400,
            ["X-A": "b\rOrigin: https://evil.example"]
        ),
        HandshakeProbe(
            "handshake-hasty",
            "A client sends a frame after the upgrade request, before the answer to it.",
            expects: "the server answers 400, or handles the frame unaltered", see: transport,
            [.upgradeWithEarlyFrame(modified(hello) { $0.payload += spaces(600) })],
            passes: [.status(400), .hungUp, .message(#""type":"welcome""#)]),
    ]

    private static func refusedUpgrade(
        _ name: String, _ description: String, _ status: Int, _ headers: [String: String?]
    ) -> HandshakeProbe {
        HandshakeProbe(
            "handshake-\(name)", description, expects: "the server answers \(status)",
            see: transport,
            [.request(headers: headers)], passes: [.status(status)])
    }

    private static func modified(_ frame: Frame, _ change: (inout Frame) -> Void) -> Frame {
        var frame = frame
        change(&frame)
        return frame
    }

    private static func spaces(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: count) }
}
