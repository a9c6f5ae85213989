import RefreshProtocol

/// The indicator at one edge of a view.
struct EdgeIndicator {
    let name: String
    let programme: PreparedIndicator
}
