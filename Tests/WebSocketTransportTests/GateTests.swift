import Foundation
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct GateTests {
    /// Sends a request that the server must refuse. Returns the status and the code of the refusal.
    /// Checks that the connection ends after the refusal.
    private func refusal(
        _ server: TestServer, _ request: (RawPeer) -> Void
    ) throws -> (status: Int, code: String) {
        let peer = try #require(RawPeer(port: server.port))
        request(peer)
        let bytes = try #require(peer.readToEnd())
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.components(separatedBy: "\r\n\r\n")
        try #require(parts.count == 2, "\(text)")
        let status = try #require(Int(parts[0].split(separator: " ")[1]))
        #expect(parts[0].lowercased().contains("content-type: application/json"))
        #expect(parts[0].lowercased().contains("content-length: \(parts[1].utf8.count)"))
        #expect(parts[0].lowercased().contains("connection: close"))
        let body = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: String]
        #expect(body?["message"]?.isEmpty == false)
        return (status, try #require(body?["code"]))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var status: Int
        var code: String
        var method = "GET"
        var version = "HTTP/1.1"
        var headers: [String: String?] = [:]
        var testDescription: String { name }
    }

    private static let malformed: [Case] = [
        Case(
            name: "version 12 of WebSocket", status: 426, code: "versionUnsupported",
            headers: ["Sec-WebSocket-Version": "12"]),
        Case(
            name: "no version of WebSocket", status: 426, code: "versionUnsupported",
            headers: ["Sec-WebSocket-Version": nil]),
        Case(name: "POST", status: 405, code: "methodNotAllowed", method: "POST"),
        Case(name: "PUT", status: 405, code: "methodNotAllowed", method: "PUT"),
        Case(
            name: "an upgrade to h2c", status: 400, code: "upgradeUnknown",
            headers: [
                "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
                "Connection": "Upgrade, HTTP2-Settings",
            ]),
        Case(name: "HTTP/1.0", status: 400, code: "versionUnknown", version: "HTTP/1.0"),
        Case(
            name: "no Sec-WebSocket-Key", status: 400, code: "keyHeader",
            headers: ["Sec-WebSocket-Key": nil]),
        Case(
            name: "a key that is too short", status: 400, code: "keyHeader",
            headers: ["Sec-WebSocket-Key": "abc"]),
        Case(
            name: "no Connection", status: 400, code: "connectionHeader",
            headers: ["Connection": nil]),
        Case(
            name: "Connection: close", status: 400, code: "connectionHeader",
            headers: ["Connection": "close"]),
        Case(name: "no Host", status: 400, code: "hostMissing", headers: ["Host": nil]),
        Case(
            name: "a request with a body", status: 400, code: "bodyRefused",
            headers: ["Content-Length": "5"]),
        Case(
            name: "Content-Length with a blank before the colon", status: 400,
            code: "headMalformed",
            headers: ["Content-Length ": "5"]),
        Case(
            name: "Content-Length with a tab before the colon", status: 400, code: "headMalformed",
            headers: ["content-length\t": "5"]),
        Case(
            name: "Transfer-Encoding with a blank before the colon", status: 400,
            code: "headMalformed",
            headers: ["Transfer-Encoding ": "chunked"]),
        Case(
            name: "only unknown subprotocols", status: 400, code: "subprotocolUnknown",
            headers: ["Sec-WebSocket-Protocol": "chat, refresh.v2"]),
        Case(
            name: "the listener's name as subprotocol", status: 400, code: "subprotocolUnknown",
            headers: ["Sec-WebSocket-Protocol": "listener"]),
        Case(
            name: "a malformed list of subprotocols", status: 400, code: "subprotocolUnknown",
            headers: ["Sec-WebSocket-Protocol": "refresh.v1,,\"x\""]),
    ]

    @Test(
        "A malformed upgrade is refused with a status and a JSON body, and does not open",
        arguments: malformed)
    func refusesMalformed(_ test: Case) throws {
        let opened = Recorder<Int>()
        let server = try TestServer { script in script.opened = { opened.record($0.tag) } }
        let refused = try refusal(server) { peer in
            peer.sendUpgrade(method: test.method, version: test.version, headers: test.headers)
        }
        #expect(refused.status == test.status)
        #expect(refused.code == test.code)
        #expect(opened.all.isEmpty)
    }

    @Test("Only the refusal of subprotocols names a page of the documentation")
    func namesPage() throws {
        let server = try TestServer()
        let bodies = try [["Sec-WebSocket-Protocol": "chat"], ["Host": nil]].map { headers in
            let peer = try #require(RawPeer(port: server.port))
            peer.sendUpgrade(headers: headers)
            let text = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
            return try #require(text.components(separatedBy: "\r\n\r\n").last)
        }
        #expect(
            bodies == [
                #"{"code":"subprotocolUnknown","message":"None of the offered subprotocols is "#
                    + #"supported.","page":"docs/start.md#subprotocol"}"#,
                #"{"code":"hostMissing","message":"The Host header is missing."}"#,
            ])
    }

    @Test("A HEAD request for an upgrade is refused without a body")
    func head() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        peer.sendUpgrade(method: "HEAD")
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test("The handler's refusals are sent unchanged", arguments: [403, 404, 503])
    func handlerRefuses(_ status: Int) throws {
        let server = try TestServer { script in
            script.admit = { _ in .refuse(.fault(status: status, code: "no", message: "No.")) }
        }
        let refused = try refusal(server) { $0.sendUpgrade() }
        #expect(refused.status == status)
        #expect(refused.code == "no")
    }

    @Test("The handler gets the request as it was sent")
    func requestSeen() throws {
        let seen = Recorder<UpgradeRequest>()
        let server = try TestServer { script in
            script.admit = {
                seen.record($0)
                return .refuse(HTTPResponse(status: 403))
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        peer.sendUpgrade(
            path: "/a%20b?x=1&y=2%263",
            headers: [
                "Host": "localhost:1", "Origin": "http://o",
                "Sec-WebSocket-Protocol": "a, refresh.v1",
            ])
        #expect(peer.readHead().hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(
            seen.all == [
                UpgradeRequest(
                    path: "/a b", arguments: ["x=1", "y=2&3"], host: "localhost:1",
                    origin: "http://o",
                    subprotocols: ["a", "refresh.v1"], peerAddress: "127.0.0.1",
                    localAddress: "127.0.0.1", localPort: server.port)
            ])
    }

    @Test("The supported subprotocol is chosen, and none is sent if none was offered")
    func subprotocol() throws {
        let server = try TestServer()
        let one = try #require(RawPeer(port: server.port))
        let chosen = one.upgrade(headers: ["Sec-WebSocket-Protocol": "chat, listener, refresh.v1"])
        #expect(chosen.hasPrefix("HTTP/1.1 101 "))
        #expect(chosen.lowercased().contains("sec-websocket-protocol: refresh.v1\r\n"))
        #expect(chosen.lowercased().contains("s3pplmbitxaq9kygzzhzrbk+xoo=") == true)
        let two = try #require(RawPeer(port: server.port))
        let none = two.upgrade()
        #expect(none.hasPrefix("HTTP/1.1 101 "))
        #expect(!none.lowercased().contains("sec-websocket-protocol"))
        #expect(!none.lowercased().contains("extensions"))
    }

    @Test(
        "CONNECT, the HTTP/2 preface and an unknown method are not accepted",
        arguments: [
            "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nraw",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "BREW / HTTP/1.1\r\n\r\n",
        ])
    func otherProtocols(_ text: String) throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        peer.send(text)
        let answer = try #require(peer.readToEnd())
        #expect(!String(decoding: answer, as: UTF8.self).contains(" 101 "))
        #expect(!String(decoding: answer, as: UTF8.self).contains(" 200 "))
    }

    @Test("An upgrade to an unknown protocol is refused, also on a connection that is kept alive")
    func unknownUpgrade() throws {
        let server = try TestServer { script in
            script.respond = { _ in HTTPResponse(status: 200, body: Array("ok".utf8)) }
        }
        let peer = try #require(RawPeer(port: server.port))
        for _ in 0..<2 {
            peer.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(peer.readAnswer().body == Array("ok".utf8))
        }
        peer.sendUpgrade(headers: ["Upgrade": "tls/1.0"])
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 403 ") || answer.hasPrefix("HTTP/1.1 400 "))
        #expect(server.onLoop { $0.connectionCount } == 0)
    }
}
