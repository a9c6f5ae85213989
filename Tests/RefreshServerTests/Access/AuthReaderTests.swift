import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("The section `auth` of a configuration file")
struct AuthReaderTests {
    private static func auth(_ yaml: String) throws(ConfigurationError) -> AuthSettings? {
        try ConfigurationFile(text: yaml, path: "etc/refreshd.yaml").auth
    }

    @Test("Each mode is read with its defaults")
    func defaults() throws {
        let hash = String(repeating: "0", count: 64)
        #expect(try Self.auth("demo: true") == nil)
        #expect(try Configuration(file: ConfigurationFile(text: "", path: "")).auth == .none)
        #expect(try Self.auth("auth: { mode: none }") == AuthSettings.none)
        #expect(
            try Self.auth(
                "auth: { mode: token }\n"
                    + "tokens: [{ name: a, sha256: \"\(hash)\", may: [connect] }]") == .token)
        #expect(
            try Self.auth("auth: { mode: http, url: \"https://id.example.org/who?a=b\" }")
                == .http(AuthHookSettings(url: "https://id.example.org/who?a=b")))
        #expect(
            try Self.auth(
                "auth: { mode: http, url: \"http://a/\" }\nlimits: { authDeadlineMs: 50 }")
                == .http(AuthHookSettings(url: "http://a/", deadlineMs: 50)))
        let file = try TemporaryFile("secret", TokenMint.secret)
        #expect(
            try Self.auth(
                "auth: { mode: jwt, algorithms: [HS256], secretFile: \(file.path), audience: a }")
                == .jwt(
                    WebTokenSettings(
                        algorithms: [.HS256], keys: .secret(path: file.path), audience: "a")))
    }

    @Test("Each setting is read as written, and paths are relative to the configuration file")
    func all() throws {
        let file = try TemporaryFile("keys.json", TokenMint.keySet())
        let folder = String(file.path.dropLast("keys.json".count))
        let read = try ConfigurationFile(
            text: """
                auth: { mode: jwt, algorithms: [ES256, RS256], jwks: keys.json, audience: a,
                        issuer: b, skewMs: 0, feedsClaim: "https://example.org/feeds" }
                """, path: folder + "refreshd.yaml")
        #expect(
            read.auth
                == .jwt(
                    WebTokenSettings(
                        algorithms: [.ES256, .RS256], keys: .jwks(path: file.path), audience: "a",
                        issuer: "b", skewMs: 0, feedsClaim: "https://example.org/feeds")))
        #expect(
            try Self.auth(
                "auth: { mode: http, url: \"http://a/\", deadlineMs: 5, calls: 3, forward: [cookie] }"
            )
                == .http(
                    AuthHookSettings(
                        url: "http://a/", deadlineMs: 5, calls: 3, forward: ["cookie"])))
    }

    @Test("The error for a file without usable keys has a location and none of the file's content")
    func keyFiles() throws {
        let p256 = try TokenMint.p256Entry(kid: "a")
        let rsa = try TokenMint.rsaEntry(kid: "a")
        let unusable = try TokenMint.rsaEntry(kid: nil, more: #","use":"enc""#)
        for (content, problem) in [
            ("canary", "the file is not a JSON Web Key Set"),
            (#"{"keys":{}}"#, "the file is not a JSON Web Key Set"),
            (#"{"keys":[{"kid":"canary"}]}"#, "the file is not a JSON Web Key Set"),
            (#"{"keys":[]}"#, "there is no key for ES256"),
            (#"{"keys":[\#(rsa)]}"#, "there is no key for ES256"),
            (#"{"keys":[\#(p256)]}"#, "there is no key for RS256"),
            (#"{"keys":[\#(p256),\#(unusable)]}"#, "there is no key for RS256"),
            (
                #"{"keys":[\#(p256),\#(try TokenMint.rsaEntry(kid: "b", more: #","alg":"PS256""#))]}"#,
                "there is no key for RS256"
            ),
            (
                #"{"keys":[\#(p256),\#(try TokenMint.rsaEntry(kid: "b", more: #","key_ops":["wrapKey"]"#))]}"#,
                "there is no key for RS256"
            ),
            (#"{"keys":[\#(p256),\#(rsa)]}"#, "keys[1]: another key has the same `kid`"),
            (
                #"{"keys":[\#(try TokenMint.p256Entry(kid: ""))]}"#, "keys[0]: `kid` is empty"
            ),
            (
                #"{"keys":[{"kty":"OKP"},{"kty":"EC","crv":"P-256","x":"canary","y":"AA"}]}"#,
                "keys[1]: `x` and `y` do not form a point on P-256"
            ),
            (
                #"{"keys":[{"kty":"EC","crv":"P-256"}]}"#,
                "keys[0]: `x` and `y` do not form a point on P-256"
            ),
            (
                #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#,
                "keys[0]: `n` and `e` do not form an RSA key of at least 2048 bits"
            ),
        ] {
            let file = try TemporaryFile("keys.json", content)
            let error = #expect(throws: ConfigurationError.self) {
                try Self.auth(
                    "auth: { mode: jwt, algorithms: [ES256, RS256], jwks: \(file.path), audience: a }"
                )
            }
            #expect(
                error?.description == "etc/refreshd.yaml:1:54: auth.jwks: \(problem)", "\(content)")
        }
    }

    @Test("A secret has at least 32 bytes, not counting a line break at the end of its file")
    func secrets() throws {
        for (content, isAccepted) in [
            (String(repeating: "s", count: 32), true), (String(repeating: "s", count: 31), false),
            (String(repeating: "s", count: 31) + "\n", false),
            (String(repeating: "s", count: 30) + "\r\n", false), ("", false), ("\n", false),
        ] {
            let file = try TemporaryFile("secret", content)
            let yaml =
                "auth: { mode: jwt, algorithms: [HS256], secretFile: \(file.path), audience: a }"
            if isAccepted {
                #expect(try Self.auth(yaml) != nil)
            } else {
                let error = #expect(throws: ConfigurationError.self) { try Self.auth(yaml) }
                #expect(
                    error?.problems.map(\.message) == [
                        "an HS256 secret must have at least 32 bytes"
                    ])
            }
            // In a key set, every byte of the secret counts towards the minimum of 32.
            let letters = Array(content.utf8.filter { $0 == UInt8(ascii: "s") })
            let short = #"{"keys":[{"kty":"oct","k":"\#(TokenMint.base64URL(letters))"}]}"#
            let set = try TemporaryFile("keys.json", short)
            let asSet = "auth: { mode: jwt, algorithms: [HS256], jwks: \(set.path), audience: a }"
            if isAccepted {
                #expect(try Self.auth(asSet) != nil)
            } else {
                #expect(throws: ConfigurationError.self) { try Self.auth(asSet) }
            }
        }
        let file = try TemporaryFile("secret", TokenMint.secret)
        let error = #expect(throws: ConfigurationError.self) {
            try Self.auth(
                "auth: { mode: jwt, algorithms: [HS256, ES256], secretFile: \(file.path), audience: a }"
            )
        }
        #expect(error?.problems.map(\.message) == ["there is no key for ES256"])
        let missing = #expect(throws: ConfigurationError.self) {
            try Self.auth(
                "auth: { mode: jwt, algorithms: [HS256], secretFile: /none, audience: a }")
        }
        #expect(missing?.problems.first?.message.hasPrefix("the file: cannot be read: ") == true)
    }
}
