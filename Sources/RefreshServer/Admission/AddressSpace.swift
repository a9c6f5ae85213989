internal import CProcess
internal import Glibc

/// The address space that the process may have (RLIMIT_AS, `ulimit -v`).
///
/// Beyond it an allocation fails, which ends a Swift program. New clients are refused before
/// that: a tenth of it, at least 96 MiB, stays free for what cannot be refused, as the heap of
/// another thread, which takes 64 MiB at once. What the heap has free in it counts as free, for it
/// is never given back as address space.
struct AddressSpace: Sendable {
    private let bound: Int
    private let freeHeap: @Sendable () -> Int

    private static let share = 10
    private static let reserveMin = 100_663_296

    /// `limit`: bytes. `freeHeap`: bytes that the heap has and does not use. Nil: half of so little
    /// would be reserve, or there is no limit.
    init?(
        limit: Int?, freeHeap: @escaping @Sendable () -> Int = { Int(cprocess_free_heap()) }
    ) {
        guard let limit else { return nil }
        bound = limit - min(limit / 2, max(limit / Self.share, Self.reserveMin))
        self.freeHeap = freeHeap
    }

    /// That of this process; nil: it has no limit.
    static var own: AddressSpace? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            // RLIM_INFINITY is all ones, and not imported.
            let bytes = Int(exactly: limit.rlim_cur)
        else { return nil }
        return AddressSpace(limit: bytes)
    }

    /// What is used of it. `mapped`: the bytes that the process has mapped.
    func reading(mapped: Int) -> MemoryReading {
        // To look at the heap takes long, and is of no interest where all fits anyway.
        MemoryReading(used: mapped > bound ? mapped - freeHeap() : mapped, bound: bound)
    }
}
