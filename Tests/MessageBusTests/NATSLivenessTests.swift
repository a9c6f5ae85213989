import Glibc
import Testing

@testable import MessageBus

@Suite("Pings of a connection to the bus")
struct NATSLivenessTests {
    /// Pings a server from `startMs` on as `BusLoop` does. `answers` and `traffic` describe the
    /// server at a time. Returns the time and the reason of the loss; nil if there is none within
    /// a minute.
    private func loss(
        from startMs: Int64, answers: (Int64) -> Bool,
        traffic: (Int64) -> NATSLiveness.Traffic = { _ in NATSLiveness.Traffic() }
    ) -> (atMs: Int64, reason: String)? {
        var liveness = NATSLiveness(at: startMs)
        var nowMs = liveness.nextPingMs
        while nowMs < startMs + 60_000 {
            liveness.begin(at: nowMs, traffic(nowMs))
            if answers(nowMs) {
                liveness.answer()
                nowMs = liveness.nextPingMs
            } else {
                nowMs += NATSLiveness.intervalMs
                if let reason = liveness.miss(at: nowMs, traffic(nowMs)) { return (nowMs, reason) }
            }
        }
        return nil
    }

    @Test("A server is lost three to four seconds after it has fallen silent")
    func silence() throws {
        for silentAtMs in stride(from: Int64(5000), to: 6000, by: 50) {
            let lost = try #require(loss(from: 0) { $0 < silentAtMs })
            #expect(3000...4000 ~= lost.atMs - silentAtMs)
            #expect(lost.reason == "The server did not answer for about 3 s.")
        }
        #expect(loss(from: 0) { _ in true } == nil)
    }

    @Test("A server that stands still for less than three seconds is not lost")
    func shortStop() {
        for stoppedAtMs in stride(from: Int64(5000), to: 6000, by: 50) {
            let continuedAtMs = stoppedAtMs + 2900
            // A ping that is sent to a server that stands still is answered when it continues.
            let lost = loss(from: 0) { pingAtMs in
                pingAtMs < stoppedAtMs || continuedAtMs < pingAtMs + NATSLiveness.intervalMs
            }
            #expect(lost == nil, "stopped at \(stoppedAtMs) ms")
        }
    }

    @Test("While bytes before the ping are accepted by the peer, the server is not lost")
    func sends() throws {
        // 20 MB wait at the beginning, of which 1 MB a second is accepted for 20 s.
        let lost = try #require(
            loss(from: 0) { _ in
                false
            } traffic: { nowMs in
                let sent = UInt64(min(nowMs, 20_000)) * 1000
                return NATSLiveness.Traffic(acknowledged: sent, waiting: 20_000_000 - sent)
            })
        #expect(23_000...24_000 ~= lost.atMs)
        // Pings and other bytes after the first ping do not count.
        let later = try #require(
            loss(from: 0) { _ in
                false
            } traffic: {
                NATSLiveness.Traffic(acknowledged: UInt64($0))
            })
        #expect(later.atMs == 4000)
    }

    @Test("A server that sends bytes without an answer is lost after 30 s")
    func receives() throws {
        let lost = try #require(
            loss(from: 0) { _ in
                false
            } traffic: {
                NATSLiveness.Traffic(received: UInt64($0))
            })
        #expect(lost.atMs == 31_000)
        #expect(lost.reason == "The server sent messages, but did not answer pings for 30 s.")
    }

    /// The times of the answered pings, and the reason of the loss, in two minutes with a server
    /// that answers each ping after `roundTripMs`, until `silentAtMs`.
    private func answers(
        after roundTripMs: Int64, until silentAtMs: Int64 = .max
    ) -> (times: [Int64], lostAtMs: Int64?) {
        var liveness = NATSLiveness(at: 0)
        var (sent, times): ([Int64], [Int64]) = ([], [])
        var nowMs = liveness.nextPingMs
        while nowMs < 120_000 {
            let traffic = { (nowMs: Int64) in
                let answered = sent.filter { $0 + roundTripMs <= min(nowMs, silentAtMs) }.count
                return NATSLiveness.Traffic(received: UInt64(6 * answered))
            }
            sent.append(nowMs)
            liveness.begin(at: nowMs, traffic(nowMs))
            let answerMs = nowMs + roundTripMs
            if roundTripMs <= liveness.waitMs, answerMs <= silentAtMs {
                liveness.answer()
                times.append(answerMs)
                nowMs = max(answerMs, liveness.nextPingMs)
            } else {
                nowMs += liveness.waitMs
                if liveness.miss(at: nowMs, traffic(nowMs)) != nil { return (times, nowMs) }
            }
        }
        return (times, nil)
    }

    @Test("A server whose round trip takes up to 2.9 seconds is not lost")
    func longRoundTrip() throws {
        for roundTripMs in stride(from: Int64(100), through: 2900, by: 100) {
            let (times, lostAtMs) = answers(after: roundTripMs)
            #expect(lostAtMs == nil, "\(roundTripMs) ms")
            let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(times.count > 10 && pauses.allSatisfy { $0 <= 10_000 }, "\(roundTripMs) ms")
        }
    }

    @Test("A server that falls silent after long round trips is lost within ten seconds")
    func silenceAfterLongRoundTrips() throws {
        for roundTripMs in stride(from: Int64(1100), through: 2900, by: 300) {
            for silentAtMs in stride(from: Int64(20_000), to: 32_000, by: 500) {
                let lostAtMs = try #require(answers(after: roundTripMs, until: silentAtMs).lostAtMs)
                #expect(lostAtMs - silentAtMs <= 10_000, "\(roundTripMs) ms, \(silentAtMs) ms")
            }
        }
    }

    @Test("A process that has stood still waits for an answer before the server is lost")
    func standstill() {
        var liveness = NATSLiveness(at: 0)
        liveness.begin(at: 1000, NATSLiveness.Traffic())
        #expect(liveness.miss(at: 3_600_000, NATSLiveness.Traffic()) == nil)
    }
}

@Suite("TLS records in a socket")
struct TLSRecordGateTests {
    private static let end = Int16(POLLIN) | TLSRecordGate.hangUp

    /// Two sockets that are connected with each other.
    private func pair() throws -> (near: NATSSocket, far: NATSSocket) {
        var sockets: [Int32] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
        defer { sockets.forEach { close($0) } }
        return (try #require(NATSSocket(sockets[0])), try #require(NATSSocket(sockets[1])))
    }

    private func send(_ bytes: [UInt8], on socket: NATSSocket) {
        let count = unsafe Glibc.send(socket.descriptor, bytes, bytes.count, 0)
        #expect(count == bytes.count)
    }

    private func mayRead(
        _ socket: NATSSocket, _ gate: inout TLSRecordGate, _ ready: Int16 = Int16(POLLIN)
    ) -> Bool {
        gate.mayRead(socket, ready)
    }

    @Test("A record is read when all of it is there, or when no more can come")
    func records() throws {
        let (near, far) = try pair()
        var gate = TLSRecordGate()
        #expect(!mayRead(near, &gate))
        send([23, 3], on: far)
        #expect(!mayRead(near, &gate))
        send([3, 1, 0], on: far)
        #expect(!mayRead(near, &gate))
        send([UInt8](repeating: 0, count: 255), on: far)
        // Something else has woken the thread. (The socket itself is reported only when it is
        // complete, or when the system has no memory for the rest.)
        var other = gate
        #expect(mayRead(near, &other))
        #expect(mayRead(near, &gate, Self.end))
        send([0], on: far)
        #expect(mayRead(near, &gate))
    }

    @Test("A socket without TLS is read at once")
    func plain() throws {
        let (near, far) = try pair()
        var gate = TLSRecordGate()
        send(Array("MSG".utf8), on: far)
        #expect(mayRead(near, &gate))
        // Later bytes may be of any kind.
        var byte: [UInt8] = [0, 0, 0]
        #expect(unsafe recv(near.descriptor, &byte, 3, 0) == 3)
        send([23], on: far)
        #expect(mayRead(near, &gate))
    }
}
