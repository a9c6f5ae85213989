internal import Synchronization

/// Counts the bytes that journals have received but not yet written to the disk, and limits their
/// number. A piece is the lines that a journal receives at one time.
package final class JournalBacklog: Sendable {
    /// The approximate number of bytes that a waiting piece needs in addition to its own bytes.
    private static let bytesPerPiece = 64

    private let bytesMax: Int
    private let bytes = Atomic<Int>(0)

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Reserves space for a piece of `count` bytes. Returns false if there is not enough space.
    package func reserve(_ count: Int) -> Bool {
        let size = count + Self.bytesPerPiece
        let (_, total) = bytes.add(size, ordering: .relaxed)
        if total <= bytesMax { return true }
        bytes.subtract(size, ordering: .relaxed)
        return false
    }

    /// Releases the space of a piece of `count` bytes.
    package func release(_ count: Int) {
        bytes.subtract(count + Self.bytesPerPiece, ordering: .relaxed)
    }
}
