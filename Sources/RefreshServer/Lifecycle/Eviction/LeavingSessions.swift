internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// Sessions of one loop that must end, each with a completion handler. May be used on any thread.
final class LeavingSessions: Sendable {
    private typealias Entry = (key: SessionKey, then: @Sendable () -> Void)

    private let entries = Mutex<[Entry]>([])
    private let count = Atomic<Int>(0)

    /// Whether no session must end. This property can be read without a lock.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    func append(_ key: SessionKey, _ then: @escaping @Sendable () -> Void) {
        entries.withLock { $0.append((key, then)) }
        count.add(1, ordering: .relaxed)
    }

    func removeAll() -> [(key: SessionKey, then: @Sendable () -> Void)] {
        let all = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        count.subtract(all.count, ordering: .relaxed)
        return all
    }
}
