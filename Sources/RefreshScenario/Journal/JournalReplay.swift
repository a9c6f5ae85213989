internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer

/// Puts the inputs of a journal through a new session and compares what leaves it with what was
/// recorded. Source: docs/journal.md, "Replay".
package enum JournalReplay {
    /// Replays the file at `path`; `context`: how many frames before and behind the first
    /// difference are told.
    ///
    /// - Throws: if it cannot be read or is no journal.
    package static func run(
        path: String, context: Int = ReplayContext.framesUsual
    ) throws(JournalUnusable) -> ReplayVerdict {
        try JournalReader.reading(path) { try run($0, $1, context) }
    }

    /// Replays a journal that is all there.
    package static func run(
        _ bytes: [UInt8], context: Int = ReplayContext.framesUsual
    ) throws -> ReplayVerdict {
        try JournalReader.reading(bytes) { try run($0, $1, context) }
    }

    private static func run(
        _ header: JournalHeader, _ lines: JournalReader, _ context: Int
    ) throws -> ReplayVerdict {
        try ReplayedSession(header: header, lines: lines, context: context).run()
    }
}
