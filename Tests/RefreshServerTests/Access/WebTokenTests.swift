import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("JSON Web Tokens")
struct WebTokenTests {
    static let now = Instant(microseconds: 5_000_000)

    static let clock = AccessClock(now: { now }, unixSeconds: { TokenMint.noon })

    /// Returns a `WebTokenAccess` for all three algorithms, with the keys of `keySet`.
    static func access(
        _ algorithms: [WebTokenSettings.Algorithm] = [.HS256, .RS256, .ES256],
        keys: String? = nil, change: (inout WebTokenSettings) -> Void = { _ in }
    ) throws -> WebTokenAccess {
        let file = try TemporaryFile(
            "keys.json", keys ?? TokenMint.keySet(withSecret: algorithms.contains(.HS256)))
        var settings = WebTokenSettings(
            algorithms: algorithms, keys: .jwks(path: file.path), audience: "lists.example.org",
            issuer: "https://id.example.org")
        change(&settings)
        return try WebTokenAccess(settings, clock: clock)
    }

    /// Returns a `WebTokenAccess` that reads its secret from a file.
    static func secretAccess(_ content: String) throws -> WebTokenAccess {
        let file = try TemporaryFile("secret", content)
        return try WebTokenAccess(
            WebTokenSettings(
                algorithms: [.HS256], keys: .secret(path: file.path), audience: "lists.example.org"),
            clock: clock)
    }

    static func anna(_ feeds: PermittedFeeds = .all, leftMs: Double = 90_000) -> AdmissionVerdict {
        .admitted(
            Identity(
                subject: "anna", feeds: feeds, expires: now.advanced(byMilliseconds: leftMs),
                expiresUnixSeconds: leftMs < 1e12 ? TokenMint.noon + leftMs / 1000 : nil))
    }

    static func kid(_ algorithm: String, _ kid: String) -> String {
        #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#
    }

    // MARK: Signatures

    @Test("A token of each algorithm is accepted with the key that it names")
    func eachAlgorithm() async throws {
        let access = try Self.access()
        let tokens = [
            try await TokenMint.token(Self.kid("HS256", "hs-1"), by: .hmac(TokenMint.secret)),
            try await TokenMint.token(Self.kid("RS256", "rsa-1"), by: .rsa(TokenMint.rsa)),
            try await TokenMint.token(Self.kid("ES256", "ec-1"), by: .p256(TokenMint.p256)),
        ]
        for token in tokens { #expect(await access.verdict(on: token) == Self.anna()) }
    }

    @Test("The verdict is delivered later, exactly once, to the given closure")
    func later() async throws {
        let access = try Self.access()
        let token = try await TokenMint.token(
            Self.kid("ES256", "ec-1"), by: .p256(TokenMint.p256))
        let verdict = await withCheckedContinuation { continuation in
            let atOnce = access.authenticate(AuthenticationRequest(token: token), by: .never) {
                continuation.resume(returning: $0)
            }
            #expect(atOnce == nil)
        }
        #expect(verdict == Self.anna())
        let none = access.authenticate(AuthenticationRequest(token: nil), by: .never) { _ in }
        #expect(none == .refused(.noToken))
    }

    @Test("A token without a key id is checked with the only key of its algorithm")
    func nameless() async throws {
        let access = try Self.access(keys: TokenMint.keySet(withSecret: true, named: false))
        let token = try await TokenMint.token(#"{"alg":"ES256"}"#, by: .p256(TokenMint.p256))
        #expect(await access.verdict(on: token) == Self.anna())
        let named = try await TokenMint.token(
            Self.kid("ES256", "ec-1"), by: .p256(TokenMint.p256))
        #expect(await access.verdict(on: named) == .refused(.unknownKey))
        let two = try Self.access(
            [.ES256],
            keys: #"{"keys":[\#(TokenMint.p256Entry(kid: "a")),\#(TokenMint.p256Entry(kid: "b"))]}"#
        )
        #expect(await two.verdict(on: token) == .refused(.unknownKey))
    }

    @Test(
        "The last line break of a secret file is ignored, and a key id in a token is ignored too",
        arguments: ["", "\n", "\r\n"])
    func secretFile(end: String) async throws {
        let access = try Self.secretAccess(TokenMint.secret + end)
        for header in [#"{"alg":"HS256"}"#, Self.kid("HS256", "whatever")] {
            let token = try await TokenMint.token(header, by: .hmac(TokenMint.secret))
            #expect(await access.verdict(on: token) == Self.anna())
        }
    }

    @Test("A signature of another key is refused")
    func otherKey() async throws {
        let access = try Self.access()
        let tokens = [
            try await TokenMint.token(
                Self.kid("HS256", "hs-1"), by: .hmac(TokenMint.secret + "x")),
            try await TokenMint.token(Self.kid("RS256", "rsa-1"), by: .rsa(TokenMint.otherRSA)),
            try await TokenMint.token(Self.kid("ES256", "ec-1"), by: .p256(TokenMint.otherP256)),
        ]
        for token in tokens { #expect(await access.verdict(on: token) == .refused(.signature)) }
    }

    @Test("A changed byte in the header, the claims or the signature invalidates a token")
    func changed() async throws {
        let access = try Self.access()
        let good = try await TokenMint.token(
            Self.kid("ES256", "ec-1"), by: .p256(TokenMint.p256))
        let parts = good.split(separator: ".").map(String.init)
        let claims = TokenMint.claims.replacing("anna", with: "otto")
        let stolen = [parts[0], TokenMint.base64URL(Array(claims.utf8)), parts[2]]
        #expect(await access.verdict(on: stolen.joined(separator: ".")) == .refused(.signature))
        let header = Self.kid("ES256", "ec-1").replacing("JWT", with: "jwt")
        let other = [TokenMint.base64URL(Array(header.utf8)), parts[1], parts[2]]
        #expect(await access.verdict(on: other.joined(separator: ".")) == .refused(.signature))
        for length in [0, 1, 63, 65, 128] {
            let forged = try await TokenMint.token(
                Self.kid("ES256", "ec-1"), by: .forged([UInt8](repeating: 1, count: length)))
            #expect(await access.verdict(on: forged) == .refused(.signature))
        }
    }

    // MARK: Confusion

    @Test(
        "A token without a signature is refused, however its header spells `none`",
        arguments: ["none", "None", "NONE", "nOnE", ""])
    func unsigned(algorithm: String) async throws {
        let access = try Self.access()
        for bytes in [[], [1, 2, 3]] as [[UInt8]] {
            let token = try await TokenMint.token(
                #"{"alg":"\#(algorithm)"}"#, by: .forged(bytes))
            #expect(await access.verdict(on: token) == .refused(.algorithm))
        }
    }

    @Test("The public key of RS256 is not accepted as a secret of HS256")
    func confusion() async throws {
        let set = try TokenMint.keySet()
        for secret in [TokenMint.rsaPEM, TokenMint.rsaPEM + "\n", set] {
            for name in ["rsa-1", "ec-1"] {
                let token = try await TokenMint.token(
                    Self.kid("HS256", name), by: .hmac(secret))
                let asymmetric = try Self.access([.RS256, .ES256], keys: set)
                #expect(await asymmetric.verdict(on: token) == .refused(.algorithm))
                // If HS256 is accepted, the token is refused because its key id names a key of
                // another algorithm.
                let all = try Self.access()
                #expect(await all.verdict(on: token) == .refused(.unknownKey))
            }
        }
        let crossed = try await TokenMint.token(
            Self.kid("RS256", "ec-1"), by: .rsa(TokenMint.rsa))
        #expect(await (try Self.access()).verdict(on: crossed) == .refused(.unknownKey))
    }

    @Test(
        "An algorithm that is not configured is refused, even if there is a key for it",
        arguments: ["HS256", "HS384", "RS512", "PS256", "ES384", "es256", "EdDSA", "ES256K"])
    func unlisted(algorithm: String) async throws {
        let access = try Self.access([.ES256], keys: TokenMint.keySet(withSecret: true))
        let token = try await TokenMint.token(
            Self.kid(algorithm, "ec-1"), by: .p256(TokenMint.p256))
        #expect(await access.verdict(on: token) == .refused(.algorithm))
    }

    @Test(
        "An unknown or empty key id is refused",
        arguments: ["", "ec-2", "EC-1", "ec-1\\u0000", "../../etc/passwd", "ec-1' OR 1=1"])
    func unknownName(kid: String) async throws {
        let token = try await TokenMint.token(
            Self.kid("ES256", kid), by: .p256(TokenMint.p256))
        #expect(await (try Self.access()).verdict(on: token) == .refused(.unknownKey))
    }

    @Test("A key or a URL in the token itself is ignored")
    func ownKey() async throws {
        let jwk = try TokenMint.p256Entry(kid: "mine")
        let more = #""jwk":\#(jwk),"jku":"http://127.0.0.1:1/","x5u":"http://127.0.0.1:1/""#
        let token = try await TokenMint.token(
            #"{"alg":"ES256","kid":"mine",\#(more)}"#, by: .p256(TokenMint.otherP256))
        #expect(await (try Self.access()).verdict(on: token) == .refused(.unknownKey))
    }

    @Test(
        "A token with a critical extension is refused",
        arguments: [#"["exp"]"#, #"["b64"]"#, "[]", "null", "\"b64\""])
    func critical(value: String) async throws {
        let token = try await TokenMint.token(
            #"{"alg":"ES256","kid":"ec-1","crit":\#(value),"b64":false}"#,
            by: .p256(TokenMint.p256))
        #expect(await (try Self.access()).verdict(on: token) == .refused(.criticalExtension))
    }
}
