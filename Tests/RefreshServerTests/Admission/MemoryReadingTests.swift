import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("How much memory is too much")
struct MemoryReadingTests {
    @Test("above the bound nobody new comes in; those who are there go from 1 % above on")
    func levels() {
        func reading(_ used: Int) -> MemoryReading { MemoryReading(used: used, bound: 1000) }
        #expect(!reading(1000).isShort)
        #expect(reading(1000).room == 0)
        #expect(reading(900).room == 100)
        #expect(reading(1001).isShort)
        #expect(reading(1001).room == 0)
        #expect(reading(1010).excess == 0)
        // Down to 3 % below.
        #expect(reading(1011).excess == 41)
    }

    @Test("nobody who is connected goes for what the kernel can take back, or for what others use")
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

    @Test("an address space is short when a tenth of it is left, at least 96 MiB, and at most half")
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

    @Test("what the heap has free in it is free address space, and is not looked for in vain")
    func freeHeap() throws {
        let mib = 1_048_576
        let space = try #require(AddressSpace(limit: 1000 * mib) { 100 * mib })
        #expect(space.reading(mapped: 900 * mib).used == 900 * mib)
        #expect(space.reading(mapped: 950 * mib).used == 850 * mib)
        #expect(!space.reading(mapped: 1000 * mib).isShort)
        #expect(space.reading(mapped: 1001 * mib).isShort)
    }
}

@Suite("Calm moments")
struct CalmMomentTests {
    /// Whether memory is given back, second by second, when so many have left by then.
    private static func moments(_ left: [Int]) -> [Bool] {
        var calm = CalmMoment()
        return left.enumerated().map { second, left in
            calm.isTrimDue(ended: left, at: Instant(milliseconds: Double(second) * 1000))
        }
    }

    @Test("memory is given back when many have left and hardly anybody leaves any more, once")
    func afterTheCrowd() {
        #expect(
            Self.moments([0, 3000, 6000, 7990, 8000, 8000, 8001])
                == [false, false, false, false, true, false, false])
    }

    @Test("a few who leave are not worth it")
    func few() {
        #expect(
            Self.moments([0, 100, 200, 255, 255, 256]) == [false, false, false, false, false, true])
    }

    @Test("it is not done more than once in ten seconds")
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
