import Foundation
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Feeds")
struct FeedsTests {
    static func feeds(_ text: String) throws -> Feeds {
        let file = try ConfigurationFile(text: text, path: "/nonexistent/refreshd.yaml")
        return try Feeds(Configuration(file: file))
    }

    @Test("Every kind of backend is created and described to sessions, the broker and the metrics")
    func kinds() throws {
        let feeds = try Self.feeds(
            """
            backends: { library: { kind: exec, command: [/bin/cat], paging: none, calls: 3 } }
            feeds:
              a: { backend: demo, size: 9, calls: 2 }
              b: { backend: file, path: x.csv, paging: offset, first: 1, itemKey: /id }
              c: { backend: http, url: "http://127.0.0.1:1/", paging: none, forward: [x-a] }
              d: { backend: sqlite, path: x.db, query: SELECT 1, paging: page, parameters: [q] }
              e: { backend: library }
              f: { backend: library, shared: true }
              g: { backend: worker, paging: page }
              h: { backend: worker, paging: page, lineBytesMax: 2048 }
              i: { backend: script, paging: page, steps: [{ generate: 1 }] }
            """)
        defer { for backend in feeds.backends.values { backend.stop() } }
        #expect(feeds.backends.keys.sorted() == ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
        let same = try (
            #require(feeds.backends["e"] as? TimedBackend),
            #require(feeds.backends["f"] as? TimedBackend)
        )
        #expect(same.0 === same.1, "the feeds of one pool have different backends")
        #expect(feeds.workers?.options.feeds == ["g", "h"])
        #expect(feeds.workers?.options.lineBytesMax == 1_048_576)
        #expect(
            feeds.measured.map(\.kind) == [
                "demo", "file", "http", "sqlite", "exec", "exec", "worker", "worker", "script",
            ])
        #expect(
            feeds.measuredBackends.map(\.name) == ["a", "b", "c", "d", "library", "g", "h", "i"])
        #expect(feeds.measuredWorkers.map(\.name) == ["library", "worker"])
        #expect(feeds.measuredWorkers.map(\.processes) == [1, nil])
        #expect(feeds.descriptions.map(\.size).prefix(2) == [9, 20])
        #expect(feeds.descriptions[1].first == 1)
        #expect(feeds.descriptions[2].forward == ["x-a"])
        #expect(feeds.descriptions[3].parameters == ["q"])

        var limits = Limits()
        limits.loadsInFlightMax = 5
        limits.cacheBytesMax = 6
        limits.loadDeadlineMs = 700
        let plan = feeds.brokerPlan(limits)
        #expect(plan.loadsInFlightMax == 5)
        #expect(plan.cacheBytesMax == 6)
        #expect(plan.loadDeadlineMs == 700)
        #expect(plan.feeds["f"]?.group == "library")
        #expect(plan.feeds["f"]?.policy.isShared == true)
        #expect(plan.feeds["e"]?.policy.isShared == false)
        #expect(plan.feeds["b"]?.policy.itemKey == JSONPointer("/id"))
        #expect(plan.feeds["a"]?.policy.numbering == .init(style: .page, first: 1))
        #expect(plan.feeds["b"]?.policy.numbering == .init(style: .offset, first: 1))
        #expect(plan.feeds["c"]?.policy.numbering == .init(style: .none, first: 0))
        #expect(plan.backends["library"]?.calls == 3)
        #expect(plan.backends["a"]?.calls == 2)
        #expect(plan.backends["b"]?.calls == 64)
    }

    @Test("Every kind of backend can be stopped twice, and a later load ends")
    func stoppedTwice() async throws {
        let feeds = try Self.feeds(
            """
            backends: { library: { kind: exec, command: [/bin/cat], paging: none, graceMs: 0 } }
            feeds:
              a: { backend: demo }
              b: { backend: file, path: x.csv, paging: page }
              c: { backend: http, url: "http://127.0.0.1:1/", paging: none }
              d: { backend: sqlite, path: x.db, query: SELECT 1, paging: page }
              e: { backend: library }
              f: { backend: worker, paging: page }
              g: { backend: script, paging: page, steps: [{ generate: 1 }] }
            """)
        let plan = feeds.brokerPlan(Limits())
        for (name, feed) in plan.feeds.sorted(by: { $0.key < $1.key }) {
            feed.backend.stop()
            feed.backend.stop()
            let request = LoadRequest(feed: name, kind: .refresh, page: 1, offset: 0, size: 1)
            let page = try? await feed.backend.load(BackendCall(request))
            #expect((page != nil) == ["a", "g"].contains(name), "feed \(name)")
        }
        // The broker also stops each backend, and can itself be stopped twice.
        let broker = Broker<Int>(plan: plan, seed: 1, itemHash: SipHash(key: 1, 2)) { _, _ in }
        broker.stop()
        broker.stop()
    }

    @Test("A process that several feeds share receives the feed's name with each load")
    func pool() async throws {
        // The process answers with a page that contains the request.
        let script = #"""
            import sys, json
            for line in sys.stdin:
                load = json.loads(line)
                if load["type"] == "load":
                    print(json.dumps({"type": "page", "id": load["id"], "items": [load["feed"]]}), flush=True)
            """#
        // The script has its own folder, because Python imports modules from the folder of the
        // script.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("library.py").path
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        let feeds = try Self.feeds(
            """
            backends:
              library: { kind: exec, command: [/usr/bin/python3, "\(path)"], folder: /, paging: none }
            feeds: { one: { backend: library }, two: { backend: library } }
            """)
        defer { feeds.backends["one"]?.stop() }
        for name in ["one", "two"] {
            let request = LoadRequest(feed: name, kind: .refresh, page: 1, offset: 0, size: 1)
            let page = try await #require(feeds.backends[name]).load(
                BackendCall(id: CallID(1), request))
            #expect(String(decoding: page.items, as: UTF8.self).contains("\"\(name)\""))
        }
        #expect(feeds.measuredWorkers.first?.counters().joined == 1)
        #expect(feeds.measuredBackends.first?.durations.snapshot.counts.reduce(0, +) == 2)
    }
}
