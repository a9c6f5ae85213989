import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread, .limit) struct ClientLoopTests {
    private enum LoopEvent: Hashable, Sendable {
        case opened(Int)
        case failed(Int, DialFailure)
        case received(Int, [UInt8])
        case closed(Int, UInt16)
        case woken(at: Int64)
    }

    /// Records its events, and runs a test's code for each new connection.
    private final class Handler: ClientHandler {
        private let events: Recorder<LoopEvent>
        private let onOpen: @Sendable (ClientConnection) -> Void
        let core: ClientCore

        init(
            _ events: Recorder<LoopEvent>, _ core: ClientCore,
            onOpen: @escaping @Sendable (ClientConnection) -> Void
        ) {
            self.events = events
            self.core = core
            self.onOpen = onOpen
        }

        func opened(_ connection: ClientConnection) {
            events.record(.opened(connection.number))
            onOpen(connection)
        }

        func failed(_ number: Int, _ failure: DialFailure) {
            events.record(.failed(number, failure))
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection) {
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            events.record(.received(connection.number, bytes))
        }

        func closed(_ connection: ClientConnection, code: UInt16) {
            events.record(.closed(connection.number, code))
        }

        func wakeupFired() { events.record(.woken(at: MonotonicClock.nowMicroseconds)) }
    }

    private static func loop(
        _ events: Recorder<LoopEvent>, trusting authorities: TLSAuthorities? = nil,
        onOpen: @escaping @Sendable (ClientConnection) -> Void = { _ in }
    ) throws -> ClientLoop {
        try ClientLoop(index: 0, trusting: authorities) { Handler(events, $0, onOpen: onOpen) }
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
        "Each connection of a loop receives its own answers in order, even if they are long",
        arguments: [false, true])
    func conversation(isEncrypted: Bool) throws {
        let files = try CertificateFolder()
        let pair = try files.make("clients", .curve)
        let server = try TestServer(
            identity: isEncrypted
                ? TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes) : nil)
        let events = Recorder<LoopEvent>()
        let long = [UInt8](repeating: 97, count: 60_000)
        let authorities = isEncrypted ? TLSAuthorities(file: files.authority) : nil
        let loop = try Self.loop(events, trusting: authorities) { connection in
            Self.send(Array("\(connection.number)".utf8), on: connection)
            // This is more than a socket accepts at once, so the rest is queued.
            for _ in 0..<40 { Self.send(long, on: connection) }
        }
        defer { loop.stop() }
        try Self.dial(server.url, 0..<20, on: loop)
        #expect(
            events.waitUntil { $0.count { if case .received = $0 { true } else { false } } == 820 })
        for number in 0..<20 {
            let received = events.all.compactMap { event -> [UInt8]? in
                guard case .received(number, let bytes) = event else { return nil }
                return bytes
            }
            #expect(received.first == Array("\(number)".utf8))
            #expect(received.dropFirst().allSatisfy { $0 == long })
        }
    }

    @Test("The end of a connection is reported once, with the server's close code")
    func closed() throws {
        let server = try TestServer { script in
            script.opened = { $0.close(code: 4_103, reason: "") }
        }
        let events = Recorder<LoopEvent>()
        let loop = try Self.loop(events)
        try Self.dial(server.url, 0..<1, on: loop)
        #expect(events.waitUntil { $0.contains(.closed(0, 4_103)) })
        loop.stop()
        #expect(events.all == [.opened(0), .closed(0, 4_103)])
    }

    @Test("An absent server, a refusal and wss without authorities are reported as failures")
    func failed() throws {
        let server = try TestServer { script in
            script.admit = { _ in .refuse(HTTPResponse(status: 403)) }
        }
        let events = Recorder<LoopEvent>()
        let loop = try Self.loop(events)
        defer { loop.stop() }
        try Self.dial("ws://127.0.0.1:1/", 0..<1, on: loop)
        try Self.dial(server.url, 1..<2, on: loop)
        try Self.dial("wss://127.0.0.1:1/", 2..<3, on: loop)
        #expect(events.waitUntil { $0.count == 3 })
        let numbers = events.all.map { event -> Int? in
            guard case .failed(let number, _) = event else { return nil }
            return number
        }
        #expect(Set(numbers) == [0, 1, 2])
        #expect(events.all.contains(.failed(1, .refused(status: 403))))
    }

    @Test("A later request replaces the time of the wakeup, and the wakeup is never early")
    func woken() throws {
        let events = Recorder<LoopEvent>()
        let loop = try Self.loop(events)
        defer { loop.stop() }
        let times = Recorder<Int64>()
        for delay in [Int64(60_000_000), 5_300, 250] {
            let count = events.all.count
            loop.post { handler in
                let at = MonotonicClock.nowMicroseconds + delay
                times.record(at)
                (handler as? Handler)?.core.scheduleWakeup(at: at)
            }
            if delay < 60_000_000 {
                #expect(events.waitUntil { $0.count == count + 1 })
            }
        }
        let woken = events.all.compactMap { event -> Int64? in
            guard case .woken(let at) = event else { return nil }
            return at
        }
        #expect(zip(woken, times.all.dropFirst()).allSatisfy { $0 >= $1 })
    }
}
