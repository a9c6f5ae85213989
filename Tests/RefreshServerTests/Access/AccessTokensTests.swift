import Cryptography
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Access tokens")
struct AccessTokensTests {
    /// The tokens `deploy` (permission `change`, for some feeds), `library` (permission `work`) and
    /// `all` (both permissions).
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
        "The digests equal those of the SHA-256 standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(text: String, digest: String) {
        #expect(hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test("Digests of different bytes or lengths are not equal")
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
        "A token permits only the actions in its settings, and only with the feeds in its settings",
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
        ] as [(String?, AccessTokens.Action, AccessTokens.Verdict)])
    func verdicts(token: String?, action: AccessTokens.Action, verdict: AccessTokens.Verdict) {
        #expect(AccessTokens(Self.settings).verdict(token, for: action) == verdict)
        #expect(AccessTokens([]).verdict(token, for: action) == .unknown)
    }

    @Test("A worker's request is refused unless its token permits all feeds of the request")
    func oneOfMany() {
        let worker = AccessTokenSettings(
            name: "w", sha256: SHA256.digest(of: [0x77]), may: [.work], feeds: ["a", "b"])
        let tokens = AccessTokens([worker])
        #expect(tokens.verdict("w", for: .work(feeds: ["a", "b"])) == .allowed(name: "w"))
        #expect(tokens.verdict("w", for: .work(feeds: ["a", "c"])) == .forbidden(name: "w"))
    }

    @Test("Each permission allows only its own action, but `administer` also allows `measure`")
    func everyAction() {
        let actions: [(AccessTokenSettings.Permission, AccessTokens.Action)] = [
            (.work, .work(feeds: [])), (.change, .change(feed: "a")), (.connect, .connect),
            (.measure, .measure), (.administer, .administer),
        ]
        #expect(actions.count == AccessTokenSettings.Permission.allCases.count)
        for (permission, _) in actions {
            let tokens = AccessTokens([
                AccessTokenSettings(
                    name: "n", sha256: SHA256.digest(of: [0x77]), may: [permission])
            ])
            for (other, action) in actions {
                // A token that may administer may also read the metrics.
                let isAllowed =
                    other == permission || (permission == .administer && other == .measure)
                #expect(
                    tokens.verdict("w", for: action)
                        == (isAllowed ? .allowed(name: "n") : .forbidden(name: "n")))
            }
        }
    }

    @Test("A client gets the name of its token as subject, and the feeds of its token")
    func clients() {
        func digest(_ text: String) -> [UInt8] { SHA256.digest(of: Array(text.utf8)) }
        let access = TokenAccess(
            AccessTokens([
                AccessTokenSettings(name: "all", sha256: digest("a"), may: [.connect, .work]),
                AccessTokenSettings(
                    name: "some", sha256: digest("b"), may: [.connect], feeds: ["songs"]),
                AccessTokenSettings(name: "other", sha256: digest("c"), may: [.administer]),
            ]))
        func verdict(_ token: String?) -> AdmissionVerdict? {
            access.authenticate(AuthenticationRequest(token: token), by: .never) { _ in
                Issue.record("the verdict was not returned at once")
            }
        }
        #expect(verdict("a") == .admitted(Identity(subject: "all")))
        #expect(verdict("b") == .admitted(Identity(subject: "some", feeds: .only(["songs"]))))
        #expect(verdict("c") == .refused(.mayNotConnect))
        #expect(verdict("all") == .refused(.unknownToken))
        #expect(verdict("") == .refused(.unknownToken))
        #expect(verdict(nil) == .refused(.noToken))
        #expect(access.details == .nothing)
    }

    @Test("Permitted feeds are compared with feed names byte by byte")
    func permitted() {
        let composed = "s\u{F6}ngs"
        let decomposed = "so\u{308}ngs"
        #expect(PermittedFeeds.only([composed]).contains(composed))
        #expect(!PermittedFeeds.only([composed]).contains(decomposed))
        #expect(!PermittedFeeds.only([]).contains("songs"))
        #expect(PermittedFeeds.all.contains("songs"))
    }

    @Test(
        "The bearer token is the text after the scheme",
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER  abc", "abc"),
            ("Bearer", nil), ("Bearer ", nil), ("Basic abc", nil), ("abc", nil), ("", nil),
            ("Bearer a b", nil), (nil, nil),
        ] as [(String?, String?)])
    func bearers(header: String?, token: String?) {
        #expect(BearerToken.read(header) == token)
    }
}
