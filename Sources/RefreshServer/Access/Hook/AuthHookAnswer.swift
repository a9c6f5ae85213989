internal import Foundation
internal import RefreshProtocol
internal import RefreshSession

/// The answer of the external authentication service. Source: docs/configuration.md, "auth".
struct AuthHookAnswer: Decodable, Sendable {
    private var isAllowed: Bool
    private var subject: String?
    private var feeds: [String]?
    private var lifetimeMs: Double?

    private enum Key: String, CodingKey {
        case allow, subject, feeds
        case lifetimeMs = "expiresInMs"
    }

    /// Parses an answer. Throws if a member that docs/configuration.md defines is not valid.
    init(_ json: [UInt8]) throws(AuthenticationFailure) {
        guard UniqueMembers.isSatisfied(by: json) else { throw .malformed }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw .malformed
        }
        guard isAllowed else { return }
        guard let subject, Identity.isValidSubject(subject),
            (0...Self.lifetimeMsMax).contains(lifetimeMs ?? 0)
        else { throw .malformed }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        isAllowed = try members.decode(Bool.self, forKey: .allow)
        guard isAllowed else { return }
        // A `null` is an error. It does not count as an absent member, because the service may have
        // meant an empty list.
        subject = try members.decode(String.self, forKey: .subject)
        if members.contains(.feeds) { feeds = try members.decode([String].self, forKey: .feeds) }
        if members.contains(.lifetimeMs) {
            lifetimeMs = try members.decode(Double.self, forKey: .lifetimeMs)
        }
    }

    /// Returns the result of the authentication. `now` is the time at which the answer arrived.
    func verdict(now: Instant) -> AdmissionVerdict {
        guard isAllowed else { return .refused(.denied) }
        return .admitted(
            Identity(
                subject: subject, feeds: feeds.map { .only($0) } ?? .all,
                expires: lifetimeMs.map { now.advanced(byMilliseconds: $0) }))
    }

    /// The maximum lifetime of an identity: a hundred years in milliseconds. A longer lifetime is
    /// rejected as a mistake. A service that sets no limit omits `expiresInMs`.
    private static let lifetimeMsMax = 3_155_760_000_000.0
}
