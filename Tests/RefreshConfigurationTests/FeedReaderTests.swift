import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration

@Suite("Feeds in a configuration file")
struct FeedReaderTests {
    static func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: text, path: "/etc/refreshd/refreshd.yaml")
    }

    @Test("The policies of each feed and each backend are read")
    func policies() throws {
        let file = try Self.read(
            """
            backends:
              shop:
                kind: worker
                calls: 16
                queue: 64
                retry: { attempts: 3, baseMs: 50, capMs: 900, budgetPercent: 20 }
                breaker: { failures: 5, openMs: 7000 }
              unused: { kind: demo, calls: 2 }
            feeds:
              orders:
                backend: shop
                paging: page
                shared: true
                cache: { lifetimeMs: 30000, staleMs: 300000, failureMs: 500 }
                coolDownMs: 2000
                itemKey: /a~1b/0
                sectionKey: /day
                changes: { spreadMs: 600000, perSecondMax: 7 }
                cluster: false
              packages: { backend: demo, queue: 0 }
            """)
        var shop = BackendPolicy()
        shop.calls = 16
        shop.queue = 64
        shop.retry.attempts = 3
        shop.retry.baseMs = 50
        shop.retry.capMs = 900
        shop.retry.budgetPercent = 20
        shop.breaker.failures = 5
        shop.breaker.openMs = 7000
        var unused = BackendPolicy()
        unused.calls = 2
        var packages = BackendPolicy()
        packages.queue = 0
        #expect(
            file.backendPolicies == ["shop": shop, "unused": unused, "packages": packages])
        #expect(try Configuration(file: file).backendPolicies == file.backendPolicies)

        var orders = FeedPolicy()
        orders.isShared = true
        orders.cache = FeedPolicy.Cache(lifetimeMs: 30_000, staleMs: 300_000, failureMs: 500)
        orders.coolDownMs = 2000
        orders.itemKey = JSONPointer("/a~1b/0")
        orders.changes.spreadMs = 600_000
        orders.changes.perSecondMax = 7
        orders.isClustered = false
        #expect(file.feeds.map(\.policy) == [orders, FeedPolicy()])
        #expect(file.feeds.map(\.group) == ["shop", "packages"])
        #expect(orders.itemKey != nil)
        #expect(file.feeds.map(\.sectionKey) == [JSONPointer("/day"), nil])
    }

    @Test("Without policy keys, the broker's defaults apply")
    func defaults() throws {
        let file = try Self.read(
            "feeds: { a: { backend: demo, cache: { lifetimeMs: 9 }, retry: {}, breaker: {} } }")
        #expect(file.backendPolicies == ["a": BackendPolicy()])
        #expect(file.feeds.first?.policy.cache == FeedPolicy.Cache(lifetimeMs: 9))
        #expect(file.feeds.first?.policy.isShared == false)
        #expect(file.feeds.first?.policy.isClustered == true)
        #expect(file.feeds.first?.policy.coolDownMs == 0)
        #expect(file.feeds.first?.size == 50)
    }

    @Test("A feed inherits those keys of its backend that the feed does not set")
    func sharedBackend() throws {
        let file = try Self.read(
            """
            backends:
              b: { kind: worker, paging: page, size: 7, shared: true, parameters: [q], coolDownMs: 5 }
              c: { kind: worker, paging: none, cluster: false }
            feeds:
              one: { backend: b }
              two: { backend: b, paging: offset, first: 1, shared: false, parameters: { n: integer } }
              three: { backend: c }
              four: { backend: c, cluster: true }
            """)
        let ofB = file.feeds.prefix(2)
        #expect(ofB.map(\.paging) == [.page, .offset])
        #expect(ofB.map(\.first) == [1, 1])
        #expect(ofB.map(\.size) == [7, 7])
        #expect(ofB.map(\.policy.isShared) == [true, false])
        #expect(ofB.map(\.policy.coolDownMs) == [5, 5])
        #expect(ofB.map(\.parameters) == [["q"], [FeedParameter("n", .integer)]])
        #expect(file.feeds.map(\.group) == ["b", "b", "c", "c"])
        #expect(file.feeds.map(\.policy.isClustered) == [true, true, false, true])
    }

    @Test("Parameters in a list are texts, and a mapping states the type of each parameter")
    func parameters() throws {
        let file = try Self.read(
            """
            feeds:
              a: { backend: worker, paging: none, parameters: [z, a] }
              b:
                backend: worker
                paging: none
                parameters: { year: integer, price: number, sold: boolean, q: text }
            """)
        #expect(
            file.feeds.map(\.parameters) == [
                ["z", "a"],
                [
                    FeedParameter("year", .integer), FeedParameter("price", .number),
                    FeedParameter("sold", .boolean), FeedParameter("q", .text),
                ],
            ])
    }

    @Test("The names of the forwarded headers are read in order")
    func forward() throws {
        let file = try Self.read(
            "feeds: { a: { backend: exec, command: [/bin/x], paging: none, "
                + "forward: [authorization, accept-language] } }")
        #expect(file.feeds.first?.forward == ["authorization", "accept-language"])
        #expect(file.feeds.first?.policy.forwardsHeaders == true)
    }

    @Test("A reserved header in `forward` is refused, and its owner named", arguments: ownHeaders)
    func ownHeader(name: String, owner: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read("feeds: { a: { backend: worker, paging: none, forward: [\(name)] } }")
        }
        #expect(
            error?.problems.map(\.message) == [
                "`\(name)`: this header is reserved for the \(owner)"
            ])
        #expect(error?.problems.first?.key == "feeds.a.forward")
    }

    @Test("A backend with the name of the demo's feed is refused if the demo is served")
    func demoName() throws {
        let file = try Self.read("demo: true\nbackends: { packages: { kind: demo, calls: 1 } }")
        let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file) }
        #expect(error?.description.hasPrefix("backends.packages: ") == true)
    }

    @Test("Admin listeners and the hashes of tokens are read")
    func access() throws {
        let hash = "00FF" + String(repeating: "a5", count: 30)
        let file = try Self.read(
            """
            admin: [127.0.0.1:0, "localhost:81", "[::1]:0"]
            tokens:
              - { name: library, sha256: "\(hash)", may: [work] }
              - { name: deploy, sha256: "\(hash.replacing("00FF", with: "11ff"))",
                  may: [change, work], feeds: [packages] }
            feeds: { packages: { backend: demo } }
            """)
        let tail = [UInt8](repeating: 0xA5, count: 30)
        #expect(
            file.tokens == [
                AccessTokenSettings(name: "library", sha256: [0, 0xFF] + tail, may: [.work]),
                AccessTokenSettings(
                    name: "deploy", sha256: [0x11, 0xFF] + tail, may: [.work, .change],
                    feeds: ["packages"]),
            ])
        #expect(
            file.adminListeners.map(\.description) == ["127.0.0.1:0", "localhost:81", "[::1]:0"])
        let configuration = try Configuration(file: file)
        #expect(configuration.tokens == file.tokens)
        #expect(configuration.adminListeners == file.adminListeners)
    }
}
