package import RefreshBroker
package import RefreshProtocol

/// A feed as the configuration describes it.
package struct FeedSettings: Hashable, Sendable {
    /// Where the items come from.
    package enum Source: Hashable, Sendable {
        /// The packages installed on this machine.
        case demo
        /// Without a `format` the path's extension says it.
        case file(path: String, format: FileFormat?)
        /// `url` is a template; see docs/backends.md.
        case http(
            url: String, connectTimeoutMs: Int, totalTimeoutMs: Int, responseBytesMax: Int)

        /// How metrics and logs call it.
        package var name: String {
            switch self {
            case .demo: "demo"
            case .file: "file"
            case .http: "http"
            }
        }
    }

    package var name: String
    package var source: Source
    /// The names of the parameters that a client may give.
    package var parameters: [FeedParameter]
    package var paging: PagingStyle
    /// The number of the first page, or the first offset: 0 or 1.
    package var first: Int
    /// Items of a page.
    package var size: Int
    /// Where the feed is described; nil for the demo's own.
    package var place: ConfigurationProblem.Place?

    package init(
        name: String, source: Source, parameters: [FeedParameter] = [], paging: PagingStyle,
        first: Int,
        size: Int, place: ConfigurationProblem.Place? = nil
    ) {
        self.name = name
        self.source = source
        self.parameters = parameters
        self.paging = paging
        self.first = first
        self.size = size
        self.place = place
    }

    /// The feed of the demo page.
    package static let demo = FeedSettings(
        name: "packages", source: .demo, paging: .page, first: 1, size: 50)
}
