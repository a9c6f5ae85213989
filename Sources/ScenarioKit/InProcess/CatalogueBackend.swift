internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The backend of the catalogue feeds: sixty items with words such as `apple 1`. Source:
/// docs/conformance.md, "The catalogue".
struct CatalogueBackend: Backend {
    /// How requests identify pages.
    var style: PagingStyle
    /// Whether each item has its `letter`, which names its section.
    var hasLetters: Bool
    /// The pages that were already sent for requests with the parameter `once`, except first pages.
    /// For the same value of `once`, such a page is not sent again.
    private let answered = AnsweredPages()

    init(style: PagingStyle, hasLetters: Bool = false) {
        self.style = style
        self.hasLetters = hasLetters
    }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        let query = request.value(of: "q")?.text ?? ""
        let first = try start(of: request)
        if query == "fault" { throw LoadFailure(.backendFailed, "The catalogue is closed.") }
        if let once = request.value(of: "once")?.text, first > 0,
            !answered.insert("\(first) \(once)")
        {
            throw LoadFailure(.backendFailed, "This page was answered before.")
        }
        let above = request.value(of: "above").flatMap { Int($0.text) } ?? -1
        var found = EditedCatalogue.words.enumerated().filter {
            $0.element.hasPrefix(query) && $0.offset > above
        }
        if request.value(of: "sort")?.text == "down" {
            found = found.reversed()
        }
        let page = found.dropFirst(first).prefix(request.size)
        let items = page.map { id, word in
            let letter = hasLetters ? #","letter":"\#(word.prefix(1))""# : ""
            return #"{"id":\#(id)\#(letter),"word":"\#(word)"}"#
        }
        let next = first + page.count
        return Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: items.count,
            more: next < found.count,
            cursor: style == .cursor && next < found.count ? "\(next)" : nil)
    }

    /// The position of the first item of the requested page.
    private func start(of request: LoadRequest) throws(LoadFailure) -> Int {
        switch style {
        case .page: return max(request.page - 1, 0) * request.size
        case .offset: return max(request.offset, 0)
        case .cursor:
            guard let cursor = request.cursor else { return 0 }
            guard let start = Int(cursor), start >= 0 else {
                throw LoadFailure(.backendRejected, "The cursor is unknown.")
            }
            return start
        case .none: return 0
        }
    }
}

/// The backend of the feed `edited`. The number of first pages that were requested with the same
/// parameter `tag` selects a letter of the parameter `edits`.
private struct EditedCatalogueBackend: Backend {
    private let firstPages = FirstPages()

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        let number = firstPages.count(
            request.value(of: "tag")?.text ?? "", isFirst: request.page <= 1)
        let edit = EditedCatalogue.edit(
            ofPage: number, in: request.value(of: "edits")?.text ?? "")
        let all = EditedCatalogue.items(edit)
        let start = max(request.page - 1, 0) * request.size
        let items = all.dropFirst(start).prefix(request.size)
        return Page(
            items: Array(JSONValue.array(Array(items)).text.utf8), count: items.count,
            more: start + items.count < all.count)
    }
}

/// The numbers of first pages. They are shared by the copies of a backend.
private final class FirstPages: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Returns the number of first pages with this tag. If `isFirst` is true, counts one more.
    func count(_ tag: String, isFirst: Bool) -> Int {
        counts.withLock { counts in
            if isFirst { counts[tag, default: 0] += 1 }
            return max(counts[tag, default: 0], 1)
        }
    }
}

/// A set of pages. It is shared by the copies of a backend.
private final class AnsweredPages: Sendable {
    private let pages = Mutex<Set<String>>([])

    /// Adds a page. Returns whether it is new.
    func insert(_ page: String) -> Bool { pages.withLock { $0.insert(page).inserted } }
}

extension SimulatedFeed {
    /// The names of the catalogue feeds. The feeds exist only if the daemon runs in process, or if
    /// the server under test offers them.
    static let catalogueNames = [
        "catalogue", "catalogue-offset", "catalogue-cursor", "ticker", "crowd", "edited", "letters",
        "board", "rows",
    ]

    /// The parameters of the catalogue feeds. `tag` has no effect on the items.
    private static let catalogueParameters: [FeedParameter] = [
        "q", "sort", FeedParameter("above", .integer), "tag", "once", "news", "edits",
    ]

    /// Returns the catalogue feed with this name. It does not share state with other feeds.
    private static func catalogueFeed(_ name: String) -> SimulatedFeed {
        let style: PagingStyle =
            switch name {
            case "catalogue-offset": .offset
            case "catalogue-cursor": .cursor
            default: .page
            }
        var feed = SimulatedFeed(
            description: FeedDescription(
                name: name, parameters: catalogueParameters, style: style,
                first: style == .page ? 1 : 0, size: 20, keepsPages: name == "catalogue"),
            backend: name == "edited"
                ? EditedCatalogueBackend()
                : CatalogueBackend(style: style, hasLetters: name == "letters"),
            itemKey: ["edited", "letters"].contains(name) ? JSONPointer("/id") : nil)
        switch name {
        case "catalogue": feed.cache = FeedPolicy.Cache(lifetimeMs: 6000, staleMs: 60_000)
        case "ticker": feed.changesSpreadMs = 200
        case "crowd": feed.changesSpreadMs = 600_000
        case "letters": feed.description.sectionKey = JSONPointer("/letter")
        default: break
        }
        feed.isChangedBy = { $0.value(of: "news") != nil }
        return feed
    }

    /// All catalogue feeds.
    package static var catalogues: [SimulatedFeed] {
        let ownNames = boardAndRows.map(\.description.name)
        return catalogueNames.filter { !ownNames.contains($0) }.map(catalogueFeed) + boardAndRows
    }
}

extension Scenario {
    /// The catalogue feeds that the scenario needs in addition to the feeds of a usual daemon.
    package var additionalFeeds: [SimulatedFeed] {
        SimulatedFeed.catalogues.filter { requirements.contains(.feed($0.description.name)) }
    }
}
