extension HandshakeProbe {
    /// All probes. A probe's position in this list is its number, so new probes are appended.
    package static let all: [HandshakeProbe] = handshakes + frames + slow + heads

    private static let transport = "protocol.md#transport"
    private static let threats = "threat-model.md"
    private static let ping = Frame(payload: Array(#"{"type":"ping","t":1}"#.utf8))
    private static let hello = Frame(payload: Array(#"{"type":"hello","protocol":1}"#.utf8))

    private static let handshakes: [HandshakeProbe] = [
        refusedUpgrade(
            "version", "An upgrade with a WebSocket version other than 13 is refused.", 426,
            ["Sec-WebSocket-Version": "12"]),
        refusedUpgrade(
            "no-version", "An upgrade without Sec-WebSocket-Version is refused.", 426,
            ["Sec-WebSocket-Version": nil]),
        HandshakeProbe(
            "handshake-post", "An upgrade by POST is refused.",
            expects: "the server answers 405",
            see: transport,
            [.request(method: "POST")], passes: [.status(405)]),
        HandshakeProbe(
            "handshake-connect", "The server is no proxy: CONNECT is refused.",
            expects: "the server refuses it or ends the connection, and opens no tunnel",
            see: threats,
            [.request(method: "CONNECT", path: "127.0.0.1:80")],
            passes: [.hungUp, .status(400), .status(403), .status(405), .status(501)]),
        HandshakeProbe(
            "handshake-unknown-method", "A request with an unknown method is refused.",
            expects: "the server refuses it or ends the connection", see: transport,
            [.request(method: "BREW")],
            passes: [.hungUp, .status(400), .status(403), .status(405), .status(501)]),
        refusedUpgrade(
            "h2c", "An upgrade to cleartext HTTP/2 is refused.", 400,
            [
                "Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings",
                "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
            ]),
        HandshakeProbe(
            "handshake-h2-preface", "The connection preface of HTTP/2 is refused.",
            expects: "the server refuses it or ends the connection",
            see: threats, [.bytes(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))],
            passes: [.hungUp, .status(400), .status(403), .status(505)]),
        HandshakeProbe(
            "handshake-unknown-upgrade", "An upgrade to another protocol is refused.",
            expects: "the server refuses it or ends the connection", see: transport,
            [.request(headers: ["Upgrade": "tls/1.0"])],
            passes: [.hungUp, .status(400), .status(403), .status(426)]),
        HandshakeProbe(
            "handshake-no-origin", "An upgrade without Origin is accepted.",
            expects: "the server accepts it, because only browsers send an Origin", see: transport,
            [.upgrade, .frame(hello)], passes: [.message(#""type":"welcome""#)]),
        refusedUpgrade(
            "hostile-origin", "An upgrade by a page of another site is refused.", 403,
            ["Origin": "https://evil.example"]),
        refusedUpgrade(
            "null-origin", "An upgrade by a page with the origin null is refused.", 403,
            ["Origin": "null"]),
        refusedUpgrade(
            "subprotocol", "An upgrade with only unknown subprotocols is refused.", 400,
            ["Sec-WebSocket-Protocol": "chat, refresh.v999"]),
        refusedUpgrade("no-host", "An upgrade without Host is refused.", 400, ["Host": nil]),
        refusedUpgrade(
            "no-key", "An upgrade without a key is refused.", 400, ["Sec-WebSocket-Key": nil]),
        refusedUpgrade(
            "short-key", "An upgrade with a key that is not 16 bytes long is refused.", 400,
            ["Sec-WebSocket-Key": "abc"]),
        HandshakeProbe(
            "handshake-http-1.0", "An upgrade by HTTP/1.0 is refused.",
            expects: "the server answers 400",
            see: transport, [.request(version: "HTTP/1.0")],
            passes: [.status(400), .status(426), .status(505)]),
        HandshakeProbe(
            "handshake-path", "An upgrade at a path that is not served is refused.",
            expects: "the server answers 404", see: transport,
            [.request(path: "/v1/nothing-is-here")],
            passes: [.status(404)]),
    ]

    private static let frames: [HandshakeProbe] = [
        HandshakeProbe(
            "frames-unmasked", "An unmasked frame of a client closes the connection.",
            expects:
                "the server closes the connection (RFC 6455, 5.1); refreshd's library accepts the "
                + "frame",
            see: threats,
            [.upgrade, .frame(modified(hello) { $0.isMasked = false })],
            passes: [.closed(1002), .hungUp], deviations: [.message(#""type":"welcome""#)]),
        HandshakeProbe(
            "frames-giant", "A frame that announces too many bytes closes the connection.",
            expects:
                "the server closes with 1009 by the announced size, before the payload arrives",
            see: transport,
            [.upgrade, .frame(modified(hello) { $0.announcedLength = 1 << 40 })],
            passes: [.closed(1009)]),
        HandshakeProbe(
            "frames-endless", "Fragments that are too large together close the connection.",
            expects: "the server closes with 1009 when the fragments together are too large",
            see: transport,
            [
                .upgrade, .frame(Frame(opcode: 1, payload: spaces(1024), isFinal: false)),
                .flood(Frame(opcode: 0, payload: spaces(1024), isFinal: false), count: 20_000),
            ],
            passes: [.closed(1009), .hungUp]),
        HandshakeProbe(
            "frames-empty-fragments", "20,000 empty fragments do not stop the server.",
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
            "frames-pings", "20,000 WebSocket pings do not stop the server.",
            expects: "the server answers messages as before, or closes the connection",
            see: threats,
            [
                .upgrade, .frame(hello),
                .flood(Frame(opcode: 9, payload: [1, 2, 3, 4]), count: 20_000), .frame(ping),
            ],
            passes: [.message(#""type":"pong""#), .closed(1008), .closed(4104)]),
        HandshakeProbe(
            "frames-pongs", "20,000 unsolicited pongs do not stop the server.",
            expects: "the server answers messages as before, or closes the connection",
            see: threats,
            [
                .upgrade, .frame(hello),
                .flood(Frame(opcode: 10, payload: [1, 2, 3, 4]), count: 20_000), .frame(ping),
            ],
            passes: [.message(#""type":"pong""#), .closed(1008), .closed(4104)]),
        HandshakeProbe(
            "frames-text", "A text that is not UTF-8 closes the connection.",
            expects: "the server closes with 1007",
            see: transport, [.upgrade, .frame(Frame(payload: [0x22, 0xff, 0x22]))],
            passes: [.closed(1007)]),
        HandshakeProbe(
            "frames-half-open", "If a client ends its side of the connection, the server does too.",
            expects: "the server ends the connection too", see: threats,
            [.upgrade, .frame(hello), .endSending], passes: [.hungUp, .closed(1000)]),
    ]

    private static let slow: [HandshakeProbe] = [
        HandshakeProbe(
            "handshake-slow", "A request head must be complete within `headTimeoutMs`.",
            expects: "the server ends the connection when `headTimeoutMs` has elapsed",
            see: "protocol.md#limits",
            awaiting: "headTimeoutMs",
            [.drip(Array("GET /v1/session HTTP/1.1\r\nX-Slow: ".utf8) + spaces(600), everyMs: 50)],
            passes: [.hungUp, .status(408)]),
        HandshakeProbe(
            "frames-silent", "`hello` must arrive within `helloTimeoutMs`.",
            expects: "the server closes with 4003 when `helloTimeoutMs` has elapsed",
            see: "protocol.md#hello",
            awaiting: "helloTimeoutMs", [.upgrade], passes: [.closed(4003)]),
        HandshakeProbe(
            "frames-mute",
            "A connection on which nothing arrives for `idleTimeoutMs` is closed.",
            expects: "the server closes when the `idleTimeoutMs` of `welcome` has elapsed",
            see: "protocol.md#limits", awaiting: "idleTimeoutMs",
            [.upgrade, .frame(hello), .stopResponding], passes: [.closed(4105), .hungUp]),
    ]

    private static let heads: [HandshakeProbe] = [
        refusedUpgrade(
            "colonless", "A head with a line without a colon is refused.", 400,
            ["foo\r\nOrigin": "https://evil.example"]),
        refusedUpgrade(
            "blank-colon", "A head with a space before a colon is refused.", 400,
            ["Origin ": "https://evil.example"]),
        refusedUpgrade(
            "folded-line", "A head with a continued line is refused.", 400,
            [
                "X-A":
                    "b\r\n c"
            ]),
        refusedUpgrade(
            "bare-cr", "A head with a bare CR is refused.", 400,
            ["X-A": "b\rOrigin: https://evil.example"]
        ),
        HandshakeProbe(
            "handshake-hasty",
            "A frame before the answer to the upgrade is refused, or handled unaltered.",
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
