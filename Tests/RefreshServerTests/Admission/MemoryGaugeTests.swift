import Foundation
import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshServer

@Suite("Memory")
struct MemoryGaugeTests {
    /// A folder of files as the kernel writes them, removed with the last reference.
    private final class FakeKernel {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("memory-\(UUID().uuidString)")

        func write(_ path: String, _ text: String) throws {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // Not atomically: the file that is open must change.
            if let handle = FileHandle(forWritingAtPath: file.path) {
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(text.utf8))
                try handle.close()
            } else {
                try Data(text.utf8).write(to: file)
            }
        }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private static let page = Int(getpagesize())

    @Test("memoryBytesMax: as many resident bytes as that are allowed, more are not")
    func resident() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "9999 100 3 4 0 5 0\n")
        let gauge = MemoryGauge(process: kernel.path("statm"), groups: [])
        #expect(gauge.residentBytes == 100 * Self.page)
        func isShort(_ pages: Int, atMs ms: Double) -> Bool {
            gauge.look(bytesMax: pages * Self.page, at: Instant(milliseconds: ms)).isShort
        }
        #expect(!isShort(100, atMs: 0))
        #expect(isShort(99, atMs: 250))
        #expect(!isShort(0, atMs: 500))
    }

    @Test(
        "it is looked at four times a second at most, and each look that finds too little is told")
    func seldom() throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "1 10 0\n")
        let told = Mutex(0)
        var limits = Limits()
        limits.memoryBytesMax = 20 * Self.page
        let doorkeeper = Doorkeeper(
            limits: limits, memory: MemoryGauge(process: kernel.path("statm"), groups: []),
            now: .origin, memoryIsShort: { told.withLock { $0 += 1 } })
        func refusal(atMs ms: Double) -> GateRefusal? {
            doorkeeper.refusal(ofUpgradeAt: nil, now: Instant(milliseconds: ms))
        }
        #expect(refusal(atMs: 0) == nil)
        try kernel.write("statm", "1 21 0\n")
        #expect(refusal(atMs: 249) == nil)
        #expect(refusal(atMs: 250) == .outOfMemory)
        #expect(refusal(atMs: 499) == .outOfMemory)
        #expect(told.withLock { $0 } == 1)
        #expect(doorkeeper.lookAtMemory(at: Instant(milliseconds: 500)))
        #expect(told.withLock { $0 } == 2)
        try kernel.write("statm", "1 20 0\n")
        #expect(refusal(atMs: 750) == nil)
        #expect(told.withLock { $0 } == 2)
    }

    @Test("95 % of what a control group may use is the bound, of every group up to the root")
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
        let gauge = MemoryGauge(process: "/nowhere", groups: groups)
        func isShort(atMs ms: Double) -> Bool {
            gauge.look(bytesMax: 0, at: Instant(milliseconds: ms)).isShort
        }
        #expect(!isShort(atMs: 0))
        try kernel.write("tree/outer/memory.current", "951\n")
        #expect(isShort(atMs: 300))
        // Pages of files that nobody looks at are as good as free.
        try kernel.write("tree/outer/memory.stat", "anon 5\ninactive_file 1\n")
        #expect(!isShort(atMs: 600))
        try kernel.write("tree/outer/inner/memory.max", "900\n")
        #expect(isShort(atMs: 900))
    }

    @Test(
        "a group that cannot be seen, or an older kind of group, bounds nothing",
        arguments: ["0::/../elsewhere\n", "3:memory:/docker\n", "", "0::/nowhere\n"])
    func unseen(_ membership: String) throws {
        let kernel = FakeKernel()
        try kernel.write("cgroup", membership)
        #expect(
            MemoryGroup.all(membership: kernel.path("cgroup"), root: kernel.path("tree")).isEmpty)
    }

    @Test("the real files of this process are understood")
    func real() {
        let gauge = MemoryGauge()
        #expect(gauge.residentBytes > 1_000_000)
        #expect(!gauge.look(bytesMax: 0, at: .origin).isShort)
        #expect(gauge.look(bytesMax: 4096, at: Instant(milliseconds: 1000)).isShort)
    }
}
