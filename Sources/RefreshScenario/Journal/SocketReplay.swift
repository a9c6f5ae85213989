internal import RefreshServer
package import WebSocketTransport

/// Says to a server what the client of a journal said, and holds what it tells against what was
/// recorded. Source: docs/journal.md, "Over a socket".
package struct SocketReplay: Sendable {
    /// How fast the client goes on.
    package enum Pace: Hashable, Sendable {
        /// So many times as fast as it was recorded.
        case recorded(speed: Double)
        /// As fast as answers come.
        case answers
    }

    /// Nothing can be said of what the server does: it is not there, or says nothing at all.
    package struct Unreachable: Error, Hashable, Sendable {
        package let reason: String
    }

    private let url: String
    private let dialer: Dialer
    private let pace: Pace
    private let patienceMs: Double
    private let token: String?
    private let context: Int
    private let progress: (@Sendable (ReplayProgress) -> Void)?

    /// `patienceMs`: how long what was recorded is waited for; `token`: who the client is, for a
    /// `hello` that said so; `context`: how many frames before and behind the first difference are
    /// told; `progress`: is told now and then how far it is.
    package init(
        url: String, dialer: Dialer, pace: Pace = .recorded(speed: 1), patienceMs: Double = 5_000,
        token: String? = nil, context: Int = ReplayContext.framesUsual,
        progress: (@Sendable (ReplayProgress) -> Void)? = nil
    ) {
        self.url = url
        self.dialer = dialer
        self.pace = pace
        self.patienceMs = patienceMs
        self.token = token
        self.context = context
        self.progress = progress
    }

    /// A journal that can be played.
    package struct Journal: Sendable {
        let script: ReplayScript
    }

    /// Reads the journal at `path` to its end.
    ///
    /// - Throws: if it cannot be read, is no journal, or needs what a URL cannot give.
    package func journal(at path: String) throws(JournalUnusable) -> Journal {
        try JournalReader.reading(path) {
            Journal(script: try ReplayScript($0, $1, token: token))
        }
    }

    /// The same of a journal that is all there.
    package func journal(_ bytes: [UInt8]) throws -> Journal {
        try JournalReader.reading(bytes) {
            Journal(script: try ReplayScript($0, $1, token: token))
        }
    }

    /// Plays it, to its end or to the first difference.
    package func play(_ journal: Journal) async throws(Unreachable) -> ReplayVerdict {
        guard journal.script.damage == nil else { return verdict(of: journal) }
        let line = DialedLine(url, dialer, patience: .milliseconds(patienceMs))
        try await line.connectAgain()
        defer { line.close() }
        return try await play(journal, over: line)
    }

    /// The same over a connection that stands.
    func play(
        _ journal: Journal, over line: any ReplayLine
    ) async throws(Unreachable) -> ReplayVerdict {
        var verdict = verdict(of: journal)
        guard verdict.trouble == nil else { return verdict }
        let player = ReplayPlayer(
            journal.script, over: line, pace: pace, patienceMs: patienceMs, context: context,
            progress: progress)
        try await player.play()
        guard player.difference == nil || player.wasAnswered else {
            let seconds = Int((patienceMs / 1000).rounded())
            throw Unreachable(reason: "\(url) says nothing: no answer within \(seconds) s")
        }
        verdict.inputs = player.sent
        verdict.outputs = player.comparison.agreed
        verdict.trouble = player.difference.map { .difference($0) }
        return verdict
    }

    /// What is known before anything is played.
    private func verdict(of journal: Journal) -> ReplayVerdict {
        let script = journal.script
        var verdict = ReplayVerdict(recordedBy: script.header.server, url: url)
        verdict.tornLine = script.tornLine
        verdict.isClosed = script.isClosed
        if let damage = script.damage {
            verdict.trouble = .damage(line: damage.line, reason: damage.reason)
        }
        return verdict
    }
}
