import Foundation
import RefreshProtocol
import Testing
import Workbench

/// What happens to a session whose connection ends with a standard close code of WebSocket. Source:
/// docs/protocol.md, "Close codes". `refresh-probe explain` must print the same information.
@Suite("Standard close codes of WebSocket", .ownThread, .limit)
struct StandardCloseTests {
    /// How the client ends a connection.
    enum End: CaseIterable {
        case reservedOpcode, reservedBits, fragmentedPing, lonelyContinuation
        case closesNormally, closesGoingAway, closesWithoutCode, hangsUp, sentBye

        /// The bytes that the client sends to end the connection: a frame with a mask of zeros, or
        /// nothing.
        var frame: [UInt8] {
            switch self {
            case .reservedOpcode: [0x83, 0x80, 0, 0, 0, 0]
            case .reservedBits: [0xF1, 0x80, 0, 0, 0, 0]
            case .fragmentedPing: [0x09, 0x80, 0, 0, 0, 0]
            case .lonelyContinuation: [0x80, 0x80, 0, 0, 0, 0]
            case .closesNormally: [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]
            case .closesGoingAway: [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9]
            case .closesWithoutCode: [0x88, 0x80, 0, 0, 0, 0]
            case .hangsUp: []
            case .sentBye: PlainSocket.frame(#"{"type":"bye"}"#)
            }
        }

        var breaksRules: Bool {
            switch self {
            case .reservedOpcode, .reservedBits, .fragmentedPing, .lonelyContinuation: true
            default: false
            }
        }
    }

    private static let view =
        #"{"view":"list","profile":"iqpulltorefresh","offset":0,"# + geometry + "}"
    private static let geometry =
        #""geometry":{"viewport":{"width":390,"height":600},"content":{"width":390,"height":900}}"#

    private static func open(_ port: Int) throws -> PlainSocket {
        let socket = try PlainSocket(port: try #require(UInt16(exactly: port)))
        socket.send(
            """
            GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r
            Upgrade: websocket\r\nSec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """)
        #expect(socket.readHead().hasPrefix("HTTP/1.1 101"))
        return socket
    }

    private static func welcome(
        _ socket: PlainSocket, resuming members: String = ""
    ) throws -> JSONValue {
        socket.sendText(#"{"type":"hello","protocol":1,"views":["# + view + "]" + members + "}")
        let text = try #require(socket.readText())
        let value = try JSONValue(parsing: text)
        let welcome = value.array?.first ?? value
        #expect(welcome["type"] == .string("welcome"), "\(text)")
        return welcome
    }

    @Test("A session outlives every end of its connection except `bye`", arguments: End.allCases)
    func resumes(end: End) throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let port = try RefreshdTests.announcement(of: daemon).port
        var token: JSONValue?
        var session: JSONValue?
        do {
            let socket = try Self.open(port)
            let welcome = try Self.welcome(socket)
            token = welcome["token"]
            session = welcome["session"]
            socket.send(end.frame)
            if end != .hangsUp {
                let code = socket.readClose()
                if end.breaksRules { #expect(code == StandardCloseCode.protocolError.rawValue) }
                if end == .sentBye { #expect(code == CloseCode.normal.rawValue) }
            }
        }
        let resume = JSONValue.object([
            .init("session", session ?? .null), .init("token", token ?? .null),
        ])
        let again = try Self.welcome(
            try Self.open(port), resuming: #","resume":"# + resume.text)
        #expect(again["resumed"] == .bool(end != .sentBye), "\(again.text)")
        #expect((again["session"] == session) == (end != .sentBye))
        #expect(StandardCloseCode.protocolError.keepsSession)
    }
}
