internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

// Journals that operators start and stop. Source: docs/journal.md, "Journals on request".
extension SessionHost {
    func beginJournal(of session: Session, at now: Instant) -> HTTPResponse {
        guard !session.isRecorded else { return Self.alreadyRecorded }
        guard let journals else { return Self.response(to: .noFolder) }
        var journal: RequestedJournal?
        var refusal: RequestedJournals.Refusal?
        _ = session.beginJournal(
            {
                do throws(RequestedJournals.Refusal) {
                    journal = try journals.beginJournal(session: session.name)
                } catch {
                    refusal = error
                }
                return journal
            }, at: now)
        if let refusal { return Self.response(to: refusal) }
        guard let journal else {
            return .fault(
                status: 409, code: "sessionNotOpen",
                message: "The session is opening or ending, or its feed no longer exists.")
        }
        return .json(Array(#"{"journal":"\#(journal.file.name)"}"#.utf8))
    }

    func endJournal(of session: Session, at now: Instant) -> HTTPResponse {
        // If the configuration records all sessions, an operator cannot end their journals.
        guard !session.isRecorded || session.isRecordedOnRequest else {
            return Self.alreadyRecorded
        }
        session.endJournal(at: now)
        return HTTPResponse(status: 204)
    }

    private static var alreadyRecorded: HTTPResponse {
        .fault(
            status: 409, code: "alreadyRecorded", message: "The session is already recorded.")
    }

    private static func response(to refusal: RequestedJournals.Refusal) -> HTTPResponse {
        switch refusal {
        case .noFolder:
            .fault(
                status: 409, code: "noJournalFolder",
                message: "The configuration sets no folder for journals.")
        case .tooMany:
            .fault(
                status: 409, code: "tooManyJournals",
                message: "The number of journals has reached its limit.")
        case .fileNotCreated:
            .fault(
                status: 503, code: "journalNotMade",
                message: "The journal file cannot be created; the log has the reason.")
        }
    }
}
