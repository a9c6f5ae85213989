internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// Replays the inputs of a journal in a new session, and compares the outputs of that session with
/// the recorded outputs. Source: docs/journal.md, "Replay".
package enum InProcessReplay {
    /// Replays the file at `path`. At most `context` frames before the first difference are
    /// reported, and at most as many after it.
    ///
    /// - Throws: if the file cannot be read, is not a journal, or was not written by a daemon.
    package static func run(
        path: String, context: Int = ReplayContext.framesUsual
    ) throws(JournalUnusable) -> ReplayVerdict {
        try JournalReader.withJournal(path) { try run($0, $1, context) }
    }

    /// Replays the journal with these bytes.
    package static func run(
        _ bytes: [UInt8], context: Int = ReplayContext.framesUsual
    ) throws -> ReplayVerdict {
        try JournalReader.withJournal(bytes) { try run($0, $1, context) }
    }

    private static func run(
        _ header: JournalHeader, _ lines: JournalReader, _ context: Int
    ) throws -> ReplayVerdict {
        guard header.recorder == nil else {
            throw JournalUnusable(
                "was recorded between a client and a server, and has neither the settings nor the "
                    + "loads of the session, which a replay in process needs: replay it with --url")
        }
        return try ReplayedSession(header: header, lines: lines, context: context).run()
    }
}
