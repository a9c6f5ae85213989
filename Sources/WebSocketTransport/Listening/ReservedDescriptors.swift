import Glibc
import Synchronization

/// Reserved file descriptors for the case that no other descriptor can be opened. To accept and
/// refuse a single connection, one of them is released.
///
/// All loops share one reserve, because they share the process's limit. If each loop had its own
/// reserve, another loop could take a descriptor that a loop releases. The loop that released the
/// descriptor could then no longer accept connections to refuse them. May be used on any thread.
final class ReservedDescriptors: Sendable {
    /// The reserve that all loops of the process share.
    static let process = ReservedDescriptors(count: 2)

    private let count: Int
    private let held = Mutex<[Int32]>([])
    private let areWhole = Atomic(false)

    init(count: Int) {
        self.count = count
        refill()
    }

    deinit { held.withLock { for descriptor in $0 { close(descriptor) } } }

    /// Refills the reserve, and returns whether it is complete. If the reserve is incomplete, the
    /// next connection may be closed without an answer. While the reserve is complete, a call costs
    /// one atomic load.
    @discardableResult
    func refill() -> Bool {
        areWhole.load(ordering: .acquiring) || held.withLock { refill(&$0) }
    }

    /// Releases one descriptor during `body`. During this time, no other thread can release a
    /// descriptor of the reserve. Returns nil if none is reserved.
    func withReleasedDescriptor<Result>(_ body: () -> Result) -> Result? {
        held.withLock { held in
            refill(&held)
            guard let descriptor = held.popLast() else { return nil }
            areWhole.store(false, ordering: .releasing)
            close(descriptor)
            defer { refill(&held) }
            return body()
        }
    }

    @discardableResult
    private func refill(_ held: inout [Int32]) -> Bool {
        while held.count < count {
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { break }
            held.append(descriptor)
        }
        let isWhole = held.count >= count
        areWhole.store(isWhole, ordering: .releasing)
        return isWhole
    }
}
