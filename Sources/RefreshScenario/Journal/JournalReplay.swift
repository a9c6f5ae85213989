internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer

/// Puts the inputs of a journal through a new session and compares what leaves it with what was
/// recorded. Source: docs/journal.md, "Replay".
package enum JournalReplay {
    /// Replays the file at `path`.
    ///
    /// - Throws: if it cannot be read or is no journal.
    package static func run(path: String) throws(JournalUnusable) -> ReplayVerdict {
        try JournalReader.reading(path, run)
    }

    /// Replays a journal that is all there.
    package static func run(_ bytes: [UInt8]) throws -> ReplayVerdict {
        try JournalReader.reading(bytes, run)
    }

    private static func run(
        _ header: JournalHeader, _ lines: JournalReader
    ) throws -> ReplayVerdict {
        let replay = ReplayedSession(header: header, lines: lines)
        return try replay.run()
    }
}
