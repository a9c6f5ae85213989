/// One place where a value does not match a pattern.
package struct Mismatch: Hashable, Sendable {
    /// The path: `top.state`, `items[2].name`; empty for the value itself.
    package var path: String
    package var expected: String
    package var came: String
}

extension Mismatch: CustomStringConvertible {
    package var description: String {
        "\(path.isEmpty ? "the message" : path): expected \(expected), found \(came)"
    }
}
