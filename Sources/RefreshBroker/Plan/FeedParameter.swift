/// A parameter that a feed declares. Source: docs/configuration.md, "parameters".
package struct FeedParameter: Hashable, Sendable, ExpressibleByStringLiteral {
    package var name: String
    package var type: ParameterType

    package init(_ name: String, _ type: ParameterType = .text) {
        self.name = name
        self.type = type
    }

    /// Creates a parameter of type text.
    package init(stringLiteral name: String) { self.init(name) }
}
