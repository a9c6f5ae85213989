import Cryptography
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession

/// The properties of every text that is presented as a sealed snapshot.
enum SealProperties {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        let result = opened(text)
        require(opened(text) == result, "it is the same the second time")
        switch result {
        case .success(let snapshot):
            require(snapshot.session.name == claim.session, "who asks for a session gets no other")
            require(snapshot.subject == nil, "nobody gets what is somebody else's")
            let last = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
            require(
                Base64URL.bytes(of: last).map(Base64URL.text(of:)) == String(last),
                "no two texts are the same snapshot")
        case .failure(let refusal):
            require(
                [.snapshotInvalid, .snapshotExpired, .wrongToken, .otherSubject]
                    .contains(refusal), "a refusal is one of a snapshot: \(refusal)")
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
