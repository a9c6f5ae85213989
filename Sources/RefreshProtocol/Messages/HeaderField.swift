/// A header that a client gives for backends, by its lower-case name. Source: docs/protocol.md,
/// "hello".
package struct HeaderField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
