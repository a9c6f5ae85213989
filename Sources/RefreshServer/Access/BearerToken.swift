/// The token of an `Authorization` header. Source: RFC 6750, section 2.1.
enum BearerToken {
    /// Returns the token if the scheme is `Bearer` and exactly one word follows; nil otherwise.
    static func read(_ header: String?) -> String? {
        guard let header else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].drop { $0 == " " }
        return token.isEmpty || token.contains(" ") ? nil : String(token)
    }
}
