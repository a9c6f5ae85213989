import Foundation
import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshServer
@testable import RefreshSession

@Suite("Memory gauge")
struct MemoryGaugeTests {
    fileprivate static let page = FakeKernel.page

    @Test("memoryBytesMax: resident memory up to the limit is allowed, more is not")
    func resident() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "9999 100 3 4 0 5 0\n")
        let gauge = MemoryGauge(process: kernel.path("statm"), groups: [], addressSpace: nil)
        #expect(gauge.residentBytes == 100 * Self.page)
        func isShort(_ pages: Int, atMs ms: Double) -> Bool {
            gauge.measure(bytesMax: pages * Self.page, at: Instant(milliseconds: ms))
        }
        #expect(!isShort(100, atMs: 0))
        #expect(isShort(99, atMs: 250))
        #expect(!isShort(0, atMs: 500))
    }

    @Test(
        "Memory is measured at most every 250 ms, and memory is freed at most every five seconds"
    )
    func seldom() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "1 10 0\n")
        let shedCount = Mutex(0)
        var limits = Limits()
        limits.memoryBytesMax = 20 * Self.page
        let gauge = MemoryGauge(
            process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() })
        let connectionLimiter = ConnectionLimiter(
            limits: limits, memory: gauge, now: .origin,
            shedMemory: { then in
                shedCount.withLock { $0 += 1 }
                then()
            })
        func refusal(atMs ms: Double) -> GateRefusal? {
            connectionLimiter.refusal(ofUpgradeAt: nil, now: Instant(milliseconds: ms))
        }
        #expect(refusal(atMs: 0) == nil)
        try kernel.write("statm", "1 21 0\n")
        #expect(refusal(atMs: 249) == nil)
        #expect(refusal(atMs: 250) == .outOfMemory)
        #expect(shedCount.withLock { $0 } == 1)
        for ms in stride(from: 300.0, to: 5250, by: 100) {
            #expect(refusal(atMs: ms) == .outOfMemory)
        }
        #expect(shedCount.withLock { $0 } == 1)
        #expect(connectionLimiter.checkMemory(at: Instant(milliseconds: 5600)))
        #expect(shedCount.withLock { $0 } == 2)
        try kernel.write("statm", "1 20 0\n")
        #expect(refusal(atMs: 6000) == nil)
        #expect(shedCount.withLock { $0 } == 2)
    }

    /// Detached sessions of equal size, and a heap that returns pages to the kernel only when it is
    /// trimmed.
    private final class FakeHeap: Sendable {
        private let line = Mutex(DetachedSessionEviction())
        private let kernel = FakeKernel()
        private let pages: Int
        private let unused = Mutex(0)

        init(sessions: Int, pages: Int, unused: Int = 0) throws {
            self.pages = pages
            line.withLock { line in
                for slot in 0..<sessions {
                    _ = line.insert(
                        SessionKey(loop: 0, slot: UInt32(slot), generation: 1),
                        holding: pages * MemoryGaugeTests.page, most: .max)
                }
            }
            try kernel.write("statm", "1 \(sessions * pages + unused) 0\n")
        }

        var waiting: Int { line.withLock { $0.count } }
        var path: String { kernel.path("statm") }

        func trim(_ then: @Sendable () -> Void) {
            try? kernel.write("statm", "1 \(waiting * pages) 0\n")
            then()
        }

        func shed(_ then: @Sendable () -> Void) {
            _ = line.withLock { $0.removeHeaviest() }
            then()
        }

        /// Returns the number of sessions that are left after these seconds. Memory is measured ten
        /// times a second.
        func left(ofPages most: Int, afterSeconds seconds: Int) -> Int {
            let gauge = MemoryGauge(
                process: path, groups: [], addressSpace: nil, trim: { self.trim($0) })
            for step in 0..<(seconds * 10) {
                _ = gauge.measure(
                    bytesMax: most * MemoryGaugeTests.page,
                    at: Instant(milliseconds: Double(step) * 100), shed: { self.shed($0) })
            }
            return waiting
        }
    }

    @Test("If memory is short, an eighth of the detached sessions ends before the next reading")
    func survivors() throws {
        // One eighth is enough.
        #expect(try FakeHeap(sessions: 800, pages: 10).left(ofPages: 7500, afterSeconds: 60) == 700)
        // One eighth is not enough, so another one ends five seconds later.
        let second = try FakeHeap(sessions: 800, pages: 10)
        #expect(second.left(ofPages: 6500, afterSeconds: 5) == 700)
        #expect(second.left(ofPages: 6500, afterSeconds: 60) == 613)
        // Unused heap memory only has to be returned to the kernel. No session ends.
        let unused = try FakeHeap(sessions: 800, pages: 10, unused: 3000)
        #expect(unused.left(ofPages: 8000, afterSeconds: 60) == 800)
    }

    @Test("While one round of freeing memory runs, no other round begins")
    func slowRound() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "1 10 0\n")
        let gauge = MemoryGauge(
            process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() })
        let rounds = Mutex<[@Sendable () -> Void]>([])
        func measure(atMs ms: Double) {
            _ = gauge.measure(
                bytesMax: Self.page, at: Instant(milliseconds: ms),
                shed: { then in rounds.withLock { $0.append(then) } })
        }
        measure(atMs: 0)
        measure(atMs: 60_000)
        #expect(rounds.withLock { $0.count } == 1)
        rounds.withLock { $0.first }?()
        measure(atMs: 60_001)
        #expect(rounds.withLock { $0.count } == 2)
    }

    @Test("The limit is 95 % of the memory of a control group, for each group up to the root")
    func group() throws {
        let kernel = FakeKernel()
        try kernel.write("cgroup", "0::/outer/inner\n")
        try kernel.write("tree/outer/memory.max", "1000\n")
        try kernel.write("tree/outer/memory.current", "950\n")
        try kernel.write("tree/outer/memory.stat", "anon 5\ninactive_file 0\nactive_file 7\n")
        try kernel.write("tree/outer/inner/memory.max", "max\n")
        try kernel.write("tree/outer/inner/memory.current", "940\n")
        try kernel.write("tree/outer/inner/memory.stat", "anon 5\ninactive_file 0\n")
        let groups = MemoryGroup.all(
            membership: kernel.path("cgroup"), root: kernel.path("tree"))
        #expect(groups.count == 2)
        let gauge = MemoryGauge(process: "/nowhere", groups: groups, addressSpace: nil)
        func isShort(atMs ms: Double) -> Bool {
            gauge.measure(bytesMax: 0, at: Instant(milliseconds: ms))
        }
        #expect(!isShort(atMs: 0))
        try kernel.write("tree/outer/memory.current", "951\n")
        #expect(isShort(atMs: 300))
        // Inactive pages of files count as free.
        try kernel.write("tree/outer/memory.stat", "anon 5\ninactive_file 1\n")
        #expect(!isShort(atMs: 600))
        try kernel.write("tree/outer/inner/memory.max", "900\n")
        #expect(isShort(atMs: 900))
    }

    @Test("Control groups of version 1 and of version 2 limit memory, also if both are in use")
    func version1() throws {
        let kernel = FakeKernel()
        try kernel.write(
            "cgroup", "9:name=systemd:/\n4:cpu,memory:/outer/inner\n2:cpuacct:/\n0::/new\n")
        for (folder, limit, usage) in [
            ("memory/outer", "1000", "950"),
            ("memory/outer/inner", "9223372036854771712", "940"),
        ] {
            try kernel.write("tree/\(folder)/memory.limit_in_bytes", limit + "\n")
            try kernel.write("tree/\(folder)/memory.usage_in_bytes", usage + "\n")
            try kernel.write(
                "tree/\(folder)/memory.stat", "inactive_file 900\ntotal_inactive_file 0\n")
        }
        try kernel.write("tree/new/memory.max", "1000\n")
        try kernel.write("tree/new/memory.current", "1\n")
        try kernel.write("tree/new/memory.stat", "inactive_file 0\n")
        let groups = MemoryGroup.all(
            membership: kernel.path("cgroup"), root: kernel.path("tree"))
        #expect(groups.count == 3)
        let gauge = MemoryGauge(process: "/nowhere", groups: groups, addressSpace: nil)
        func isShort(atMs ms: Double) -> Bool {
            gauge.measure(bytesMax: 0, at: Instant(milliseconds: ms))
        }
        #expect(!isShort(atMs: 0))
        try kernel.write("tree/memory/outer/memory.usage_in_bytes", "951\n")
        #expect(isShort(atMs: 300))
        // The inactive pages of child groups count as free too.
        try kernel.write("tree/memory/outer/memory.stat", "total_inactive_file 1\n")
        #expect(!isShort(atMs: 600))
        try kernel.write("tree/new/memory.current", "951\n")
        #expect(isShort(atMs: 900))
    }

    @Test("In a container, the control group is the root of the visible tree, whatever its name is")
    func container() throws {
        let kernel = FakeKernel()
        try kernel.write("cgroup", "4:memory:/docker/0123\n")
        try kernel.write("tree/memory/memory.limit_in_bytes", "1000\n")
        try kernel.write("tree/memory/memory.usage_in_bytes", "951\n")
        try kernel.write("tree/memory/memory.stat", "total_inactive_file 0\n")
        let groups = MemoryGroup.all(
            membership: kernel.path("cgroup"), root: kernel.path("tree"))
        #expect(groups.count == 1)
        #expect(groups.first?.reading?.isShort == true)
    }

    @Test("If other processes fill the control group, no session ends, and no client is admitted")
    func others() throws {
        let kernel = FakeKernel()
        let page = Self.page
        try kernel.write("cgroup", "0::/\n")
        try kernel.write("tree/memory.max", "\(1000 * page)\n")
        try kernel.write("tree/memory.current", "\(990 * page)\n")
        try kernel.write(
            "tree/memory.stat", "inactive_file 0\nactive_file \(10 * page)\n")
        let gauge = MemoryGauge(
            process: kernel.path("statm"),
            groups: MemoryGroup.all(
                membership: kernel.path("cgroup"), root: kernel.path("tree")),
            addressSpace: nil, trim: { $0() }, trimNow: {})
        #expect(gauge.recordGrowth(by: 0, bytesMax: 0, at: .origin) == nil)
        #expect(gauge.isShort)
        try kernel.write("statm", "1 494 0\n")
        let again = MemoryGauge(
            process: kernel.path("statm"),
            groups: MemoryGroup.all(
                membership: kernel.path("cgroup"), root: kernel.path("tree")),
            addressSpace: nil, trim: { $0() }, trimNow: {})
        #expect(again.recordGrowth(by: 0, bytesMax: 0, at: .origin) == nil)
        try kernel.write("statm", "1 495 0\n")
        #expect(again.recordGrowth(by: 65_536, bytesMax: 0, at: .origin)?.used == 990 * page)
    }

    @Test("Memory is measured each time when sessions have grown by an eighth of the free memory")
    func growth() throws {
        let kernel = FakeKernel()
        let bound = 1000 * Self.page
        func use(_ pages: Int) throws { try kernel.write("statm", "1 \(pages) 0\n") }
        try use(200)
        let trims = Mutex(0)
        let gauge = MemoryGauge(
            process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() },
            trimNow: { trims.withLock { $0 += 1 } })
        let now = Instant(milliseconds: 5)
        func grow(pages: Int) -> MemoryReading? {
            gauge.recordGrowth(by: pages * Self.page, bytesMax: bound, at: now)
        }
        #expect(grow(pages: 0) == nil)
        try use(1020)
        // 800 pages were free.
        #expect(grow(pages: 99) == nil)
        #expect(!gauge.isShort)
        #expect(grow(pages: 1) == MemoryReading(used: 1020 * Self.page, bound: bound))
        #expect(gauge.isShort)
        #expect(trims.withLock { $0 } == 1)
        // No memory is free. The next measurement takes place after 64 KiB of growth.
        #expect(gauge.recordGrowth(by: 65_535, bytesMax: bound, at: now) == nil)
        #expect(gauge.recordGrowth(by: 1, bytesMax: bound, at: now)?.used == 1020 * Self.page)
        try use(1010)
        #expect(grow(pages: 100) == nil)
        #expect(gauge.isShort)
        // Without any limit, memory is not measured.
        #expect(gauge.recordGrowth(by: 1 << 40, bytesMax: 0, at: now) == nil)
    }

    @Test("Free heap memory is returned to the kernel before any session ends")
    func trimmed() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "1 1100 0\n")
        let gauge = MemoryGauge(
            process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() },
            trimNow: { try? kernel.write("statm", "1 1005 0\n") })
        #expect(gauge.recordGrowth(by: 0, bytesMax: 1000 * Self.page, at: .origin) == nil)
        #expect(gauge.isShort)
    }

    @Test("If the address space is nearly exhausted, no client is admitted")
    func addressSpace() throws {
        let kernel = FakeKernel()
        let limit = 200_000 * Self.page
        try kernel.write("statm", "150000 10 0\n")
        let gauge = MemoryGauge(
            process: kernel.path("statm"), groups: [],
            addressSpace: AddressSpace(limit: limit) { 0 }, trim: { $0() }, trimNow: {})
        #expect(!gauge.measure(bytesMax: 0, at: .origin))
        try kernel.write("statm", "190000 10 0\n")
        #expect(gauge.measure(bytesMax: 0, at: Instant(milliseconds: 250)))
        let later = Instant(milliseconds: 500)
        #expect(gauge.recordGrowth(by: 1, bytesMax: 0, at: later)?.used == 190_000 * Self.page)
    }

    @Test(
        "A control group that cannot be read limits nothing",
        arguments: [
            "0::/../elsewhere\n", "3:memory:/docker\n", "4:memory:/../out\n", "", "0::/nowhere\n",
            "memory\n", "5:cpu:/docker\n",
        ])
    func unseen(_ membership: String) throws {
        let kernel = FakeKernel()
        try kernel.write("cgroup", membership)
        #expect(
            MemoryGroup.all(membership: kernel.path("cgroup"), root: kernel.path("tree")).isEmpty)
    }

    @Test("The kernel's real files about this process can be parsed")
    func real() {
        let gauge = MemoryGauge(groups: [], addressSpace: nil)
        #expect(gauge.residentBytes > 1_000_000)
        #expect(!gauge.measure(bytesMax: 0, at: .origin))
        #expect(gauge.measure(bytesMax: 4096, at: Instant(milliseconds: 1000)))
    }
}
