import Glibc
import Synchronization

/// Open files that are kept for the moment in which no other can be opened: one is given up to
/// accept one connection, which is told so.
///
/// All loops share them, as they share the limit: what one gives up another may find first, and a
/// loop that had lost a file of its own so could tell nobody any more. From any thread.
final class SpareFiles: Sendable {
    /// Those of the process, for the limit is the process's.
    static let process = SpareFiles(count: 2)

    private let count: Int
    private let held = Mutex<[Int32]>([])
    private let areWhole = Atomic(false)

    init(count: Int) {
        self.count = count
        refill()
    }

    deinit { held.withLock { for descriptor in $0 { close(descriptor) } } }

    /// Whether as many are held as should be, or can be again: else the next newcomer could not be
    /// told. Costs a look at a number while they are.
    @discardableResult
    func refill() -> Bool {
        areWhole.load(ordering: .acquiring) || held.withLock { refill(&$0) }
    }

    /// Runs `body` with one file given up, and nobody else's given up meanwhile; nil if there is
    /// none.
    func lend<Result>(_ body: () -> Result) -> Result? {
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
