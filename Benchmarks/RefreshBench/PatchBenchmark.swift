import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A refresh of 1,000 items of 400 bytes, of which 10 have changed. Source: docs/protocol.md,
/// "Patches".
///
/// `Benchmarks/run` runs the steps under a profiler, and computes the instructions of one step.
struct PatchBenchmark {
    /// A step that is measured.
    enum Step: String {
        /// Parses the page, with the hashes of its keys only.
        case parse
        /// Parses the page, with the hashes of keys and items.
        case hash
        /// Makes the runs of a patch from the hashes of two pages.
        case diff
        /// Sends the page to a session whose client uses patches. The patch is in the cache.
        case patch
        /// Sends the page to a session whose client does not use patches.
        case replace
        /// Inserts one live item into the list of 20 items of a session.
        case live
    }

    private static let items = 1000
    private static let itemBytes = 400
    /// Every hundredth item changes.
    private static let changeInterval = 100

    /// Performs the step `count` times.
    static func run(_ step: Step, count: Int) throws {
        let pages = [page(version: 0), page(version: 1)]
        switch step {
        case .parse: try parse(pages[0], hasList: false, count: count)
        case .hash: try parse(pages[0], hasList: true, count: count)
        case .diff: try diff(pages, count: count)
        case .patch: _ = try Viewer(usesPatches: true).refresh(with: pages, count: count)
        case .replace: _ = try Viewer(usesPatches: false).refresh(with: pages, count: count)
        case .live: try live(count: count)
        }
    }

    /// Returns one JSON object with the bytes of the frame with a patch, and with a whole list.
    static func bytes() throws -> String {
        let pages = [page(version: 0), page(version: 1)]
        let patch = try Viewer(usesPatches: true).refresh(with: pages, count: 2)
        let replace = try Viewer(usesPatches: false).refresh(with: pages, count: 2)
        return """
            {"patch_bytes": \(patch), "patch_replace_bytes": \(replace), \
            "patch_bytes_ratio": \(Double(patch) / Double(replace))}
            """
    }

    /// Reports live items to 50 sessions that show the same list, until they have received `count`
    /// messages together. An item is inserted and removed in turn.
    private static func live(count: Int) throws {
        let page = page(version: 0, items: 20)
        let first = Viewer(usesPatches: true)
        let viewers = [first] + (1..<50).map { _ in Viewer(beside: first) }
        for viewer in viewers { _ = try viewer.refresh(with: [page], count: 1) }
        let hash = SipHash(key: 1, 2)
        for number in 0..<(count / viewers.count) {
            let id = number / 2
            let key = ItemOperation.Key(Array("\(id)".utf8), hashedBy: hash)
            let item = Array(#"{"id":\#(id),"title":"A new item","text":"Lorem ipsum"}"#.utf8)
            let insert = ItemOperation(.insert, key, at: .start, item: item, hashedBy: hash)
            let remove = ItemOperation(.remove, key, hashedBy: hash)
            let items = [ItemChange([number % 2 == 0 ? insert : remove])]
            for viewer in viewers { try viewer.change(items) }
        }
    }

    /// Returns a page. Pages with another `firstID` have other items.
    static func page(version: Int, items: Int = items, firstID: Int = 100_000) -> Page {
        let items = (0..<items).map { id in
            let version = id % changeInterval == 37 ? version : 0
            let start = #"{"id":\#(firstID + id),"version":\#(version),"text":""#
            return start + String(repeating: "x", count: itemBytes - start.utf8.count - 2) + #""}"#
        }
        var page = Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: items.count, more: true)
        page.itemKeys = keys(of: page, hasList: true)
        return page
    }

    static func keys(of page: Page, hasList: Bool) -> ItemKeys? {
        JSONPointer("/id").flatMap {
            ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2), hasList: hasList)
        }
    }

    private static func parse(_ page: Page, hasList: Bool, count: Int) throws {
        for _ in 0..<count {
            guard keys(of: page, hasList: hasList)?.elements.count == items else {
                throw BenchmarkError.unexpected("the page cannot be parsed")
            }
        }
    }

    private static func diff(_ pages: [Page], count: Int) throws {
        guard let pointer = JSONPointer("/id"), let old = pages[0].itemKeys?.list,
            let new = pages[1].itemKeys?.list
        else { throw BenchmarkError.unexpected("the items have no keys") }
        for _ in 0..<count {
            guard PatchCache().runs(from: old, to: pages[1], new, keyAt: pointer) != nil else {
                throw BenchmarkError.unexpected("there is no patch")
            }
        }
    }
}
