internal import CProcess
internal import Glibc

/// The limit of the process's address space (RLIMIT_AS, `ulimit -v`).
///
/// Beyond the limit an allocation fails, and a failed allocation ends a Swift program. New clients
/// are therefore refused earlier. A reserve stays free for allocations that cannot be refused: a
/// tenth of the limit, but at least 96 MiB. For example, the heap of a new thread takes 64 MiB in
/// one allocation. Free memory in the heap counts as free, because the heap reuses this memory but
/// never unmaps it.
struct AddressSpace: Sendable {
    private let bound: Int
    private let freeHeap: @Sendable () -> Int

    private static let share = 10
    private static let reserveMin = 100_663_296

    /// `limit`: bytes. `freeHeap`: bytes of the heap that are not used. Returns nil if there is no
    /// limit. If the limit is small, the reserve is at most half of the limit.
    init?(
        limit: Int?, freeHeap: @escaping @Sendable () -> Int = { Int(cprocess_free_heap()) }
    ) {
        guard let limit else { return nil }
        bound = limit - min(limit / 2, max(limit / Self.share, Self.reserveMin))
        self.freeHeap = freeHeap
    }

    /// The limit of this process; nil if there is none.
    static var own: AddressSpace? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            // Swift does not import RLIM_INFINITY. All its bits are set, so it does not fit into an
            // Int.
            let bytes = Int(exactly: limit.rlim_cur)
        else { return nil }
        return AddressSpace(limit: bytes)
    }

    /// Returns the address space in use. `mapped`: the bytes that the process has mapped.
    func reading(mapped: Int) -> MemoryReading {
        // The heap is inspected only if `mapped` exceeds the bound, because the inspection is slow.
        MemoryReading(used: mapped > bound ? mapped - freeHeap() : mapped, bound: bound)
    }
}
