package import RefreshProtocol

/// How a client comes back to its session: all that it has sent so far.
package struct Homecoming: Hashable, Sendable {
    package var hello: Hello
    /// The object `hello`, as it came.
    package var text: [UInt8]
    /// The rest of that frame, as an array of messages, and the frames behind it.
    package var held: [[UInt8]]

    package init(_ hello: Hello, text: [UInt8], held: [[UInt8]] = []) {
        self.hello = hello
        self.text = text
        self.held = held
    }
}
