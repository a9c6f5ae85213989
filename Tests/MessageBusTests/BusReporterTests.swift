import Synchronization
import Testing

@testable import MessageBus

@Suite("The reporter of events of the bus")
struct BusReporterTests {
    @Test("An event needs no more stack than the events before it")
    func stack() {
        let count = Atomic<Int>(0)
        let reporter = BusReporter { _ in count.add(1, ordering: .relaxed) }
        for _ in 0..<200_000 { reporter.report(.connected(server: "")) }
        #expect(count.load(ordering: .relaxed) == 200_000)
        reporter.close()
        reporter.report(.connected(server: ""))
        #expect(count.load(ordering: .relaxed) == 200_000)
    }
}
