import RefreshProtocol

/// A named set of option values: data, not behaviour.
package enum Profile: String, CaseIterable, Sendable {
    /// IQPullToRefresh: custom refresh control, its own load-more indicator.
    case iqpulltorefresh
    /// UIRefreshControl shown by the program: the platform's control holds its own room.
    case uikit

    package var refresh: RefreshOptions {
        switch self {
        case .iqpulltorefresh:
            RefreshOptions(
                isEnabled: true, trigger: .release, length: 60, preload: 0, holdsInset: true,
                insetDuration: 100, offsetDuration: 100)
        case .uikit:
            RefreshOptions(
                isEnabled: true, trigger: .reach, length: 60, preload: 0, holdsInset: false,
                insetDuration: 100, offsetDuration: 300)
        }
    }

    package var loadMore: LoadMoreOptions {
        LoadMoreOptions(
            isEnabled: true, trigger: .reach, mode: .limit, length: 60, preload: 0,
            holdsInset: true, insetDuration: 100, fillPagesMax: 5)
    }

    package static let paging = PagingOptions(style: .page, first: 1, size: 50)
}
