import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("Memory readings")
struct MemoryReadingTests {
    @Test("Above the limit, no client is admitted. More than 1 % above the limit, sessions end")
    func levels() {
        func reading(_ used: Int) -> MemoryReading { MemoryReading(used: used, bound: 1000) }
        #expect(!reading(1000).isShort)
        #expect(reading(1000).room == 0)
        #expect(reading(900).room == 100)
        #expect(reading(1001).isShort)
        #expect(reading(1001).room == 0)
        #expect(reading(1010).excess == 0)
        // Sessions end until usage is 3 % below the limit.
        #expect(reading(1011).excess == 41)
    }

    @Test("No session ends for memory that is reclaimable or that other processes use")
    func notTheirs() {
        var reading = MemoryReading(used: 1100, bound: 1000, reclaimable: 90)
        #expect(reading.isShort)
        #expect(reading.excess == 0)
        reading.reclaimable = 80
        #expect(reading.excess == 50)
        reading.isOthers = true
        #expect(reading.isShort)
        #expect(reading.excess == 0)
    }

    @Test("The reserve is a tenth of the address space, but at least 96 MiB and at most half of it")
    func addressSpace() throws {
        let mib = 1_048_576
        #expect(AddressSpace(limit: nil) == nil)
        func bound(_ limit: Int) throws -> Int {
            try #require(AddressSpace(limit: limit) { 0 }).reading(mapped: 0).bound
        }
        #expect(try bound(2000 * mib) == 1800 * mib)
        #expect(try bound(400 * mib) == 304 * mib)
        #expect(try bound(100 * mib) == 50 * mib)
    }

    @Test("Free heap memory counts as free address space, and is determined only if needed")
    func freeHeap() throws {
        let mib = 1_048_576
        let space = try #require(AddressSpace(limit: 1000 * mib) { 100 * mib })
        #expect(space.reading(mapped: 900 * mib).used == 900 * mib)
        #expect(space.reading(mapped: 950 * mib).used == 850 * mib)
        #expect(!space.reading(mapped: 1000 * mib).isShort)
        #expect(space.reading(mapped: 1001 * mib).isShort)
    }
}

@Suite("The times at which free memory is returned")
struct MemoryTrimScheduleTests {
    /// Returns, for each second, whether free memory goes back to the kernel. `left` contains the
    /// number of sessions that have ended up to each second.
    private static func moments(_ left: [Int]) -> [Bool] {
        var trimSchedule = MemoryTrimSchedule()
        return left.enumerated().map { second, left in
            trimSchedule.isTrimDue(ended: left, at: Instant(milliseconds: Double(second) * 1000))
        }
    }

    @Test("After many sessions have ended, memory is returned to the kernel once")
    func afterManySessions() {
        #expect(
            Self.moments([0, 3000, 6000, 7990, 8000, 8000, 8001])
                == [false, false, false, false, true, false, false])
    }

    @Test("If only a few sessions have ended, no memory is returned")
    func few() {
        #expect(
            Self.moments([0, 100, 200, 255, 255, 256]) == [false, false, false, false, false, true])
    }

    @Test("Memory is returned at most once in ten seconds")
    func pause() {
        var left = 0
        let moments = Self.moments(
            (0..<24).map { second in
                if second % 2 == 1 { left += 300 }
                return left
            })
        let when = moments.indices.filter { moments[$0] }
        #expect(when == [2, 12, 22])
    }
}
