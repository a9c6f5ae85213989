internal import RefreshProtocol

/// The query of a URL (the part after `?`), decoded by the transport.
enum Query {
    /// Returns the value of the first member of that name; nil if there is no such member, or if
    /// its value is empty.
    static func value(of name: String, in query: String) -> String? {
        for member in query.split(separator: "&") {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(parts[0]).hasBytes(of: name) else { continue }
            return parts[1].isEmpty ? nil : String(parts[1])
        }
        return nil
    }

    /// Whether the request is about all nodes of the cluster.
    static func isOfCluster(_ query: String) -> Bool { value(of: "cluster", in: query) == "true" }
}
