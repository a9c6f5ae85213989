import Foundation
import RefreshBroker
import RefreshSession

/// Refreshes of a view through the lists of a file, one after another. Each line of the file is the
/// JSON array of the items of a list.
struct ListsBenchmark {
    private let pages: [Page]

    init(file: String) throws {
        let lines = try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0A)
        pages = try lines.map { line in
            let items = try JSONSerialization.jsonObject(with: Data(line)) as? [Any]
            var page = Page(items: Array(line), count: items?.count ?? 0, more: false)
            page.itemKeys = PatchBenchmark.keys(of: page, hasList: true)
            guard page.itemKeys != nil else { throw BenchmarkError.unexpected("no items") }
            return page
        }
    }

    /// Returns one JSON object with the bytes of each frame after the first, with patches and
    /// without.
    func bytes() throws -> String {
        let patches = try bytes(usesPatches: true)
        let lists = try bytes(usesPatches: false)
        return #"{"patch": \#(patches), "replace": \#(lists)}"#
    }

    private func bytes(usesPatches: Bool) throws -> [Int] {
        let viewer = Viewer(usesPatches: usesPatches)
        return Array(try pages.map { try viewer.refresh(with: $0) }.dropFirst())
    }

    /// Refreshes `count` views on one loop.
    func run(usesPatches: Bool, count: Int) throws {
        let first = Viewer(usesPatches: usesPatches)
        let viewers = [first] + (1..<count).map { _ in Viewer(beside: first) }
        for page in pages {
            for viewer in viewers { try viewer.refresh(with: page) }
        }
    }
}
