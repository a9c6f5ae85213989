internal import RefreshProtocol
internal import Synchronization

/// The journals that operators request: their folder, their number and their size limit. Any thread
/// may use this object. Source: docs/journal.md, "Journals on request".
final class RequestedJournals: Sendable {
    /// Why a journal is not begun.
    enum Refusal: Error {
        case noFolder
        case tooMany
        /// The file could not be created.
        case fileNotCreated
    }

    /// The number of open journals, and the results of all requests.
    struct Counts: Hashable, Sendable {
        var open = 0
        var begun = 0
        /// The number of journals that ended because they reached the size limit.
        var full = 0
        /// The number of requests that were refused because the maximum number of journals was
        /// open.
        var refused = 0
    }

    private struct State {
        var journalsMax: Int
        var journalBytesMax: Int
        var counts = Counts()
    }

    /// Nil if the configuration names no folder.
    private let writer: JournalWriter?
    private let log: DaemonLog
    private let state: Mutex<State>

    init(limits: Limits, log: DaemonLog, writer: JournalWriter?) {
        self.writer = writer
        self.log = log
        state = Mutex(
            State(journalsMax: limits.journalsMax, journalBytesMax: limits.journalBytesMax))
    }

    /// Applies new limits to journals that begin later.
    func apply(_ limits: Limits) {
        state.withLock {
            $0.journalsMax = limits.journalsMax
            $0.journalBytesMax = limits.journalBytesMax
        }
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Begins a journal for a running session.
    func beginJournal(session: String) throws(Refusal) -> RequestedJournal {
        guard let writer else { throw .noFolder }
        let bytesMax = state.withLock { state -> Int? in
            guard state.counts.open < state.journalsMax else {
                state.counts.refused += 1
                return nil
            }
            state.counts.open += 1
            state.counts.begun += 1
            return state.journalBytesMax
        }
        guard let bytesMax else { throw .tooMany }
        let file: JournalFile
        do throws(JournalFolder.Refusal) {
            file = try writer.openJournal(ofSession: session)
        } catch {
            state.withLock { state in
                state.counts.open -= 1
                state.counts.begun -= 1
            }
            log(.journalEnded, [.session: session, .reason: error.reason])
            throw .fileNotCreated
        }
        log(.journalBegun, [.session: session, .file: file.name])
        return RequestedJournal(file, bytesMax: bytesMax, of: self)
    }

    /// Records the end of a journal. `isWhole`: whether no line was lost. If a line was lost, the
    /// end of the journal was logged when the line was lost.
    func recordEnd(of journal: RequestedJournal, isWhole: Bool) {
        state.withLock { state in
            state.counts.open -= 1
            if journal.isFull { state.counts.full += 1 }
        }
        guard isWhole else { return }
        log(
            .journalClosed,
            [
                .session: journal.file.session, .file: journal.file.name,
                .reason: journal.isFull ? "journalBytesMax" : "requested, or the session has ended",
            ])
    }
}
