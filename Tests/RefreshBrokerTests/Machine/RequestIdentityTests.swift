import RefreshProtocol
import Testing

@testable import RefreshBroker

/// Requests with texts that are equal as Swift strings but have different bytes.
@Suite("The equality of requests")
struct RequestIdentityTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    /// Two requests that differ in one part, and only in the bytes of its text.
    struct Pair: CustomTestStringConvertible, Sendable {
        let part: String
        let one: LoadRequest
        let other: LoadRequest

        var testDescription: String { part }

        init(_ part: String, _ change: (inout LoadRequest, String) -> Void) {
            self.part = part
            var (one, other) = (
                LoadRequest.page(1, kind: .refresh), LoadRequest.page(1, kind: .refresh)
            )
            change(&one, RequestIdentityTests.composed)
            change(&other, RequestIdentityTests.decomposed)
            (self.one, self.other) = (one, other)
        }
    }

    static let pairs = [
        Pair("subject") { $0.subject = $1 },
        Pair("cursor") { $0.cursor = $1 },
        Pair("parameter's value") { $0.parameters = [.init(name: "q", value: .text($1))] },
        Pair("parameter's name") { $0.parameters = [.init(name: $1, value: .text("x"))] },
        Pair("header's value") { $0.headers = [.init(name: "accept-language", value: $1)] },
        Pair("header's name") { $0.headers = [.init(name: $1, value: "x")] },
        // These texts have the same number of bytes, and differ only in the order of two marks.
        Pair("order of combining marks") {
            $0.subject = $1.hasBytes(of: composed) ? "a\u{323}\u{307}" : "a\u{307}\u{323}"
        },
        Pair("sign of zero") {
            $0.parameters = [
                .init(name: "x", value: .number($1.hasBytes(of: composed) ? 0.0 : -0.0))
            ]
        },
    ]

    @Test("Requests with different bytes are not equal, and their hashes differ", arguments: pairs)
    func equality(pair: Pair) {
        #expect(
            Self.composed == Self.decomposed,
            "the two forms of the string are not canonically equivalent")
        #expect(pair.one != pair.other)
        #expect(pair.one == pair.one)
        #expect(pair.one.hashValue != pair.other.hashValue)
        #expect(RequestKey(pair.one) != RequestKey(pair.other))
    }

    @Test("Requests with different bytes share no calls and no cached answers", arguments: pairs)
    func isolation(pair: Pair) {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 1000, staleMs: 1000, failureMs: 1000)
        policy.coolDownMs = 1000
        var harness = BrokerHarness(policy)
        #expect(harness.send(.requested(pair.one, 1, deadline: .ms(100))) == [.call(1, pair.one)])
        #expect(
            harness.send(.requested(pair.other, 2, deadline: .ms(100))) == [.call(2, pair.other)])
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, as: .page(.of(1)))])
        #expect(
            harness.send(.failed(2, .backendFailed)) == [
                .end(2, as: .failed(LoadFailure(.backendFailed, "no")))
            ])
        for (number, taken) in [KeptPages.any, .none].enumerated() {
            let one = 10 + number
            #expect(
                harness.send(.requested(pair.one, one, deadline: .ms(100), keptPages: taken))
                    == [.end(one, as: .page(.of(1)))])
            let other = 20 + number
            #expect(
                harness.send(.requested(pair.other, other, deadline: .ms(100), keptPages: taken))
                    == [.end(other, as: .failed(LoadFailure(.backendFailed, "no")))])
        }
    }

    @Test("A request whose bytes differ from those of a cached request starts its own call")
    func keptPage() {
        for pair in Self.pairs {
            var policy = FeedPolicy()
            policy.cache = .init(lifetimeMs: 1000)
            var harness = BrokerHarness(policy)
            harness.send(.requested(pair.one, 1, deadline: .ms(100)))
            harness.send(.succeeded(1, 1))
            let effects = harness.send(.requested(pair.other, 2, deadline: .ms(100)))
            #expect(effects == [.call(2, pair.other)], "\(pair.part)")
        }
    }

    @Test("Pages whose cursors have different bytes are not equal")
    func pages() {
        var (one, other) = (Page.of(1), Page.of(1))
        one.cursor = Self.composed
        other.cursor = Self.decomposed
        #expect(one != other)
        #expect(LoadEvent.ended(.page(one)) != LoadEvent.ended(.page(other)))
        #expect(
            LoadFailure(.backendFailed, Self.composed)
                != LoadFailure(.backendFailed, Self.decomposed))
        other.cursor = Self.composed
        #expect(one == other && one.hashValue == other.hashValue)
        other.cursor = nil
        #expect(one != other)
    }

    @Test("Absent and empty texts differ, and so do texts that are split at different places")
    func borders() {
        var (one, other) = (LoadRequest.page(1), LoadRequest.page(1))
        one.cursor = ""
        #expect(one != other)
        #expect(one.hashValue != other.hashValue)
        one.cursor = "ab"
        one.subject = "c"
        other.cursor = "a"
        other.subject = "bc"
        #expect(one != other)
        #expect(one.hashValue != other.hashValue)
    }
}
