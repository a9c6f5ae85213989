import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Claims of JSON Web Tokens")
struct WebTokenClaimTests {
    private static let needed =
        #""aud":"lists.example.org","iss":"https://id.example.org""#

    /// Returns the verdict on a correctly signed token with these claims.
    private static func verdict(
        _ claims: String, change: (inout WebTokenSettings) -> Void = { _ in }
    ) async throws -> AdmissionVerdict {
        let access = try WebTokenTests.access([.ES256], keys: TokenMint.keySet(), change: change)
        let token = try await TokenMint.token(
            WebTokenTests.kid("ES256", "ec-1"), claims, by: .p256(TokenMint.p256))
        return await access.verdict(on: token)
    }

    @Test(
        "A token is valid until its end plus the tolerance for clock differences",
        arguments: [
            ("1799999970.001", 1.0), ("1800000000", 30_000), ("1800000060", 90_000),
            ("1.8e9", 30_000), ("1800000000.5", 30_500),
        ])
    func untilItsEnd(expires: String, leftMs: Double) async throws {
        let verdict = try await Self.verdict(#"{"sub":"anna","exp":\#(expires),\#(Self.needed)}"#)
        guard case .admitted(let identity) = verdict, let end = identity.expires else {
            Issue.record("\(verdict)")
            return
        }
        #expect(abs(end.milliseconds(since: WebTokenTests.now) - leftMs) < 0.01)
    }

    @Test(
        "If the end is in the far future, the session ends after a hundred years",
        arguments: ["1e300", "9223372036854775807", "1.7976931348623157e308", "99999999999999"])
    func farFuture(expires: String) async throws {
        let verdict = try await Self.verdict(#"{"sub":"anna","exp":\#(expires),\#(Self.needed)}"#)
        #expect(verdict == WebTokenTests.anna(leftMs: 3_155_760_000_000))
    }

    @Test(
        "An expired or not yet valid token is refused",
        arguments: [
            (#""exp":1799999970"#, AdmissionRefusal.expired), (#""exp":0"#, .expired),
            (#""exp":-1e300"#, .expired),
            (#""exp":1800000060,"nbf":1800000031"#, .notYetValid),
            (#""exp":1800000060,"iat":1800000031"#, .issuedInFuture),
        ])
    func otherTimes(times: String, refusal: AdmissionRefusal) async throws {
        let verdict = try await Self.verdict(#"{"sub":"anna",\#(times),\#(Self.needed)}"#)
        #expect(verdict == .refused(refusal))
    }

    @Test("Times within the tolerance for clock differences are accepted")
    func skew() async throws {
        let claims =
            #"{"sub":"anna","exp":1800000060,"nbf":1800000030,"iat":1800000030,\#(Self.needed)}"#
        #expect(try await Self.verdict(claims) == WebTokenTests.anna())
        let strict = try await Self.verdict(claims) { $0.skewMs = 0 }
        #expect(strict == .refused(.notYetValid))
    }

    @Test(
        "Required claims must be present and have the right type",
        arguments: [
            #"{"sub":"anna",\#(needed)}"#, #"{"exp":1800000060,\#(needed)}"#,
            #"{"sub":"anna","exp":"1800000060",\#(needed)}"#,
            #"{"sub":"anna","exp":null,\#(needed)}"#, #"{"sub":"anna","exp":true,\#(needed)}"#,
            #"{"sub":"anna","exp":1e999,\#(needed)}"#,
            #"{"sub":5,"exp":1800000060,\#(needed)}"#, #"{"sub":null,"exp":1800000060,\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"nbf":"0",\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"iat":null,\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"aud":7}"#,
            #"{"sub":"anna","exp":1800000060,"aud":["lists.example.org",7]}"#,
            #"{"sub":"anna","exp":1800000060,"feeds":"songs",\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"feeds":null,\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"feeds":[1],\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"sub":"root",\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"exp":1,\#(needed)}"#,
            #"{"sub":"anna","exp":1,"exp":1800000060,\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"feeds":["a","b"],"feeds":["a"],\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"\u0073ub":"root",\#(needed)}"#,
            #"{"sub":"anna","exp":1800000060,"x":{"y":1,"y":1},\#(needed)}"#,
            "[]", "", "\"anna\"", "{", "{\"sub\":\"anna\"} {}", "\u{0}",
        ])
    func malformed(claims: String) async throws {
        #expect(try await Self.verdict(claims) == .refused(.claims))
    }

    @Test(
        "A token with another audience or another issuer is refused",
        arguments: [
            (#""aud":"other","iss":"https://id.example.org""#, AdmissionRefusal.audience),
            (#""aud":[],"iss":"https://id.example.org""#, .audience),
            (#""iss":"https://id.example.org""#, .audience),
            (#""aud":"lists.example.org.evil.example","iss":"https://id.example.org""#, .audience),
            (#""aud":"LISTS.example.org","iss":"https://id.example.org""#, .audience),
            (#""aud":"lists.example.org""#, .issuer),
            (#""aud":"lists.example.org","iss":"https://id.example.org/""#, .issuer),
        ])
    func others(claims: String, refusal: AdmissionRefusal) async throws {
        let verdict = try await Self.verdict(#"{"sub":"anna","exp":1800000060,\#(claims)}"#)
        #expect(verdict == .refused(refusal))
    }

    @Test("One of several audiences suffices, and any issuer is accepted if none is configured")
    func several() async throws {
        let claims = #"{"sub":"anna","exp":1800000060,"aud":["a","lists.example.org"],"iss":"me"}"#
        #expect(try await Self.verdict(claims) { $0.issuer = nil } == WebTokenTests.anna())
    }

    @Test(
        "A subject that is empty, too long or contains control characters is refused",
        arguments: ["", "a\\nb", "\\u0000", "\\u007f", String(repeating: "x", count: 257)])
    func subjects(subject: String) async throws {
        let claims = #"{"sub":"\#(subject)","exp":1800000060,\#(Self.needed)}"#
        #expect(try await Self.verdict(claims) == .refused(.subject))
    }

    @Test("The configured claim contains the feeds")
    func feeds() async throws {
        let start = #"{"sub":"anna","exp":1800000060,\#(Self.needed)"#
        #expect(
            try await Self.verdict(start + #","feeds":["songs","gone"]}"#)
                == WebTokenTests.anna(.only(["songs", "gone"])))
        #expect(try await Self.verdict(start + #","feeds":[]}"#) == WebTokenTests.anna(.only([])))
        let other = try await Self.verdict(start + #","feeds":["a"],"may see":["songs"]}"#) {
            $0.feedsClaim = "may see"
        }
        #expect(other == WebTokenTests.anna(.only(["songs"])))
    }

    @Test(
        "A malformed token is refused and does not crash the daemon",
        arguments: [
            "", ".", "..", "...", "a.b.c", "e30.e30", "e30.e30.e30.e30", "e30.e30.e30=",
            "e30.e 30.AA", "bnVsbA.e30.AA", "W10.e30.AA", "eyJhbGciOjV9.e30.AA",
            "eyJraWQiOiJlYy0xIn0.e30.AA", "e3.e30.AA", "Bearer e30.e30.AA", "é.ü.ß",
        ])
    func noToken(text: String) async throws {
        let access = try WebTokenTests.access()
        #expect(await access.verdict(on: text) == .refused(.malformed))
    }

    @Test("Headers with huge numbers, deep nesting or great length do not crash the daemon")
    func hostileHeaders() async throws {
        let access = try WebTokenTests.access()
        let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        for (more, verdict) in [
            (#""x":1e300"#, WebTokenTests.anna()),
            (#""x":-99999999999999999999"#, WebTokenTests.anna()),
            (#""x":\#(deep)"#, .refused(.malformed)),
            (#""x":"\#(String(repeating: "y", count: 70_000))""#, .refused(.malformed)),
            (#""kid":null"#, .refused(.malformed)),
            (#""alg":"ES256""#, .refused(.malformed)), (#""alg":"none""#, .refused(.malformed)),
            (#""al\u0067":"none""#, .refused(.malformed)),
            (#""kid":"ec-1""#, .refused(.malformed)),
            (#""x":{"y":1,"y":1}"#, .refused(.malformed)),
        ] as [(String, AdmissionVerdict)] {
            let kid = more == #""kid":null"# ? "" : #""kid":"ec-1","#
            let token = try await TokenMint.token(
                #"{"alg":"ES256",\#(kid)\#(more)}"#, by: .p256(TokenMint.p256))
            #expect(await access.verdict(on: token) == verdict)
        }
    }
}
