extension Edge {
    /// The wire name as bytes that need no string.
    var wireText: StaticString {
        switch self {
        case .top: "top"
        case .bottom: "bottom"
        case .leading: "leading"
        case .trailing: "trailing"
        }
    }
}
