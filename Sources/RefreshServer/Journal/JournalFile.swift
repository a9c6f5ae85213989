internal import RefreshSession
internal import Synchronization

/// The file of one session's journal. The writer's thread writes it.
final class JournalFile: JournalSink, Sendable {
    /// The file's name.
    let name: String
    /// The session's name.
    let session: String
    let started: String
    private let writer: JournalWriter
    private let acceptsLines = Atomic<Bool>(true)
    private let hasFailed = Atomic<Bool>(false)

    init(session: String, started: String, writer: JournalWriter) {
        self.session = session
        self.started = started
        // Colons in file names are awkward to type in a shell.
        name = started.replacing(":", with: "-") + "-\(session).jsonl"
        self.writer = writer
    }

    var isOpen: Bool { acceptsLines.load(ordering: .relaxed) }

    func append(_ lines: [UInt8]) {
        guard isOpen else { return }
        writer.append(lines, to: self)
    }

    func close() {
        if acceptsLines.exchange(false, ordering: .relaxed) { writer.close(self) }
    }

    /// Makes the file accept no more lines, because lines were lost. Returns true on the first
    /// call. Any thread may call it.
    func markFailed() -> Bool {
        acceptsLines.store(false, ordering: .relaxed)
        return !hasFailed.exchange(true, ordering: .relaxed)
    }
}
