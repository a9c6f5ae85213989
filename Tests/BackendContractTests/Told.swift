import Synchronization

/// What other threads said, in order.
final class Told<Word: Sendable>: Sendable {
    private let words = Mutex<[Word]>([])

    var all: [Word] { words.withLock { $0 } }

    func append(_ word: Word) { words.withLock { $0.append(word) } }
}
