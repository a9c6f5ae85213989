import Foundation
import Testing
import Workbench

/// Tests what a daemon can still do while its clients use all file descriptors that clients may
/// use.
@Suite("File reserve", .ownThread, .limit)
struct FileReserveTests {
    private static func get(_ path: String, _ port: UInt16) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    }

    /// Creates a configuration file with a feed of three songs, and the file of these songs.
    private static func configuration(_ yaml: String) throws -> TemporaryFile {
        let feed = "{ backend: file, path: songs.csv, format: csv, paging: page, size: 2 }"
        let file = try TemporaryFile(
            "refreshd.yaml", "\(yaml)\nadmin: 127.0.0.1:0\nfeeds: { songs: \(feed) }\n")
        let songs = URL(filePath: file.path).deletingLastPathComponent()
            .appending(path: "songs.csv")
        try Data("name\nOne\nTwo\nThree\n".utf8).write(to: songs)
        return file
    }

    private static func daemon(
        _ configuration: TemporaryFile, openFilesMax: Int
    ) throws -> (RunningDaemon, [UInt16]) {
        let daemon = try RunningDaemon(
            ["--listen", "127.0.0.1:0", "--loops", "2", "--config", configuration.path],
            openFilesMax: openFilesMax)
        let ports = try #require(daemon.firstLine()).matches(of: /"port":([0-9]+)/)
            .compactMap { UInt16($0.output.1) }
        return (daemon, ports)
    }

    /// Opens connections until three in a row are refused, or `most` are accepted. Returns the
    /// accepted connections.
    private static func fill(_ port: UInt16, most: Int) throws -> [PlainSocket] {
        var held: [PlainSocket] = []
        var refusals = 0
        while refusals < 3, held.count < most {
            let socket = try PlainSocket(port: port)
            socket.send(get("/healthz", port))
            if socket.readHead().hasPrefix("HTTP/1.1 200 ") {
                #expect(socket.readBody(bytes: 3) == "ok\n")
                held.append(socket)
                refusals = 0
            } else {
                refusals += 1
            }
        }
        return held
    }

    /// Opens a session with a view of `songs`. A refused attempt is repeated, because an earlier
    /// connection may not be closed yet.
    private static func session(_ port: UInt16) throws -> PlainSocket {
        for _ in 0..<500 * patience {
            if let socket = try admitted(port) { return socket }
            usleep(10_000)
        }
        throw Refused()
    }

    private struct Refused: Error {}

    private static func admitted(_ port: UInt16) throws -> PlainSocket? {
        let socket = try PlainSocket(port: port)
        socket.send(
            "GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        guard socket.readHead().hasPrefix("HTTP/1.1 101 ") else { return nil }
        socket.sendText(
            #"{"type":"hello","protocol":1,"views":[{"view":"l","profile":"default","feed":"songs","#
                + #""geometry":{"viewport":{"width":390,"height":800}}}]}"#)
        return socket
    }

    /// Requests a refresh, and returns the message with the items of the backend.
    private static func refresh(_ session: PlainSocket, seq: Int) throws -> String {
        session.sendText(#"{"type":"refresh","view":"l","seq":\#(seq)}"#)
        return try #require(message(#""type":"items""#, on: session))
    }

    /// Reads until a message contains `text`, and returns that message. Returns nil at the end of
    /// the connection.
    private static func message(_ text: String, on socket: PlainSocket) -> String? {
        while let message = socket.readText() {
            if message.contains(text) { return message }
        }
        return nil
    }

    @Test(
        "Admin requests, loads and requested journals work if clients use all files they may use",
        arguments: [96, 200])
    func reserve(_ openFilesMax: Int) throws {
        let configuration = try Self.configuration(
            """
            limits: { headTimeoutMs: 600000 }
            journalOnRequest: journals
            """)
        let (daemon, ports) = try Self.daemon(configuration, openFilesMax: openFilesMax)
        // The line contains the port of the first listener twice; the last port is that of `admin`.
        let (port, admin) = (try #require(ports.first), try #require(ports.last))
        try #require(port != admin)
        #expect(daemon.log.contains("clientFiles=\(openFilesMax * 3 / 4)"), "\(daemon.log)")
        let session = try Self.session(port)
        let welcome = try #require(Self.message(#""type":"welcome""#, on: session))
        let name = try #require(welcome.firstMatch(of: /"session":"([0-9a-f]+)"/)).output.1

        let held = try Self.fill(port, most: openFilesMax)
        #expect(held.count >= openFilesMax / 4)
        #expect(held.count <= openFilesMax * 3 / 4)

        // The backend opens its file again for each load.
        for index in 1...3 {
            #expect(try Self.refresh(session, seq: index).contains("One"))
        }
        // Eight connections are more than the two descriptors that are reserved for answers.
        var operators: [PlainSocket] = []
        for _ in 0..<8 {
            let socket = try PlainSocket(port: admin)
            socket.send(Self.get("/healthz", admin))
            #expect(socket.readHead().hasPrefix("HTTP/1.1 200 "))
            operators.append(socket)
        }
        let journal = try PlainSocket(port: admin)
        journal.send(
            "POST /v1/sessions/\(name)/journal HTTP/1.1\r\nHost: 127.0.0.1:\(admin)\r\n\r\n")
        #expect(journal.readHead().hasPrefix("HTTP/1.1 200 "))
        let late = try PlainSocket(port: port)
        late.send(Self.get("/healthz", port))
        #expect(late.readHead().hasPrefix("HTTP/1.1 503 "))
        _ = held.count + operators.count
    }

    @Test("A session whose journal gets no file continues, and does not use the reserve")
    func journals() throws {
        let configuration = try Self.configuration(
            """
            journal: journals
            """)
        let (daemon, ports) = try Self.daemon(configuration, openFilesMax: 80)
        let (port, admin) = (try #require(ports.first), try #require(ports.last))
        // Each session outlives its connection and waits for its client. Until then, its journal
        // stays open.
        for _ in 0..<80 {
            let session = try Self.session(port)
            try #require(try Self.refresh(session, seq: 1).contains("One"))
        }
        #expect(daemon.logs("journal ended"), "\(daemon.log)")
        let socket = try PlainSocket(port: admin)
        socket.send(Self.get("/metrics", admin))
        #expect(socket.readHead().hasPrefix("HTTP/1.1 200 "))
        let files = try FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(daemon.processIdentifier)/fd")
        #expect(files.count <= 70)
    }
}
