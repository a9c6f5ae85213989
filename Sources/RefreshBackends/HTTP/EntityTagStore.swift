internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A store of the latest answers with an `ETag`, by request (see `Key`).
///
/// Its size is limited in bytes, and the least recently used entry is evicted first. Any thread may
/// use it.
final class EntityTagStore: Sendable {
    /// Everything that distinguishes one request from another, as bytes, because strings with
    /// different bytes can be equal.
    struct Key: Hashable, Sendable {
        private var parts: [[UInt8]]

        /// Creates a key. `headers` are the headers from clients. `subject` is the authenticated
        /// user. It is included even if it is not sent to the server, so that one user's answer is
        /// never returned to another user.
        init(_ request: HTTPRequest, headers: [HeaderField], subject: String?) {
            parts = [Array(request.url.utf8), request.body ?? []]
            parts.append(subject.map { [1] + Array($0.utf8) } ?? [])
            for header in headers { parts += [Array(header.name.utf8), Array(header.value.utf8)] }
        }

        var bytes: Int { parts.reduce(0) { $0 + $1.count + 32 } }
    }

    struct Entry: Hashable, Sendable {
        var tag: String
        var page: Page
        /// Whether the body itself specifies the page's lifetime. If it does, the headers of a
        /// later answer with the status 304 do not change the lifetime.
        var specifiesLifetime: Bool
    }

    private struct StoredEntry: Sendable {
        var key: Key
        var entry: Entry
        var bytes: Int
    }

    private struct State: Sendable {
        var entries: [StoredEntry?] = []
        var unused: [Int] = []
        var slots: [Key: Int] = [:]
        var recency = RecencyList()
        var bytes = 0

        mutating func insert(_ new: StoredEntry) {
            let slot = unused.popLast() ?? entries.count
            if slot == entries.count { entries.append(new) } else { entries[slot] = new }
            slots[new.key] = slot
            recency.insert(slot)
            bytes += new.bytes
        }

        mutating func remove(_ slot: Int) {
            guard let old = entries[slot] else { return }
            entries[slot] = nil
            slots[old.key] = nil
            recency.remove(slot)
            unused.append(slot)
            bytes -= old.bytes
        }
    }

    /// The approximate size of an entry in bytes, apart from its texts.
    private static let overhead = 512

    private let bytesMax: Int
    private let state = Mutex(State())

    init(bytesMax: Int = 16_777_216) { self.bytesMax = bytesMax }

    var count: Int { state.withLock { $0.slots.count } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// Returns the entry for a request, and marks the entry as used.
    func entry(for key: Key) -> Entry? {
        state.withLock { state in
            guard let slot = state.slots[key] else { return nil }
            state.recency.touch(slot)
            return state.entries[slot]?.entry
        }
    }

    /// Stores an entry in place of the earlier entry. If `entry` is nil, only removes the earlier
    /// entry. An entry that is larger than the whole store is not stored.
    func store(_ entry: Entry?, for key: Key) {
        let cost = entry.map { Self.cost(of: $0, key) }
        state.withLock { state in
            if let slot = state.slots[key] { state.remove(slot) }
            guard let entry, let cost, cost <= bytesMax else { return }
            while state.bytes > bytesMax - cost, let oldest = state.recency.oldest {
                state.remove(oldest)
            }
            state.insert(StoredEntry(key: key, entry: entry, bytes: cost))
        }
    }

    private static func cost(of entry: Entry, _ key: Key) -> Int {
        overhead + key.bytes + entry.tag.utf8.count + entry.page.items.count
            + (entry.page.cursor?.utf8.count ?? 0)
    }
}
