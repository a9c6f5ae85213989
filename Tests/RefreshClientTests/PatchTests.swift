import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Patches of lists. Source: docs/protocol.md, "Patches".
struct PatchTests {
    private static let attached = #"{"type":"attached","view":"list","itemKey":"/id"}"#

    private func json(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .null }

    private func patcher(_ items: String, itemKey: String? = "/id") -> ListPatcher {
        var patcher = ListPatcher()
        patcher.attach(itemKey: itemKey, keepsList: false)
        _ = patcher.apply(json(#"{"mode":"replace","items":\#(items)}"#))
        return patcher
    }

    @Test(
        "A patch makes the new list of kept and new items",
        arguments: [
            (
                #"[{"items":[{"id":9}]},{"from":1,"count":3}]"#, 4,
                #"[{"id":9},{"id":1},{"id":"1"},{"id":2}]"#
            ),
            (
                #"[{"from":2,"count":1},{"items":[{"id":1,"v":2}]},{"from":"1","count":1}]"#, 3,
                #"[{"id":2},{"id":1,"v":2},{"id":"1"}]"#
            ),
            ("[]", 0, "[]"),
        ])
    func applied(_ runs: String, _ count: Int, _ list: String) {
        var patcher = patcher(#"[{"id":1},{"id":"1"},{"id":2}]"#)
        let shown = patcher.apply(json(#"{"mode":"patch","count":\#(count),"runs":\#(runs)}"#))
        #expect(shown?["mode"]?.string == "replace")
        #expect(shown?["items"] == json(list))
        #expect(patcher.items == json(list).array)
        let isRequested = patcher.takeRequest()
        #expect(!isRequested)
    }

    @Test(
        "A patch that does not fit changes nothing, and the list is requested once",
        arguments: [
            #""count":1,"runs":[{"from":7,"count":1}]"#,  // no such key
            #""count":1,"runs":[{"from":3,"count":1}]"#,  // two items have this key
            #""count":1,"runs":[{"from":"2","count":1}]"#,  // the key is a number
            #""count":3,"runs":[{"from":2,"count":4}]"#,  // too few items follow
            #""count":3,"runs":[{"from":1,"count":2}]"#,  // another number of items
            #""count":1,"runs":[{"from":1,"count":0.5}]"#, #""count":0,"runs":[{"from":1}]"#,
            #""count":0,"runs":[{"from":1,"count":-1}]"#, #""count":0"#,
            #""count":4,"runs":[{"from":1,"count":2},{"from":1,"count":2}]"#
                + #","note":"an item occurs once""#,
            #""count":1,"runs":[{"from":true,"count":1}]"#, #""count":1,"runs":[1]"#,
        ])
    func misfits(_ members: String) {
        let items = #"[{"id":1},{"id":2},{"id":3},{"id":3}]"#
        var patcher = patcher(items)
        // Without this item, the runs that take two items twice would fit into the list.
        if members.contains("note") { patcher = self.patcher(#"[{"id":1},{"id":2},{"id":4}]"#) }
        let before = patcher.items
        #expect(patcher.apply(json(#"{"mode":"patch",\#(members)}"#)) == nil)
        #expect(patcher.items == before)
        let requests = [patcher.takeRequest(), patcher.takeRequest()]
        #expect(requests == [true, false])
        for mode in ["append", "prepend", "patch"] {
            let page = #"{"mode":"\#(mode)","count":1,"items":[{"id":5}],"runs":[]}"#
            #expect(patcher.apply(json(page)) == nil)
        }
        let again = patcher.takeRequest()
        #expect(!again)
        #expect(patcher.apply(json(#"{"mode":"replace","items":[]}"#)) != nil)
        #expect(patcher.apply(json(#"{"mode":"append","items":[{"id":5}]}"#)) != nil)
        #expect(patcher.items.count == 1)
    }

    @Test("Keys are at the place that `attached` names, and are compared by their bytes")
    func keys() {
        var nested = patcher(#"[{"a":[0,{"b/c":"x"}]},{"a":[]}]"#, itemKey: "/a/1/b~1c")
        let one = json(#"{"mode":"patch","count":1,"runs":[{"from":"x","count":1}]}"#)
        #expect(nested.apply(one) != nil)
        // These two characters are equal, but their bytes differ.
        var letters = patcher(#"[{"id":"\u00e9"},{"id":"e\u0301"}]"#)
        let last = json(#"{"mode":"patch","count":1,"runs":[{"from":"e\u0301","count":1}]}"#)
        #expect(letters.apply(last) != nil)
        #expect(letters.items.first?["id"]?.string?.unicodeScalars.count == 2)
        var keyless = patcher(#"[{"id":1}]"#, itemKey: nil)
        #expect(keyless.apply(json(#"{"mode":"patch","count":0,"runs":[]}"#)) == nil)
    }

    // MARK: With the daemon's sessions

    private static func makeRun(features: [String]? = ["patch"]) -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], features: features,
                refreshedViews: ["list"]),
            daemon: TestDaemon(itemKey: "/id"), random: SeededGenerator(seed: 1))
        run.connect()
        return run
    }

    private static func item(_ id: Int, version: Int = 0) -> String {
        #"{"id":\#(id),"version":\#(version),"text":"\#(String(repeating: "x", count: 60))"}"#
    }

    private func refresh(_ run: inout ClientRun, _ items: [String]) {
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerLoad(items)
        run.advance(to: run.now + 3000)
    }

    private func expectList(_ run: ClientRun, _ items: [String], _ comment: Comment = "") {
        #expect(run.view.items == items.map { json($0) }, comment)
    }

    @Test("Random edits of a list reach the client as patches, also over lost connections")
    func edits() {
        var modes: [String: Int] = [:]
        for seed in UInt64(0)..<16 {
            var random = SeededGenerator(seed: seed)
            var run = Self.makeRun()
            var ids = Array(0..<30)
            var versions: [Int: Int] = [:]
            func list() -> [String] { ids.map { Self.item($0, version: versions[$0] ?? 0) } }
            run.answerLoad(list())
            run.advance(to: run.now + 3000)
            for step in 0..<20 {
                edit(&ids, &versions, step, &random)
                if .random(in: 0..<8, using: &random) == 0 {
                    run.cut()
                    run.reconnect()
                }
                if .random(in: 0..<20, using: &random) == 0 {
                    run.restartDaemon()
                    run.reconnect()
                }
                refresh(&run, list())
                expectList(run, list(), "seed \(seed), step \(step)")
            }
            for (mode, count) in run.itemModes { modes[mode, default: 0] += count }
            #expect(run.status == .open, "seed \(seed)")
        }
        #expect(modes["patch", default: 0] > 160, "\(modes)")
        #expect(modes["replace", default: 0] > 16, "\(modes)")
    }

    /// Inserts, removes, moves or changes a few items.
    private func edit(
        _ ids: inout [Int], _ versions: inout [Int: Int], _ step: Int,
        _ random: inout SeededGenerator
    ) {
        for number in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<ids.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: ids.insert(1000 + step * 10 + number, at: place)
            case 1 where ids.count > 5: ids.remove(at: place)
            case 2:
                let id = ids.remove(at: place)
                ids.insert(id, at: .random(in: 0...ids.count, using: &random))
            default: versions[ids[place], default: 0] += 1
            }
        }
    }

    @Test("A patch that does not fit requests the whole list in one frame, and the list is right")
    func recovers() {
        var run = Self.makeRun()
        let items = (0..<20).map { Self.item($0) }
        run.answerLoad(items)
        run.advance(to: run.now + 3000)
        run.recordsFrames = true
        run.inject(
            #"""
            {"type":"items","view":"list","load":"1.9","mode":"patch","count":1,
             "runs":[{"from":77,"count":1}]}
            """#)
        expectList(run, items)
        #expect(run.sentTypes == [["reset", "refresh"]])
        #expect(run.daemon.loads.count == 1)
        let next = (5..<25).map { Self.item($0) }
        run.answerLoad(next)
        run.advance(to: run.now + 3000)
        expectList(run, next)
        refresh(&run, items)
        expectList(run, items)
        #expect(run.itemModes["patch", default: 0] > 0)
    }

    @Test("A view without a refresh edge requests the whole list as its first page")
    func recoversWithoutRefreshEdge() {
        let view = ViewDescription(
            name: "list", feed: "packages", refresh: .null,
            geometry: GeometryUpdate(viewport: .init(width: 390, height: 720)))
        var run = ClientRun(
            ClientConfiguration(client: "test", views: [view], features: ["patch"]),
            daemon: TestDaemon(itemKey: "/id"), random: SeededGenerator(seed: 1))
        run.connect()
        run.recordsFrames = true
        run.inject(
            #"{"type":"items","view":"list","load":"1.9","mode":"patch","count":1,"runs":[]}"#)
        #expect(run.sentTypes == [["reset", "loadMore"]])
    }

    @Test("Without the feature, the client receives no patches")
    func withoutFeature() {
        for features in [nil, [], ["query"]] {
            var run = Self.makeRun(features: features)
            let items = (0..<20).map { Self.item($0) }
            run.answerLoad(items)
            run.advance(to: run.now + 3000)
            refresh(&run, items)
            expectList(run, items)
            #expect(run.itemModes == ["replace": 2])
        }
    }
}
