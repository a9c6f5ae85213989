internal import RefreshServer
internal import RefreshSession
package import WebSocketTransport

/// Sends the client's frames from a journal to a server, and compares the server's outputs with the
/// recorded ones. Source: docs/journal.md, "Over a socket".
package struct SocketReplay: Sendable {
    /// The pace at which the client sends its frames.
    package enum Pace: Hashable, Sendable {
        /// The recorded speed, multiplied by `speed`.
        case recorded(speed: Double)
        /// Each frame is sent as soon as the outputs that were recorded before it have arrived.
        case answers
    }

    /// The server's behaviour cannot be judged, because the server is unreachable or sends nothing.
    package struct Unreachable: Error, Hashable, Sendable {
        package let reason: String
    }

    private let url: String
    private let dialer: Dialer
    private let pace: Pace
    private let timeoutMs: Double
    private let token: String?
    private let context: Int
    private let progress: (@Sendable (ReplayProgress) -> Void)?

    /// Creates a replay over a connection to the server at `url`. `timeoutMs` is the time to wait
    /// for each recorded output, in milliseconds. The client authenticates with `token` and not
    /// with the recorded token. At most `context` frames before the first difference are reported,
    /// and at most as many after it. `progress` is called about ten times a second.
    package init(
        url: String, dialer: Dialer, pace: Pace = .recorded(speed: 1), timeoutMs: Double = 5_000,
        token: String? = nil, context: Int = ReplayContext.framesUsual,
        progress: (@Sendable (ReplayProgress) -> Void)? = nil
    ) {
        self.url = url
        self.dialer = dialer
        self.pace = pace
        self.timeoutMs = timeoutMs
        self.token = token
        self.context = context
        self.progress = progress
    }

    /// A journal that can be replayed.
    package struct Journal: Sendable {
        let script: ReplayScript
    }

    /// Reads the journal at `path` to its end.
    ///
    /// - Throws: if the file cannot be read, is not a journal, or needs something that a server at
    ///   a URL cannot provide.
    package func journal(at path: String) throws(JournalUnusable) -> Journal {
        try JournalReader.withJournal(path) {
            Journal(script: try ReplayScript($0, $1, token: token))
        }
    }

    /// Reads the journal with these bytes.
    package func journal(_ bytes: [UInt8]) throws -> Journal {
        try JournalReader.withJournal(bytes) {
            Journal(script: try ReplayScript($0, $1, token: token))
        }
    }

    /// Replays the journal to its end or to the first difference.
    package func play(_ journal: Journal) async throws(Unreachable) -> ReplayVerdict {
        guard journal.script.damage == nil else { return verdict(of: journal) }
        let line = DialedLine(url, dialer, timeout: .milliseconds(timeoutMs))
        try await line.openConnection()
        defer { line.close() }
        return try await play(journal, over: line)
    }

    /// Replays the journal over an established connection.
    func play(
        _ journal: Journal, over line: any ReplayLine
    ) async throws(Unreachable) -> ReplayVerdict {
        var verdict = verdict(of: journal)
        guard verdict.problem == nil else { return verdict }
        let player = ReplayPlayer(
            journal.script, over: line, pace: pace, timeoutMs: timeoutMs, context: context,
            progress: progress)
        try await player.play()
        guard player.difference == nil || player.wasAnswered else {
            let seconds = Int((timeoutMs / 1000).rounded())
            throw Unreachable(
                reason: "\(url) does not answer: nothing was received within \(seconds) s")
        }
        verdict.inputs = player.sent
        verdict.outputs = player.comparison.matchCount
        verdict.problem = player.difference.map { .difference($0) }
        return verdict
    }

    /// Returns the part of the verdict that is known before the replay.
    private func verdict(of journal: Journal) -> ReplayVerdict {
        let script = journal.script
        var verdict = ReplayVerdict(recordedBy: script.header.server, url: url)
        verdict.tornLine = script.tornLine
        verdict.isClosed = script.isClosed
        if let damage = script.damage {
            verdict.problem = .damage(line: damage.line, reason: damage.reason)
        }
        return verdict
    }
}
