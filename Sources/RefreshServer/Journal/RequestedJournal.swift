internal import RefreshSession

/// A journal that an operator requested, with its size limit. Used on its session's thread only.
final class RequestedJournal: JournalSink {
    let file: JournalFile
    private let bytesMax: Int
    private let journals: RequestedJournals
    private var bytes = 0
    private var isClosed = false

    init(_ file: JournalFile, bytesMax: Int, of journals: RequestedJournals) {
        self.file = file
        self.bytesMax = bytesMax
        self.journals = journals
    }

    deinit { close() }

    var started: String { file.started }
    var isOpen: Bool { file.isOpen }
    var isOnRequest: Bool { true }
    var isFull: Bool { bytes >= bytesMax }

    func append(_ lines: [UInt8]) {
        bytes += lines.count
        file.append(lines)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        // If the file ended early because lines were lost, that end has already been logged.
        let isWhole = file.isOpen
        file.close()
        journals.recordEnd(of: self, isWhole: isWhole)
    }
}
