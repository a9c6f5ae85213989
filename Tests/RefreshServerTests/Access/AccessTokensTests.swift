import Testing

@testable import RefreshServer

@Suite("Access tokens")
struct AccessTokensTests {
    /// The tokens `deploy`, which may change songs; `library`, which may work; and `all`.
    static let settings = [
        AccessTokenSettings(
            name: "deployment", sha256: SHA256.digest(of: Array("deploy".utf8)), may: [.change],
            feeds: ["songs", "gone"]),
        AccessTokenSettings(
            name: "library", sha256: SHA256.digest(of: Array("library".utf8)), may: [.work]),
        AccessTokenSettings(
            name: "operator", sha256: SHA256.digest(of: Array("all".utf8)), may: [.work, .change]),
    ]

    @Test(
        "digests are those of the standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(text: String, digest: String) {
        let digits = SHA256.digest(of: Array(text.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(digits.joined() == digest)
    }

    @Test("digests of different bytes or lengths are not equal")
    func equality() {
        let one = SHA256.digest(of: [1])
        #expect(SHA256.areEqual(one, SHA256.digest(of: [1])))
        #expect(!SHA256.areEqual(one, SHA256.digest(of: [2])))
        #expect(!SHA256.areEqual(one, []))
        #expect(!SHA256.areEqual([], one))
        for index in one.indices {
            var other = one
            other[index] ^= 1
            #expect(!SHA256.areEqual(one, other))
        }
    }

    @Test(
        "a token may do what its settings say, with their feeds, and nothing else",
        arguments: [
            ("deploy", .change(feed: "songs"), .allowed(name: "deployment")),
            ("deploy", .change(feed: "news"), .forbidden(name: "deployment")),
            ("deploy", .work(feeds: ["songs"]), .forbidden(name: "deployment")),
            ("library", .change(feed: "songs"), .forbidden(name: "library")),
            ("library", .work(feeds: ["songs", "news"]), .allowed(name: "library")),
            ("library", .work(feeds: []), .allowed(name: "library")),
            ("all", .change(feed: "news"), .allowed(name: "operator")),
            ("deployment", .change(feed: "songs"), .unknown),
            ("", .change(feed: "songs"), .unknown),
            (nil, .change(feed: "songs"), .unknown),
        ] as [(String?, AccessTokens.Deed, AccessTokens.Verdict)])
    func verdicts(token: String?, deed: AccessTokens.Deed, verdict: AccessTokens.Verdict) {
        #expect(AccessTokens(Self.settings).verdict(token, for: deed) == verdict)
        #expect(AccessTokens([]).verdict(token, for: deed) == .unknown)
    }

    @Test("one feed that it may not serve forbids the work on all")
    func oneOfMany() {
        let worker = AccessTokenSettings(
            name: "w", sha256: SHA256.digest(of: [0x77]), may: [.work], feeds: ["a", "b"])
        let tokens = AccessTokens([worker])
        #expect(tokens.verdict("w", for: .work(feeds: ["a", "b"])) == .allowed(name: "w"))
        #expect(tokens.verdict("w", for: .work(feeds: ["a", "c"])) == .forbidden(name: "w"))
    }

    @Test(
        "a bearer's token is what follows the scheme",
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER  abc", "abc"),
            ("Bearer", nil), ("Bearer ", nil), ("Basic abc", nil), ("abc", nil), ("", nil),
            ("Bearer a b", nil), (nil, nil),
        ] as [(String?, String?)])
    func bearers(header: String?, token: String?) {
        #expect(BearerToken.read(header) == token)
    }
}
