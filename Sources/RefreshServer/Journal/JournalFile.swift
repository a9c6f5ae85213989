internal import Synchronization

/// One session's journal in the folder, filled by the writer's thread.
final class JournalFile: JournalSink, Sendable {
    /// Of the file.
    let name: String
    /// The name of the session.
    let session: String
    let started: String
    private let writer: JournalWriter
    private let takesLines = Atomic<Bool>(true)
    private let hasFailed = Atomic<Bool>(false)

    init(session: String, started: String, writer: JournalWriter) {
        self.session = session
        self.started = started
        // A colon in a file's name is a nuisance to those who type it.
        name = started.replacing(":", with: "-") + "-\(session).jsonl"
        self.writer = writer
    }

    var isOpen: Bool { takesLines.load(ordering: .relaxed) }

    func append(_ lines: [UInt8]) {
        guard isOpen else { return }
        writer.append(lines, to: self)
    }

    func close() {
        if takesLines.exchange(false, ordering: .relaxed) { writer.close(self) }
    }

    /// Lines were lost: it takes none any more. True the first time. From any thread.
    func fail() -> Bool {
        takesLines.store(false, ordering: .relaxed)
        return !hasFailed.exchange(true, ordering: .relaxed)
    }
}
