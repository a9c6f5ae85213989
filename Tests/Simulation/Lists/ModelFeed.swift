import RefreshBroker
import RefreshProtocol
import RefreshSession

/// A feed whose items come from model lists. There is one feed for each paging style, and each
/// feed has one list for each query.
enum ModelFeed: String, CaseIterable {
    case modelPages
    case modelCursors
    case modelOffsets

    /// The parameter that selects the query.
    static let query = "query"
    /// The values of the parameter. The parameter is left out for the first query.
    static let queries = ["", "a", "ab", "b"]
    static let size = 8

    var style: PagingStyle {
        switch self {
        case .modelPages: .page
        case .modelCursors: .cursor
        case .modelOffsets: .offset
        }
    }

    /// The number of the feed's first page, and the offset of its first item.
    var firstPage: Int { 1 }
    var firstOffset: Int { 0 }

    func description(_ plan: ReaderPlan) -> FeedDescription {
        FeedDescription(
            name: rawValue,
            parameters: [FeedParameter(SimulatedFeed.owner), FeedParameter(Self.query)],
            style: style, first: style == .page ? 1 : style == .offset ? 0 : nil, size: Self.size,
            itemKey: plan.itemKey, keepsPages: plan.keepsPages, debounceMs: plan.debounceMs)
    }

    /// The index of the query of a request.
    static func query(of request: LoadRequest) -> Int {
        request.value(of: query).flatMap { queries.firstIndex(of: $0.text) } ?? 0
    }
}
