import RefreshProtocol

extension JSONValue {
    /// Whether the message is of one of these types.
    func isA(_ types: String...) -> Bool {
        self["type"]?.string.map { types.contains($0) } ?? false
    }

    /// Returns a copy to which `change` was applied.
    func with(_ change: (inout JSONValue) -> Void) -> JSONValue {
        var value = self
        change(&value)
        return value
    }

    /// The value at a path of names. If a member before the last one is missing, setting the value
    /// has no effect.
    subscript(at path: String) -> JSONValue? {
        get {
            path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
        }
        set { set(path.split(separator: ".").map(String.init)[...], newValue) }
    }

    private mutating func set(_ path: ArraySlice<String>, _ value: JSONValue?) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        guard var inner = self[name] else { return }
        inner.set(path.dropFirst(), value)
        self[name] = inner
    }

    static let edges = ["top", "bottom", "leading", "trailing"]

    /// Returns a copy in which each edge is changed.
    func withEdges(_ change: (inout JSONValue) -> Void) -> JSONValue {
        with { message in
            for edge in Self.edges {
                guard var value = message[edge], case .object = value else { continue }
                change(&value)
                message[edge] = value
            }
        }
    }
}
