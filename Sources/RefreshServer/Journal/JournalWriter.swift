internal import Dispatch
internal import RefreshBroker
internal import RefreshSession
internal import Synchronization

/// Writes the journals of a daemon on its own thread, so that no session waits for a disk.
///
///     Session -> SessionRecorder -> JournalFile -> mailbox -> JournalWriterLoop -> disk
///
/// The number of bytes that wait to be written is limited. A journal that would exceed the limit
/// ends early.
package final class JournalWriter: Sendable {
    /// The maximum number of bytes that wait to be written, of all journals together. Source:
    /// docs/journal.md.
    package static let waitingBytesMax = 67_108_864

    private let createFile: @Sendable (String) throws(JournalFolder.Refusal) -> Int32
    private let mailbox: Mailbox<JournalWriterLoop.Order>
    private let backlog: JournalBacklog
    private let log: DaemonLog
    private let ended = DispatchSemaphore(value: 0)
    /// The writer's thread; nil after `stop`.
    private let thread: Mutex<ServiceThread?>

    /// `make` creates a file with the given name and returns its descriptor. `make` is called on
    /// the writer's thread, and on the thread that calls `openJournal`.
    package init(
        log: DaemonLog, waitingBytesMax: Int = waitingBytesMax,
        make: @escaping @Sendable (String) throws(JournalFolder.Refusal) -> Int32
    ) {
        let mailbox = Mailbox<JournalWriterLoop.Order>()
        let waiting = JournalBacklog(bytesMax: waitingBytesMax)
        self.createFile = make
        self.mailbox = mailbox
        self.backlog = waiting
        self.log = log
        let thread = ServiceThread { [ended] in
            var loop = JournalWriterLoop(
                make: make, mailbox: mailbox, waiting: waiting, log: log)
            loop.run()
            ended.signal()
        }
        // The system can refuse the thread only at start-up, before any peer connects.
        precondition(thread != nil, "the system could not create a thread for the journals")
        self.thread = Mutex(thread)
    }

    deinit {
        mailbox.post(.stop)
        thread.withLock { $0?.detach() }
    }

    /// Returns a journal for a session that begins now, in a file with this name or with the usual
    /// name. Any thread may call this method and `openJournal`.
    package func makeJournal(
        ofSession name: String, inFile fileName: String? = nil
    ) -> JournalFile {
        let file = JournalFile(
            session: name, started: UTCTime.now.description, name: fileName, writer: self)
        mailbox.post(.open(file))
        return file
    }

    /// Returns a journal for a running session. The file of the journal is created before this
    /// method returns.
    ///
    /// - Throws: The reason why the file cannot be created. In that case there is no journal.
    func openJournal(ofSession name: String) throws(JournalFolder.Refusal) -> JournalFile {
        let file = JournalFile(
            session: name, started: UTCTime.now.description, writer: self)
        mailbox.post(.opened(file, try createFile(file.name)))
        return file
    }

    func append(_ lines: [UInt8], to file: JournalFile) {
        guard backlog.reserve(lines.count) else {
            if file.markFailed() {
                log(.journalEnded, [.session: file.session, .reason: "the disk is too slow"])
                close(file)
            }
            return
        }
        mailbox.post(.append(lines, file))
    }

    func close(_ file: JournalFile) { mailbox.post(.close(file)) }

    /// Makes the thread write the waiting lines and end. Waits for the thread for at most `limit`
    /// milliseconds. A second call returns at once.
    package func stop(withinMilliseconds limit: Int) {
        mailbox.post(.stop)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if ended.wait(timeout: .now() + .milliseconds(limit)) == .success {
            thread.join()
        } else {
            thread.detach()
            log(
                .journalEnded,
                [.reason: "the disk is too slow, and the daemon stops without waiting"])
        }
    }
}
