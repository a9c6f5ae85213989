internal import Synchronization

/// How many bytes wait to be written, within a bound.
final class JournalBacklog: Sendable {
    /// What a waiting piece costs besides its bytes, about.
    private static let bytesPerPiece = 64

    private let bytesMax: Int
    private let bytes = Atomic<Int>(0)

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Takes room for a piece of `count` bytes; false if there is none.
    func add(_ count: Int) -> Bool {
        let size = count + Self.bytesPerPiece
        let (_, total) = bytes.add(size, ordering: .relaxed)
        if total <= bytesMax { return true }
        bytes.subtract(size, ordering: .relaxed)
        return false
    }

    /// Gives the room of a piece back.
    func remove(_ count: Int) {
        bytes.subtract(count + Self.bytesPerPiece, ordering: .relaxed)
    }
}
