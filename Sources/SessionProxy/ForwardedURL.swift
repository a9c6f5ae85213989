internal import RefreshProtocol
internal import WebSocketTransport

/// The URL to which a client's request is passed on.
enum ForwardedURL {
    /// Returns the path and the query of the server's URL. If the configured path names a resource,
    /// it is used; otherwise the client's path. The query of the client follows the configured one.
    /// `requested` and `arguments` are percent-decoded, as the transport delivers them.
    static func path(of configured: String, requested: String, arguments: [String]) -> String {
        let parts = configured.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path =
            parts[0] == "/" ? PercentEncoding.encoded(requested, keeping: "/") : String(parts[0])
        let queries =
            [parts.count > 1 ? String(parts[1]) : ""]
            + arguments.map { PercentEncoding.encoded($0, keeping: "=") }
        let query = queries.filter { !$0.isEmpty }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// Returns the URL as text. If `masked` is true, asterisks replace the values of the query,
    /// because a value can be a token.
    static func text(of target: DialTarget, masked: Bool) -> String {
        let host = target.host.contains(":") ? "[\(target.host)]" : target.host
        let parts = target.path.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var text = "\(target.isEncrypted ? "wss" : "ws")://\(host):\(target.port)\(parts[0])"
        guard parts.count > 1 else { return text }
        let members = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        text += "?" + members.map { masked ? maskedMember($0) : String($0) }.joined(separator: "&")
        return text
    }

    private static func maskedMember(_ member: Substring) -> String {
        guard let equals = member.firstIndex(of: "=") else {
            return String(repeating: "*", count: member.utf8.count)
        }
        let value = member[member.index(after: equals)...]
        return member[...equals] + String(repeating: "*", count: value.utf8.count)
    }
}
