import Cryptography
import RefreshProtocol

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Stores snapshots in an array. The sealed text is an index into this array. The rules of opening
/// are those of the real seal, except that snapshots do not expire.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class StoredSnapshots: SnapshotSealing, @unchecked Sendable {
    private var snapshots: [SessionSnapshot] = []

    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
        snapshots.append(snapshot)
        return SealedText(text: "s\(snapshots.count - 1)", expiresMs: 3_600_000)
    }

    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot {
        guard let snapshot = self[text], snapshot.session.name == claim.session else {
            throw .snapshotInvalid
        }
        guard snapshot.subject == claim.subject else { throw .otherSubject }
        guard snapshot.tokenHash == SHA256.digest(of: Array(claim.token.utf8)) else {
            throw .wrongToken
        }
        return snapshot
    }

    subscript(text: String) -> SessionSnapshot? {
        guard let index = Int(text.dropFirst()), snapshots.indices.contains(index) else {
            return nil
        }
        return snapshots[index]
    }
}
