internal import Synchronization

/// The connections of libnats by their numbers.
///
/// libnats calls back with a pointer of the caller's choice, and may do so after a connection was
/// destroyed. Therefore the pointer is a number, and a callback looks for the number here. A number
/// is never used again. If it is not found, the callback does nothing.
enum NATSLinkTable {
    /// What the callbacks of a connection need. They run on threads of libnats, and on those that
    /// call libnats.
    struct Entry: Sendable {
        let number: UInt
        let queue: BusQueue
    }

    private struct Entries: Sendable {
        var last: UInt = 0
        var byNumber: [UInt: Entry] = [:]
    }

    private static let entries = Mutex(Entries())

    /// Creates an entry with a new number, which is not 0, and returns the number.
    static func insert(_ queue: BusQueue) -> UInt {
        entries.withLock { entries in
            entries.last += 1
            entries.byNumber[entries.last] = Entry(number: entries.last, queue: queue)
            return entries.last
        }
    }

    static func entry(_ number: UInt) -> Entry? {
        entries.withLock { $0.byNumber[number] }
    }

    static func remove(_ number: UInt) {
        // What the entry refers to is released outside the mutex.
        _ = entries.withLock { $0.byNumber.removeValue(forKey: number) }
    }
}
