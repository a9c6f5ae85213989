import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct ForwardingTests {
    private struct RecordedRequest: Equatable {
        var peer: String
        var client: String
        var isEncrypted: Bool
    }

    private func server(trusting range: String?, _ requests: Recorder<RecordedRequest>) throws
        -> TestServer
    {
        let ranges = range.flatMap { AddressRange($0) }.map { [$0] } ?? []
        return try TestServer(proxies: TrustedProxies(ranges)) { script in
            script.admit = {
                requests.record(
                    RecordedRequest(
                        peer: $0.peerAddress, client: $0.clientAddress, isEncrypted: $0.isEncrypted)
                )
                return .accept(messageBytesMax: 1_024, tag: 0)
            }
            script.respond = {
                requests.record(
                    RecordedRequest(
                        peer: $0.peerAddress, client: $0.clientAddress, isEncrypted: $0.isEncrypted)
                )
                return HTTPResponse(status: 204)
            }
        }
    }

    @Test("For upgrades and other requests, the client address is the one in the proxy's header")
    func forwarded() throws {
        let requests = Recorder<RecordedRequest>()
        let server = try server(trusting: "127.0.0.0/8", requests)
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade(headers: [
            "X-Forwarded-For": "198.51.100.1, 203.0.113.7", "X-Forwarded-Proto": "https",
        ])
        let other = try #require(RawPeer(port: server.port))
        other.send(
            "GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nx-forwarded-for: 198.51.100.1\r\n"
                + "X-FORWARDED-FOR: 203.0.113.8\r\nX-Forwarded-Proto: http\r\n\r\n")
        _ = other.readHead()
        #expect(
            requests.all == [
                RecordedRequest(peer: "127.0.0.1", client: "203.0.113.7", isEncrypted: true),
                RecordedRequest(peer: "127.0.0.1", client: "203.0.113.8", isEncrypted: false),
            ])
    }

    @Test("The handler gets only the headers it names, even those unknown to libwebsockets")
    func wanted() throws {
        let requests = Recorder<[UpgradeRequest.Header]>()
        let server = try TestServer { script in
            script.capturedHeaderNames = [
                "cookie", "x-own", "authorization", "x-none", "accept-language",
            ]
            script.admit = {
                requests.record($0.headers)
                return .accept(messageBytesMax: 1_024, tag: 0)
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade(headers: [
            "Cookie": "a=1; b=2", "X-Own": "é~", "X-OTHER": "no", "Authorization": "Bearer x",
            "Accept-Language": "de", "X-Own-Too": "no", "X-None": "",
        ])
        typealias Header = UpgradeRequest.Header
        #expect(
            requests.all == [
                [
                    Header(name: "cookie", value: "a=1; b=2"), Header(name: "x-own", value: "é~"),
                    Header(name: "authorization", value: "Bearer x"),
                    Header(name: "accept-language", value: "de"),
                ]
            ])
    }

    @Test("When a connection opens, it has the owner that the handler gave in `accept`")
    func ownerIsRetained() throws {
        final class Owner: Sendable {}
        let owner = Owner()
        let opened = Recorder<Bool>()
        let server = try TestServer { script in
            script.admit = { _ in .accept(messageBytesMax: 1_024, tag: 0, owner: owner) }
            script.opened = { opened.record($0.owner === owner) }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        #expect(server.onLoop { _ in true } == true)
        #expect(opened.all == [true])
    }

    @Test("A peer's forwarding headers are ignored until the running loop trusts the peer")
    func trusted() throws {
        let requests = Recorder<RecordedRequest>()
        let server = try server(trusting: "10.0.0.0/8", requests)
        for range in [nil, "127.0.0.1"] {
            if let range = range.flatMap({ AddressRange($0) }) {
                _ = server.onLoop { $0.trust(TrustedProxies([range])) }
            }
            let peer = try #require(RawPeer(port: server.port))
            _ = peer.upgrade(headers: [
                "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https",
            ])
        }
        #expect(
            requests.all == [
                RecordedRequest(peer: "127.0.0.1", client: "127.0.0.1", isEncrypted: false),
                RecordedRequest(peer: "127.0.0.1", client: "203.0.113.7", isEncrypted: true),
            ])
    }
}
