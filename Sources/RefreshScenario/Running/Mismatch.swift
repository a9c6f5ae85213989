/// One place where a value is not as a pattern wants it.
package struct Mismatch: Hashable, Sendable {
    /// `top.state`, `items[2].name`; empty: the value itself.
    package var path: String
    package var expected: String
    package var came: String
}

extension Mismatch: CustomStringConvertible {
    package var description: String {
        "\(path.isEmpty ? "the message" : path): expected \(expected), came \(came)"
    }
}
