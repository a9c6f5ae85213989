import Synchronization

/// A list of values that other threads append, in order.
final class Told<Word: Sendable>: Sendable {
    private let words = Mutex<[Word]>([])

    var all: [Word] { words.withLock { $0 } }

    func append(_ word: Word) { words.withLock { $0.append(word) } }
}
