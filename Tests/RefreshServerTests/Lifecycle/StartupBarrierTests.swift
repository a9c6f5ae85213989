import Synchronization
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Startup barrier", .ownThread, .limit)
struct StartupBarrierTests {
    @Test("When the first request is served, all loops exist")
    func first() throws {
        let loops = 8
        for _ in 0..<20 {
            let daemon = try TestDaemon(loops: loops)
            let socket = try PlainSocket(port: daemon.port)
            socket.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n\r\n")
            #expect(socket.readHead().hasPrefix("HTTP/1.1 200 "))
            #expect((0..<loops).allSatisfy { daemon.server.handlers[$0] != nil })
        }
    }

    @Test("A daemon can be stopped directly after its start. An unstarted server can be freed")
    func stopped() throws {
        for _ in 0..<20 {
            let daemon = try TestDaemon(loops: 4)
            daemon.server.stop()
        }
        let configuration = try Configuration(
            flags: ConfigurationFlags(),
            file: ConfigurationFile(text: "listen: 127.0.0.1:0", path: "refreshd.yaml"))
        _ = try Server(configuration, log: .silent)
    }
}
