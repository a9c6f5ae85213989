internal import Glibc
internal import RefreshBroker
internal import RefreshSession

/// The work of the writer's thread. It carries out the orders from the mailbox: it creates, writes
/// and closes files.
struct JournalWriterLoop {
    enum Order: Sendable {
        case open(JournalFile)
        /// The file was already created.
        case opened(JournalFile, Int32)
        case append([UInt8], JournalFile)
        case close(JournalFile)
        case stop
    }

    private let createFile: (String) throws(JournalFolder.Refusal) -> Int32
    private let mailbox: Mailbox<Order>
    private let backlog: JournalBacklog
    private let log: DaemonLog
    /// The descriptors by file name. A file that could not be created, or to which a write has
    /// failed, is absent.
    private var descriptors: [String: Int32] = [:]

    init(
        make: @escaping (String) throws(JournalFolder.Refusal) -> Int32,
        mailbox: Mailbox<Order>, waiting: JournalBacklog, log: DaemonLog
    ) {
        self.createFile = make
        self.mailbox = mailbox
        self.backlog = waiting
        self.log = log
    }

    /// Runs until the mailbox delivers `stop`. All lines that were posted before `stop` are
    /// written.
    mutating func run() {
        var isRunning = true
        while isRunning {
            for order in mailbox.receive(until: nil) { isRunning = handle(order) && isRunning }
        }
        for order in mailbox.close() { _ = handle(order) }
        for descriptor in descriptors.values { Glibc.close(descriptor) }
    }

    /// Returns false for `stop`.
    private mutating func handle(_ order: Order) -> Bool {
        switch order {
        case .open(let file): open(file)
        case .opened(let file, let descriptor): descriptors[file.name] = descriptor
        case .append(let lines, let file):
            write(lines, to: file)
            backlog.release(lines.count)
        case .close(let file):
            if let descriptor = descriptors.removeValue(forKey: file.name) {
                Glibc.close(descriptor)
            }
        case .stop: return false
        }
        return true
    }

    private mutating func open(_ file: JournalFile) {
        do throws(JournalFolder.Refusal) {
            descriptors[file.name] = try createFile(file.name)
        } catch {
            reportFailure(of: file, error)
        }
    }

    private mutating func write(_ lines: [UInt8], to file: JournalFile) {
        guard let descriptor = descriptors[file.name] else { return }
        do throws(JournalFolder.Refusal) {
            try Self.write(lines, to: descriptor)
        } catch {
            descriptors[file.name] = nil
            Glibc.close(descriptor)
            reportFailure(of: file, error)
        }
    }

    private static func write(
        _ lines: [UInt8], to descriptor: Int32
    ) throws(JournalFolder.Refusal) {
        var start = 0
        while start < lines.count {
            let written = unsafe lines.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw JournalFolder.Refusal(errno: written < 0 ? errno : ENOSPC)
            }
            start += written
        }
    }

    private func reportFailure(of file: JournalFile, _ refusal: JournalFolder.Refusal) {
        guard file.markFailed() else { return }
        log(
            .journalEnded,
            [.session: file.session, .reason: "\(file.name): \(refusal.reason)"])
    }
}
