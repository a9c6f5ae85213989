internal import RefreshSession
internal import Synchronization

/// The file of one session's journal. The writer's thread writes it.
package final class JournalFile: JournalSink, Sendable {
    /// The file's name.
    package let name: String
    /// The session's name.
    let session: String
    package let started: String
    private let writer: JournalWriter
    private let acceptsLines = Atomic<Bool>(true)
    private let hasFailed = Atomic<Bool>(false)

    /// Creates the file of a session. Without `name`, the name of the file consists of the time and
    /// the name of the session.
    init(session: String, started: String, name: String? = nil, writer: JournalWriter) {
        self.session = session
        self.started = started
        // Colons in file names are awkward to type in a shell.
        self.name = name ?? started.replacing(":", with: "-") + "-\(session).jsonl"
        self.writer = writer
    }

    package var isOpen: Bool { acceptsLines.load(ordering: .relaxed) }

    /// Whether the journal ended early, because lines were lost.
    package var hasLostLines: Bool { hasFailed.load(ordering: .relaxed) }

    package func append(_ lines: [UInt8]) {
        guard isOpen else { return }
        writer.append(lines, to: self)
    }

    package func close() {
        if acceptsLines.exchange(false, ordering: .relaxed) { writer.close(self) }
    }

    /// Makes the file accept no more lines, because lines were lost. Returns true on the first
    /// call. Any thread may call it.
    func markFailed() -> Bool {
        acceptsLines.store(false, ordering: .relaxed)
        return !hasFailed.exchange(true, ordering: .relaxed)
    }
}
