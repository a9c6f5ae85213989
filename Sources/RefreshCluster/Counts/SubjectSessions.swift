internal import RefreshProtocol

/// The sessions with a connection at this node, by subject. `Session` identifies a session.
package struct SubjectSessions<Session: Hashable & Sendable>: Sendable {
    private var subjects: [Session: Bytewise<String>] = [:]
    private var bySubject: [Bytewise<String>: Int] = [:]

    package init() {}

    /// The number of sessions of a subject.
    package func count(of subject: String) -> Int {
        bySubject[Bytewise(wrappedValue: subject)] ?? 0
    }

    /// The subject of a counted session.
    package func subject(of session: Session) -> String? { subjects[session]?.wrappedValue }

    /// Counts a session. Returns false, and does not count it, if the subject has `countMax`
    /// sessions. A session that is counted already is not counted again.
    package mutating func add(_ session: Session, of subject: String, countMax: Int) -> Bool {
        guard subjects[session] == nil else { return true }
        guard count(of: subject) < countMax else { return false }
        let subject = Bytewise(wrappedValue: subject)
        subjects[session] = subject
        bySubject[subject, default: 0] += 1
        return true
    }

    /// Stops counting a session. For a session that is not counted, nothing changes.
    package mutating func remove(_ session: Session) {
        guard let subject = subjects.removeValue(forKey: session) else { return }
        let count = bySubject[subject] ?? 0
        bySubject[subject] = count > 1 ? count - 1 : nil
    }

    /// The counts that the node publishes. The parameters are those of `CountSelection.select`.
    package func published(limit: Int, nodes: Int, by keys: CountKeys) -> [CountKey: Int] {
        CountSelection.select(bySubject, limit: limit, nodes: nodes) {
            keys.key(ofSubject: $0.wrappedValue)
        }
    }
}
