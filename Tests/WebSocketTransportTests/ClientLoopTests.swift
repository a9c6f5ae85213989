import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread, .limit) struct ClientLoopTests {
    private enum News: Hashable, Sendable {
        case opened(Int)
        case failed(Int, DialFailure)
        case received(Int, [UInt8])
        case closed(Int, UInt16)
        case woken(at: Int64)
    }

    /// Records its events, and runs a test's code for each new connection.
    private final class Handler: ClientHandler {
        private let news: Recorder<News>
        private let greet: @Sendable (ClientConnection) -> Void
        let core: ClientCore

        init(
            _ news: Recorder<News>, _ core: ClientCore,
            greet: @escaping @Sendable (ClientConnection) -> Void
        ) {
            self.news = news
            self.core = core
            self.greet = greet
        }

        func opened(_ connection: ClientConnection) {
            news.note(.opened(connection.number))
            greet(connection)
        }

        func failed(_ number: Int, _ failure: DialFailure) { news.note(.failed(number, failure)) }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection) {
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            news.note(.received(connection.number, bytes))
        }

        func closed(_ connection: ClientConnection, code: UInt16) {
            news.note(.closed(connection.number, code))
        }

        func wakeupFired() { news.note(.woken(at: MonotonicClock.nowMicroseconds)) }
    }

    private static func loop(
        _ news: Recorder<News>, trusting authorities: TLSAuthorities? = nil,
        greet: @escaping @Sendable (ClientConnection) -> Void = { _ in }
    ) throws -> ClientLoop {
        try ClientLoop(index: 0, trusting: authorities) { Handler(news, $0, greet: greet) }
    }

    private static func dial(_ url: String, _ numbers: Range<Int>, on loop: ClientLoop) throws {
        let target = try #require(DialTarget(url: url))
        loop.post { handler in
            for number in numbers { (handler as? Handler)?.core.dial(target, number: number) }
        }
    }

    /// Sends bytes after the required headroom.
    private static func send(_ payload: [UInt8], on connection: ClientConnection) {
        var bytes = [UInt8](repeating: 0, count: ClientConnection.headroom) + payload
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            let payload = unsafe UnsafeMutableBufferPointer(
                rebasing: buffer[ClientConnection.headroom...])
            unsafe connection.send(payload)
        }
    }

    @Test(
        "Each connection of a loop gets its own answers, short and long, in order",
        arguments: [false, true])
    func conversation(isEncrypted: Bool) throws {
        let files = try CertificateFolder()
        let pair = try files.make("clients", .curve)
        let server = try TestServer(
            identity: isEncrypted
                ? TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes) : nil)
        let news = Recorder<News>()
        let long = [UInt8](repeating: 97, count: 60_000)
        let authorities = isEncrypted ? TLSAuthorities(file: files.authority) : nil
        let loop = try Self.loop(news, trusting: authorities) { connection in
            Self.send(Array("\(connection.number)".utf8), on: connection)
            // This is more than a socket accepts at once, so the rest is queued.
            for _ in 0..<40 { Self.send(long, on: connection) }
        }
        defer { loop.stop() }
        try Self.dial(server.url, 0..<20, on: loop)
        #expect(
            news.waitUntil { $0.count { if case .received = $0 { true } else { false } } == 820 })
        for number in 0..<20 {
            let received = news.all.compactMap { event -> [UInt8]? in
                guard case .received(number, let bytes) = event else { return nil }
                return bytes
            }
            #expect(received.first == Array("\(number)".utf8))
            #expect(received.dropFirst().allSatisfy { $0 == long })
        }
    }

    @Test("The end of a connection is reported once, with the server's code")
    func closed() throws {
        let server = try TestServer { script in
            script.opened = { $0.close(code: 4_103, reason: "") }
        }
        let news = Recorder<News>()
        let loop = try Self.loop(news)
        try Self.dial(server.url, 0..<1, on: loop)
        #expect(news.waitUntil { $0.contains(.closed(0, 4_103)) })
        loop.stop()
        #expect(news.all == [.opened(0), .closed(0, 4_103)])
    }

    @Test("An absent server, a refusal and wss without authorities are reported as failures")
    func failed() throws {
        let server = try TestServer { script in
            script.admit = { _ in .refuse(HTTPResponse(status: 403)) }
        }
        let news = Recorder<News>()
        let loop = try Self.loop(news)
        defer { loop.stop() }
        try Self.dial("ws://127.0.0.1:1/", 0..<1, on: loop)
        try Self.dial(server.url, 1..<2, on: loop)
        try Self.dial("wss://127.0.0.1:1/", 2..<3, on: loop)
        #expect(news.waitUntil { $0.count == 3 })
        let numbers = news.all.map { event -> Int? in
            guard case .failed(let number, _) = event else { return nil }
            return number
        }
        #expect(Set(numbers) == [0, 1, 2])
        #expect(news.all.contains(.failed(1, .refused(status: 403))))
    }

    @Test("The wakeup fires at the last requested time, never before")
    func woken() throws {
        let news = Recorder<News>()
        let loop = try Self.loop(news)
        defer { loop.stop() }
        let times = Recorder<Int64>()
        for delay in [Int64(60_000_000), 5_300, 250] {
            loop.post { handler in
                let at = MonotonicClock.nowMicroseconds + delay
                times.note(at)
                (handler as? Handler)?.core.scheduleWakeup(at: at)
            }
            if delay < 60_000_000 {
                let count = news.all.count
                #expect(news.waitUntil { $0.count == count + 1 })
            }
        }
        let woken = news.all.compactMap { event -> Int64? in
            guard case .woken(let at) = event else { return nil }
            return at
        }
        #expect(zip(woken, times.all.dropFirst()).allSatisfy { $0 >= $1 })
    }
}
