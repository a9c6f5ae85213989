package import RefreshProtocol

/// A client's value for a parameter of a feed, of the type that the feed declares.
package struct LoadParameter: Hashable, Sendable, Codable {
    @Bytewise package var name: String
    package var value: ParameterValue

    package init(name: String, value: ParameterValue) {
        self.name = name
        self.value = value
    }
}
