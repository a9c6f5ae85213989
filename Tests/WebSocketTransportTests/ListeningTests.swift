import Foundation
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct ListeningTests {
    /// Waits until the listening addresses on a port are exactly `addresses`, with the same
    /// repetitions, in the form of /proc/net/tcp and tcp6.
    private func isListening(on port: UInt16, at addresses: [String]) -> Bool {
        eventually {
            let rows = ["tcp", "tcp6"].flatMap { (try? KernelTable.listening($0)) ?? [] }
            return addresses
                == rows.compactMap { row in
                    let parts = row.split(separator: ":")
                    guard parts.count == 2, UInt16(parts[1], radix: 16) == port else { return nil }
                    return String(parts[0])
                }
        }
    }

    @Test(
        "The error for an address that cannot be used contains a remedy",
        arguments: [
            (
                EADDRINUSE,
                "the address is in use; end the program that listens there, or choose another port."
            ),
            (
                EADDRNOTAVAIL,
                "it is not an address of this machine; choose one that `ip address` shows."
            ),
            (
                EACCES,
                "this user may not listen there; choose port 1024 or above, or give the program "
                    + "CAP_NET_BIND_SERVICE."
            ),
            (ENOBUFS, "bind failed: no room."),
        ])
    func remedies(errno: Int32, expected: String) {
        let error = TransportError.listenFailed(
            address: "127.0.0.1:80", step: "bind", errno: errno, reason: "no room")
        #expect(error.description == "Cannot listen on 127.0.0.1:80: " + expected)
    }

    @Test("A loop on 127.0.0.1 listens only there")
    func ipv4() throws {
        let server = try TestServer(host: "127.0.0.1", loops: 2)
        #expect(server.port != 0)
        #expect(isListening(on: server.port, at: ["0100007F", "0100007F"]))
        #expect(RawPeer(host: "::1", port: server.port) == nil)
    }

    @Test("A loop on ::1 listens only there")
    func ipv6() throws {
        let server = try TestServer(host: "::1")
        #expect(isListening(on: server.port, at: ["00000000000000000000000001000000"]))
        #expect(RawPeer(host: "127.0.0.1", port: server.port) == nil)
        let peer = try #require(RawPeer(host: "::1", port: server.port))
        #expect(peer.upgrade().hasPrefix("HTTP/1.1 101 "))
    }

    @Test("A listening socket states its address, its port, and whether it is only local")
    func facts() throws {
        let one = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        defer { one.close() }
        #expect(one.address == "127.0.0.1")
        #expect(one.isLoopback)
        let six = try ListeningSocket.open(host: "::1", port: 0)
        defer { six.close() }
        #expect(six.address == "::1")
        #expect(six.isLoopback)
    }

    @Test(
        "Only address literals are accepted", arguments: ["localhost", "1.2.3.4.5", "[::1]"])
    func literals(_ host: String) {
        #expect(throws: TransportError.addressInvalid(host: host)) {
            try ListeningSocket.open(host: host, port: 0)
        }
    }

    @Test("A port that several sockets share cannot be opened again")
    func taken() throws {
        let group = try ListeningSocket.openGroup(host: "127.0.0.1", port: 0, count: 2)
        defer { for socket in group { socket.close() } }
        let port = try #require(group.first?.port)
        #expect(group.allSatisfy { $0.port == port })
        do {
            _ = try ListeningSocket.openGroup(host: "127.0.0.1", port: port, count: 1)
            Issue.record("the port was opened again")
        } catch {
            #expect("\(error)".contains("127.0.0.1:\(port)"))
        }
    }

    @Test("All loops that share a port get connections, and all connections have distinct keys")
    func shared() throws {
        let opened = Recorder<UInt64>()
        let server = try TestServer(loops: 3) { script in script.opened = { opened.record($0.key) }
        }
        var peers: [RawPeer] = []
        // The kernel distributes connections by a hash of the peer's port. With 200 connections, no
        // loop stays idle.
        for _ in 0..<200 {
            let peer = try #require(RawPeer(port: server.port))
            #expect(peer.upgrade().hasPrefix("HTTP/1.1 101 "))
            peers.append(peer)
        }
        #expect(opened.waitUntil { $0.count == 200 })
        #expect(Set(opened.all).count == 200)
        #expect(Set(opened.all.map { $0 >> 56 }) == [0, 1, 2])
    }

    @Test("Closed listeners accept no connections, and open connections continue")
    func closeListeners() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        server.loop.post { [loop = server.loop] in loop.closeListeners() }
        #expect(eventually { RawPeer(port: server.port) == nil })
        peer.sendFrame(Array("still".utf8))
        #expect(peer.readFrame()?.text == "still")
    }
}
