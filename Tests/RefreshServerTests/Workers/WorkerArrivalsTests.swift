import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshServer
@testable import RefreshSession

@Suite("Workers that have not registered")
struct WorkerArrivalsTests {
    private func network(_ number: Int) -> PeerNetwork? { PeerNetwork("192.0.2.\(number)") }

    @Test("If one address exceeds its limit, its own oldest connection is closed")
    func ofOne() {
        var arrivals = WorkerArrivals()
        _ = arrivals.insert(900, from: network(9), until: .never)
        for key in 0..<UInt64(WorkerArrivals.mostPerAddress) {
            #expect(arrivals.insert(key, from: network(1), until: .never) == nil)
        }
        #expect(arrivals.insert(100, from: network(1), until: .never) == 0)
        #expect(arrivals.insert(101, from: network(1), until: .never) == 1)
        #expect(arrivals.count == WorkerArrivals.mostPerAddress + 1)
    }

    @Test(
        "If a loop has too many connections, the address with the most of them loses its oldest one"
    )
    func ofAll() {
        var arrivals = WorkerArrivals()
        let worker: UInt64 = 900
        #expect(arrivals.insert(worker, from: network(100), until: .never) == nil)
        var gone: [UInt64] = []
        for key in 0..<500 as Range<UInt64> {
            gone +=
                arrivals.insert(key, from: network(Int(key % 9)), until: .never).map { [$0] } ?? []
        }
        #expect(gone.count == 501 - WorkerArrivals.most && !gone.contains(worker))
        #expect(arrivals.count == WorkerArrivals.most)
        arrivals.remove(worker)
        #expect(arrivals.count == WorkerArrivals.most - 1)
    }

    @Test("A worker that does not register in time is closed at its deadline")
    func overdue() {
        var arrivals = WorkerArrivals()
        for key in 0..<3 as Range<UInt64> {
            let until = Instant(milliseconds: Double(key) * 10 + 10)
            _ = arrivals.insert(key, from: nil, until: until)
        }
        arrivals.remove(1)
        #expect(arrivals.nextDeadline == Instant(milliseconds: 10))
        #expect(arrivals.removeOverdue(at: Instant(milliseconds: 9)).isEmpty)
        #expect(arrivals.removeOverdue(at: Instant(milliseconds: 10)) == [0])
        #expect(arrivals.removeOverdue(at: Instant(milliseconds: 30)) == [2])
        #expect(arrivals.nextDeadline == nil && arrivals.count == 0)
    }
}
