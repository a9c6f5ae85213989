/// A client's value for a parameter that the feed declares.
package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
