extension Edge {
    /// The wire name as bytes, without a string.
    var wireText: StaticString {
        switch self {
        case .top: "top"
        case .bottom: "bottom"
        case .leading: "leading"
        case .trailing: "trailing"
        }
    }
}
