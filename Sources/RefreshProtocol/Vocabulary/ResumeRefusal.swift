/// Why a client that tries to resume gets a fresh session. Source: docs/protocol.md, "Coming back".
package enum ResumeRefusal: String, CaseIterable, Error, Sendable {
    case unknownSession
    case wrongToken
    case otherSubject
    case resultsLost
    case snapshotInvalid
    case snapshotExpired
    case snapshotStale
    case changedConfiguration
    case switchedOff
}
