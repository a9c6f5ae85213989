import Cryptography
import RefreshProtocol
import SealedSnapshots

@testable import RefreshServer
@testable import RefreshSession

/// The properties of every text that is presented as a sealed snapshot.
enum SealProperties {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        let result = opened(text)
        require(opened(text) == result, "the same text is opened equally twice")
        switch result {
        case .success(let snapshot):
            require(
                snapshot.session.name == claim.session,
                "a client receives only the session that it requested")
            require(
                snapshot.subject == nil,
                "a client without a subject receives no session of a subject")
            let last = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
            require(
                Base64URL.bytes(of: last).map(Base64URL.text(of:)) == String(last),
                "a snapshot has only one accepted text")
        case .failure(let refusal):
            require(
                [.snapshotInvalid, .snapshotExpired, .wrongToken, .otherSubject]
                    .contains(refusal), "the reason concerns a snapshot: \(refusal)")
        }
    }

    private static let claim = SnapshotClaim(
        session: ReceptionWorld.session, token: ReceptionWorld.token, subject: nil)

    private static func opened(_ text: String) -> Result<SessionSnapshot, ResumeRefusal> {
        do throws(ResumeRefusal) {
            return .success(
                try ReceptionWorld.seal.open(text, for: claim, at: Instant(milliseconds: 90_000)))
        } catch {
            return .failure(error)
        }
    }
}
