internal import RefreshProtocol
package import RefreshSession

/// A journal in memory.
package final class MemoryJournal: JournalSink {
    package let started = "2026-11-21T12:00:00.123Z"
    package private(set) var isOpen = true
    package private(set) var bytes: [UInt8] = []
    /// The end offsets of the appended pieces.
    package private(set) var ends: [Int] = []

    package init() {}

    package func append(_ lines: [UInt8]) {
        precondition(isOpen, "lines appended after the end of a journal")
        bytes += lines
        ends.append(bytes.count)
    }

    package func close() { isOpen = false }

    /// The lines without their line ends.
    package var lines: [[UInt8]] { bytes.split(separator: 0x0A).map(Array.init) }

    package func parsed() throws -> [JournalLine] { try lines.map { try JournalLine(parsing: $0) } }

    /// The frames that the session sent.
    package func framesSent() throws -> [String] {
        try parsed().compactMap { line in
            guard case .output(.frame(let bytes)) = line else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

/// Returns a journal of these lines, each with a correct checksum.
package func journal(_ lines: some Sequence<JournalLine>) -> [UInt8] {
    var out = ByteBuffer()
    for line in lines { line.write(to: &out) }
    return out.bytes
}
