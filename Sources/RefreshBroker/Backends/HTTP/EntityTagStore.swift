internal import RefreshProtocol
internal import Synchronization

/// The last answers that came with an `ETag`, by all that made their requests.
///
/// Bounded in bytes; what was not used for the longest time goes first. Any thread may call.
final class EntityTagStore: Sendable {
    /// All that makes one request another, in bytes: strings are equal too if only their characters
    /// are.
    struct Key: Hashable, Sendable {
        private var parts: [[UInt8]]

        /// `headers` are those that clients gave. The subject counts also where the server is not
        /// told who asks: one user's answer stays that user's.
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
        /// Whether the page's lifetime is the body's own word, which no later header changes.
        var saysLifetime: Bool
    }

    private struct Kept: Sendable {
        var key: Key
        var entry: Entry
        var bytes: Int
    }

    private struct State: Sendable {
        var kept: [Kept?] = []
        var unused: [Int] = []
        var slots: [Key: Int] = [:]
        var recency = RecencyList()
        var bytes = 0

        mutating func insert(_ new: Kept) {
            let slot = unused.popLast() ?? kept.count
            if slot == kept.count { kept.append(new) } else { kept[slot] = new }
            slots[new.key] = slot
            recency.insert(slot)
            bytes += new.bytes
        }

        mutating func remove(_ slot: Int) {
            guard let old = kept[slot] else { return }
            kept[slot] = nil
            slots[old.key] = nil
            recency.remove(slot)
            unused.append(slot)
            bytes -= old.bytes
        }
    }

    /// What an entry costs beside its texts, about.
    private static let overhead = 512

    private let bytesMax: Int
    private let state = Mutex(State())

    init(bytesMax: Int = 16_777_216) { self.bytesMax = bytesMax }

    var count: Int { state.withLock { $0.slots.count } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// What is known for a request; that is a use of it.
    func entry(for key: Key) -> Entry? {
        state.withLock { state in
            guard let slot = state.slots[key] else { return nil }
            state.recency.touch(slot)
            return state.kept[slot]?.entry
        }
    }

    /// Keeps the entry in place of what was known; nil: nothing is known any more. One that is
    /// larger than all may be is not kept.
    func keep(_ entry: Entry?, for key: Key) {
        let cost = entry.map { Self.cost(of: $0, key) }
        state.withLock { state in
            if let slot = state.slots[key] { state.remove(slot) }
            guard let entry, let cost, cost <= bytesMax else { return }
            while state.bytes > bytesMax - cost, let oldest = state.recency.oldest {
                state.remove(oldest)
            }
            state.insert(Kept(key: key, entry: entry, bytes: cost))
        }
    }

    private static func cost(of entry: Entry, _ key: Key) -> Int {
        overhead + key.bytes + entry.tag.utf8.count + entry.page.items.count
            + (entry.page.cursor?.utf8.count ?? 0)
    }
}
