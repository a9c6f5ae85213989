internal import RefreshProtocol

/// The colours of a session's picture. They are visible on light and on dark backgrounds.
enum SessionPalette {
    static let refresh = "#2f7dd1"
    static let loadMore = "#8a5cc9"
    static let touch = "#e0912f"
    static let failure = "#d1453b"

    static func edge(isRefresh: Bool) -> String { isRefresh ? refresh : loadMore }

    static func state(_ state: EdgeState) -> String {
        switch state {
        case .idle, .disabled: "#9aa4b1"
        case .pulling, .approaching: "#7fb2e8"
        case .eligible: "#e0912f"
        case .triggered: "#c9772a"
        case .refreshing, .loading: "#2f7dd1"
        case .succeeded: "#3f9b57"
        case .finishing: "#5fb7a5"
        case .failed: failure
        case .noMore: "#6b7480"
        }
    }

    /// Returns the opacity of a state. States without activity are less prominent.
    static func opacity(_ state: EdgeState) -> Double {
        switch state {
        case .idle, .disabled, .noMore: 0.28
        default: 0.85
        }
    }
}
