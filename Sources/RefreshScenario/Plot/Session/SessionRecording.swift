package import RefreshProtocol
internal import RefreshServer

/// A recorded session as it is drawn: what was said, what was shown and what was loaded, over time.
/// All times are milliseconds since its journal began. Source: docs/journal.md.
package struct SessionRecording {
    let session: String
    /// The version of the daemon.
    let server: String
    /// When it began, RFC 3339.
    let started: String
    /// When the last line was written.
    var duration = 0.0
    var views: [RecordedView] = []
    var messages: [RecordedMessage] = []
    /// Where it was without a connection, from and to.
    var absences: [ClosedRange<Double>] = []
    /// How it ended, or that its journal is not whole.
    var end = "the journal ends here"

    /// Reads the journal at `path`.
    ///
    /// - Throws: if it cannot be read or is no journal.
    package init(path: String) throws(JournalUnusable) {
        self = try JournalReader.reading(path, Self.init(header:lines:))
    }

    /// Reads a journal that is all there.
    package init(_ bytes: [UInt8]) throws {
        self = try JournalReader.reading(bytes, Self.init(header:lines:))
    }

    /// Of a journal that is damaged it has what stands before the damage.
    private init(header: JournalHeader, lines: JournalReader) throws {
        session = header.session
        server = header.server
        started = header.started
        var transcript = JournalTranscript(began: header.at)
        var lines = lines
        while case .line(_, let line) = lines.next {
            transcript.take(line)
            try lines.advance()
        }
        transcript.finish()
        duration = transcript.t
        views = transcript.recorders.map(\.view)
        messages = transcript.messages
        absences = transcript.absences
        end = transcript.end ?? end
    }

    /// What there is to see, as members of a JSON object.
    package var summary: [JSONValue.Member] {
        [
            .init("session", .string(session)), .init("seconds", .number(duration / 1000)),
            .init("views", .array(views.map { .string($0.name) })),
            .init("messages", .number(Double(messages.count))), .init("end", .string(end)),
        ]
    }

    /// All moments at which something happened, in order.
    var moments: [Double] {
        let told = messages.map(\.t) + views.flatMap(\.moments)
        return ([0, duration] + told).sorted()
    }
}
