internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// The backend of the feed `catalogue`: sixty numbered fruits. `q` is the beginning of the wanted
/// items, and `sort` `down` reverses their order. The query `fault` fails.
struct CatalogueBackend: Backend {
    private static let words = ["apple", "banana", "cherry", "date", "elder", "fig"].flatMap {
        word in (1...10).map { "\(word) \($0)" }
    }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        let query = request.value(of: "q")?.text ?? ""
        if query == "fault" { throw LoadFailure(.backendFailed, "The catalogue is closed.") }
        var found = Self.words.enumerated().filter { $0.element.hasPrefix(query) }
        if request.value(of: "sort")?.text == "down" {
            found = found.reversed()
        }
        let page = found.dropFirst((request.page - 1) * request.size).prefix(request.size)
        let items = page.map { #"{"id":\#($0.offset),"word":"\#($0.element)"}"# }
        return Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: items.count,
            more: request.page * request.size < found.count)
    }
}

extension SimulatedFeed {
    /// The name of a feed that only scenarios in process have.
    static let catalogueName = "catalogue"

    /// The feed `catalogue`, with parameters and a cache. A page is fresh for 6 s, then stale for
    /// 60 s.
    static let catalogue = SimulatedFeed(
        description: FeedDescription(
            name: catalogueName, parameters: ["q", "sort"], style: .page, first: 1, size: 20,
            keepsPages: true),
        backend: CatalogueBackend(), cache: FeedPolicy.Cache(lifetimeMs: 6000, staleMs: 60_000))
}

extension Scenario {
    /// The feeds that the scenario needs beside those of a daemon.
    package var additionalFeeds: [SimulatedFeed] {
        requirements.contains(.feed(SimulatedFeed.catalogueName)) ? [.catalogue] : []
    }
}
