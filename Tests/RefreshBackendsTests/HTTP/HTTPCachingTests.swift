import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Lifetimes and entity tags of the http backend")
struct HTTPCachingTests {
    private let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)

    @Test(
        "Cache-Control and Age determine the lifetime of an answer",
        arguments: [
            ([], 0, nil), (["max-age=60"], 0, 60_000), (["public, Max-Age = \"60\""], 0, 60_000),
            (["max-age=60"], 20, 40_000), (["max-age=60"], 90, 0), (["max-age=0"], 0, 0),
            (["no-store"], 0, 0), (["max-age=60, no-store"], 0, 0),
            (["max-age=60", "no-store"], 0, 0),
            (["no-cache"], 0, 0), (["private"], 0, nil), (["max-age=-1"], 0, nil),
            (["max-age=soon"], 0, nil), (["max-age"], 0, nil), (["s-maxage=9"], 0, nil),
            (["max-age=99999999999999999999"], 0, 86_400_000), (["max-age=90, max-age=5"], 0, 5000),
            (["x=\"no-store, max-age=1\""], 0, nil),
        ] as [([String], Int, Int?)])
    func lifetimes(values: [String], age: Int, expected: Int?) {
        #expect(CacheControl.lifetimeMs(values, age: age) == expected)
    }

    @Test("A page has the lifetime from the headers, unless the body has maxAgeMs")
    func lifetime() async throws {
        let server = try LocalServer { exchange in
            let body = exchange.target == "/body" ? #"{"items":[],"maxAgeMs":1234}"# : "[]"
            exchange.reply(200, body, headers: "Cache-Control: max-age=60\r\nAge: 10\r\n")
        }
        let headers = try HTTPBackend(url: server.url, options: .patient())
        #expect(try await headers.load(request).lifetimeMs == 50_000)
        let body = try HTTPBackend(url: server.url + "/body", options: .patient())
        #expect(try await body.load(request).lifetimeMs == 1234)
    }

    @Test("The next equal request has the tag of the answer, and a 304 yields the same answer")
    func revalidation() async throws {
        let server = try LocalServer { exchange in
            guard exchange.header("If-None-Match") == "W/\"v1\"" else {
                let body = #"{"items":[1,2],"next":"c","total":9}"#
                exchange.reply(200, body, headers: "ETag: W/\"v1\"\r\n")
                return
            }
            exchange.reply(304, "", headers: "Cache-Control: max-age=5\r\n")
        }
        let options = HTTPOptions.patient { $0.etag = true }
        let backend = try HTTPBackend(url: server.url + "/{page}", options: options)
        let first = try await backend.load(request)
        var again = try await backend.load(request)
        #expect(again.lifetimeMs == 5000)
        again.lifetimeMs = nil
        #expect(again == first)
        #expect((again.cursor, again.total, again.count) == ("c", 9, 2))
        var other = request
        other.page = 2
        _ = try await backend.load(other)
        let tags = server.received.map { LocalServer.header("If-None-Match", in: $0) }
        #expect(tags == [nil, "W/\"v1\"", nil])
    }

    @Test("A tag is sent only if body, forwarded headers and subject of the request are the same")
    func keys() async throws {
        let server = try LocalServer { exchange in
            exchange.reply(200, "[]", headers: "ETag: \"v\"\r\n")
        }
        let options = HTTPOptions.patient {
            $0.etag = true
            $0.method = .post
            $0.body = Array(#""{cursor}""#.utf8)
            $0.forward = ["accept-language"]
        }
        let backend = try HTTPBackend(url: server.url, options: options)
        var requests = [request, request, request, request]
        requests[1].cursor = "c"
        requests[2].headers = [HeaderField(name: "accept-language", value: "de")]
        requests[3].subject = "ann"
        // The last two subjects look equal, but have different bytes.
        requests.append(requests[3])
        requests[3].subject = "e\u{301}"
        requests[4].subject = "\u{e9}"
        for _ in 0..<2 { for request in requests { _ = try await backend.load(request) } }
        let tags = server.received.map { LocalServer.header("If-None-Match", in: $0) }
        #expect(tags == Array(repeating: nil, count: 5) + Array(repeating: "\"v\"", count: 5))
    }

    @Test(
        "If the last answer had no valid tag or must not be stored, no tag is sent",
        arguments: [
            "", "ETag: v1\r\n", "ETag: \"a\u{1}b\"\r\n",
            "ETag: \"v\"\r\nCache-Control: no-store\r\n",
            "ETag: \"\(String(repeating: "x", count: 1100))\"\r\n",
        ])
    func unusableTags(headers: String) async throws {
        let answers = Counter()
        let server = try LocalServer { exchange in
            answers.increment()
            exchange.reply(200, "[]", headers: answers.value == 1 ? "ETag: \"v\"\r\n" : headers)
        }
        let options = HTTPOptions.patient { $0.etag = true }
        let backend = try HTTPBackend(url: server.url, options: options)
        for _ in 0..<3 { _ = try await backend.load(request) }
        let tags = server.received.map { LocalServer.header("If-None-Match", in: $0) }
        #expect(tags == [nil, "\"v\"", nil])
    }

    @Test("A 304 without a sent tag fails, and without the option `etag` no tag is sent")
    func unasked() async throws {
        let server = try LocalServer { exchange in
            exchange.reply(
                exchange.target == "/304" ? 304 : 200, "[]", headers: "ETag: \"v\"\r\n")
        }
        let options = HTTPOptions.patient { $0.etag = true }
        let refusing = try HTTPBackend(url: server.url + "/304", options: options)
        #expect(await refusing.failure(request)?.code == .backendRejected)
        let plain = try HTTPBackend(url: server.url, options: .patient())
        for _ in 0..<2 { _ = try await plain.load(request) }
        #expect(!server.received.contains { $0.contains("If-None-Match") })
    }

    @Test("The store's size in bytes is limited, and the least recently used entry is evicted")
    func bounds() {
        let store = EntityTagStore(bytesMax: 10_000)
        func key(_ name: String) -> EntityTagStore.Key {
            let request = HTTPRequest(
                method: .get, url: "http://h/\(name)", body: nil, headers: [], timeoutMs: 1)
            return EntityTagStore.Key(request, headers: [], subject: nil)
        }
        func entry(_ bytes: Int) -> EntityTagStore.Entry {
            let page = Page(items: Array(repeating: 0x20, count: bytes), count: 0)
            return EntityTagStore.Entry(tag: "\"v\"", page: page, specifiesLifetime: false)
        }
        for name in ["a", "b", "c"] { store.store(entry(2000), for: key(name)) }
        #expect(store.count == 3)
        _ = store.entry(for: key("a"))
        store.store(entry(2000), for: key("d"))
        #expect(store.bytes <= 10_000)
        #expect(store.entry(for: key("a")) != nil)
        #expect(store.entry(for: key("b")) == nil)
        store.store(entry(20_000), for: key("c"))
        #expect(store.entry(for: key("c")) == nil)
        store.store(nil, for: key("a"))
        store.store(nil, for: key("d"))
        #expect((store.count, store.bytes) == (0, 0))
    }

    @Test("After many more answers than fit, the store holds the latest answers")
    func eviction() {
        let store = EntityTagStore()
        let page = Page(items: Array("[]".utf8), count: 0)
        func key(_ number: Int) -> EntityTagStore.Key {
            EntityTagStore.Key(
                HTTPRequest(
                    method: .get, url: "http://h/\(number)", body: nil, headers: [], timeoutMs: 1),
                headers: [], subject: nil)
        }
        let count = 60_000
        for number in 0..<count {
            store.store(
                EntityTagStore.Entry(tag: "\"v\"", page: page, specifiesLifetime: false),
                for: key(number))
        }
        #expect(20_000..<40_000 ~= store.count)
        #expect(store.entry(for: key(count - store.count)) != nil)
        #expect(store.entry(for: key(count - store.count - 1)) == nil)
    }
}
