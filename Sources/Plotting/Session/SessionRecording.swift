package import JournalReplay
package import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import WireContract

/// A recorded session for drawing: messages, display states and loads over time. All times are
/// milliseconds since the start of the journal. Source: docs/journal.md.
package struct SessionRecording {
    let session: String
    /// The version of the daemon that recorded the session.
    let server: String
    /// The start time in RFC 3339 format.
    let started: String
    /// The time of the last line, or the end of the last animation if that is later.
    var duration = 0.0
    var views: [RecordedView] = []
    var messages: [RecordedMessage] = []
    /// The periods without a connection.
    var absences: [ClosedRange<Double>] = []
    /// The way in which the session ended, or a note that the journal is incomplete.
    var end = "the journal ends here"

    /// Reads the journal at `path`.
    ///
    /// - Throws: if the file cannot be read or is not a journal.
    package init(path: String) throws(JournalUnusable) {
        self = try JournalReader.withJournal(path, Self.init(header:lines:))
    }

    /// Reads the journal with these bytes.
    package init(_ bytes: [UInt8]) throws {
        self = try JournalReader.withJournal(bytes, Self.init(header:lines:))
    }

    /// Reads the lines of a journal. If the journal is damaged, only the part before the damage is
    /// used.
    private init(header: JournalHeader, lines: JournalReader) throws {
        session = header.session
        server = header.server
        started = header.started
        var transcript = JournalTranscript(began: header.at)
        var lines = lines
        while case .line(_, let line) = lines.next {
            transcript.append(line)
            try lines.advance()
        }
        transcript.finish()
        duration = transcript.t
        views = transcript.recorders.map(\.view)
        messages = transcript.messages
        absences = transcript.absences
        end = transcript.end ?? end
    }

    /// The summary of the recording, as members of a JSON object.
    package var summary: [JSONValue.Member] {
        [
            .init("session", .string(session)), .init("seconds", .number(duration / 1000)),
            .init("views", .array(views.map { .string($0.name) })),
            .init("messages", .number(Double(messages.count))), .init("end", .string(end)),
        ]
    }

    /// The times of all events, in order.
    var eventTimes: [Double] {
        let recorded = messages.map(\.t) + views.flatMap(\.eventTimes)
        return ([0, duration] + recorded).sorted()
    }
}

/// A message of a recorded session.
struct RecordedMessage: Hashable {
    enum Sender: String {
        case client, daemon
    }

    /// The time of the message, in milliseconds.
    var t: Double
    var sender: Sender
    var type: String
    /// The name of the view. Empty if the message is not about a view.
    var view: String
    var value: JSONValue

    /// Whether the message is an error.
    var isError: Bool { type == "error" }
}
