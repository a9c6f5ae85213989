internal import Foundation
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession

/// The claims of a JSON Web Token that the daemon uses. Source: RFC 7519, 4.1.
struct WebTokenClaims: Decodable, Sendable {
    var subject: String
    /// Seconds since 1970, possibly with a fraction. `notBefore` and `issuedAt` have the same unit.
    var expires: Double
    var notBefore: Double?
    var issuedAt: Double?
    var issuer: String?
    var audience: [String]
    /// The permitted feeds; nil: the claim is absent, which permits all feeds.
    var feeds: [String]?

    /// The name of a claim. It can be any text, because the configuration sets the name of the
    /// claim for feeds.
    private struct Claim: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let feedsClaim = CodingUserInfoKey(rawValue: "feedsClaim")

    /// Parses the payload of a token whose signature is valid.
    init(_ payload: [UInt8], feedsClaim: String) throws(AdmissionRefusal) {
        guard UniqueMembers.isSatisfied(by: payload) else { throw .claims }
        let decoder = JSONDecoder()
        if let key = Self.feedsClaim { decoder.userInfo[key] = feedsClaim }
        do {
            self = try decoder.decode(Self.self, from: Data(payload))
        } catch {
            throw .claims
        }
    }

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: Claim.self)
        // A claim that is present must have the given type, so `null` is an error. An unreadable
        // claim is not ignored, because it may be a restriction.
        func claim<Value: Decodable>(_ name: String, _ type: Value.Type) throws -> Value? {
            let key = Claim(stringValue: name)
            return claims.contains(key) ? try claims.decode(type, forKey: key) : nil
        }
        subject = try claims.decode(String.self, forKey: Claim(stringValue: "sub"))
        expires = try claims.decode(Double.self, forKey: Claim(stringValue: "exp"))
        notBefore = try claim("nbf", Double.self)
        issuedAt = try claim("iat", Double.self)
        issuer = try claim("iss", String.self)
        if let one = try? claim("aud", String.self) {
            audience = [one]
        } else {
            audience = try claim("aud", [String].self) ?? []
        }
        let name = Self.feedsClaim.flatMap { decoder.userInfo[$0] as? String }
        feeds = try name.flatMap { try claim($0, [String].self) }
    }

    /// Returns the identity of the token's bearer, if the token is valid for this daemon at this
    /// moment.
    ///
    /// `now` and `unixSeconds` are the same moment on two clocks. The identity expires at the end
    /// of the token's validity, `skewMs` after `exp`. If the wall clock is changed in the meantime,
    /// the identity expires when the changed clock shows this time.
    func identity(
        _ settings: WebTokenSettings, now: Instant, unixSeconds: Double
    ) throws(AdmissionRefusal) -> Identity {
        let skew = Double(settings.skewMs) / 1000
        let left = expires + skew - unixSeconds
        guard left > 0 else { throw .expired }
        if let notBefore, notBefore > unixSeconds + skew { throw .notYetValid }
        if let issuedAt, issuedAt > unixSeconds + skew { throw .issuedInFuture }
        if let requiredIssuer = settings.issuer {
            guard let issuer, issuer.hasBytes(of: requiredIssuer) else { throw .issuer }
        }
        guard audience.contains(where: { $0.hasBytes(of: settings.audience) }) else {
            throw .audience
        }
        guard Identity.isValidSubject(subject) else { throw .subject }
        return Identity(
            subject: subject, feeds: feeds.map { .only($0) } ?? .all,
            expires: now.advanced(byMilliseconds: min(left, Identity.lifetimeSecondsMax) * 1000),
            expiresUnixSeconds: left < Identity.lifetimeSecondsMax ? expires + skew : nil)
    }
}
